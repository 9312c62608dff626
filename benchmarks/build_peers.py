"""Peers that are heavy to install: their work for the tools of a contest, and the commands.

They live in `benchmarks/.peers`, which `install` makes: a Python environment with protoc, sqlc and
LinkML, and a folder of Node with quicktype and TypeSpec. Each makes what it is best at, of the same
shapes, and nothing else.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent / ".peers"
PYTHON = HOME / "python/bin"
NODE = HOME / "node_modules/.bin"
PACKAGES = ("grpcio-tools", "sqlc", "linkml")
MODULES = ("quicktype", "@typespec/compiler", "@typespec/json-schema")

PROTOC = "protoc, messages for Python"
SQLC = "sqlc, Go for the statements (half of the tools)"
LINKML = "LinkML, dataclasses"
QUICKTYPE = "quicktype, classes for Python"
TYPESPEC = "TypeSpec, JSON Schema"


def install() -> None:
    """Make the folders, where they are missing; what cannot be installed is told, and left out."""
    for names, make in (PACKAGES, _install_python), (MODULES, _install_node):
        try:
            make()
        except (OSError, subprocess.CalledProcessError) as problem:
            print(f"without {', '.join(names)}: {problem}", file=sys.stderr)


def _install_python() -> None:
    if (PYTHON / "gen-python").exists():
        return
    subprocess.run([sys.executable, "-m", "venv", str(HOME / "python")], check=True)
    subprocess.run(
        [str(PYTHON / "python"), "-m", "pip", "install", "-q", *PACKAGES], check=True
    )


def _install_node() -> None:
    if (NODE / "tsp").exists():
        return
    HOME.mkdir(exist_ok=True)
    (HOME / "package.json").write_text('{"private": true}\n')
    subprocess.run(["npm", "install", "--silent", *MODULES], cwd=HOME, check=True)


def commands(folder: Path, schemas: Path, specs: Path) -> dict[str, list[str]]:
    """The commands of all peers that are installed; what they read is written below ``folder``."""
    makers: dict[str, tuple[Path, Callable[[], list[str]]]] = {
        PROTOC: (PYTHON / "python-grpc-tools-protoc", lambda: _protoc(folder, schemas)),
        SQLC: (PYTHON / "sqlc", lambda: _sqlc(folder / "sqlc", specs)),
        LINKML: (PYTHON / "gen-python", lambda: _linkml(folder, schemas)),
        QUICKTYPE: (NODE / "quicktype", lambda: _quicktype(folder, schemas)),
        TYPESPEC: (NODE / "tsp", lambda: _typespec(folder / "typespec", schemas)),
    }
    return {name: make() for name, (tool, make) in makers.items() if tool.exists()}


def _shapes(schemas: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(schemas.glob("*.json")):
        yield path.stem, json.loads(path.read_text())


def _class(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _protoc(folder: Path, schemas: Path) -> list[str]:
    protos, out = folder / "protos", folder / "messages"
    _write_protos(schemas, protos)
    out.mkdir()
    return [
        *(str(PYTHON / "python"), "-m", "grpc_tools.protoc", f"-I{protos}"),
        *(f"--python_out={out}", f"--pyi_out={out}"),
        *(path.name for path in sorted(protos.iterdir())),
    ]


_SCALARS = {
    "integer": "int64",
    "number": "double",
    "boolean": "bool",
    "string": "string",
}


def _write_protos(schemas: Path, folder: Path) -> None:
    """Write a ``.proto`` for every schema in ``schemas``: one message with the same fields."""
    folder.mkdir()
    for path in sorted(schemas.glob("*.json")):
        schema = json.loads(path.read_text())
        lines = [
            f"  {_proto_kind(each)} {name} = {number};"
            for number, (name, each) in enumerate(schema["properties"].items(), 1)
        ]
        text = "\n".join(
            [
                'syntax = "proto3";',
                f"package {path.stem};",
                f"message {path.stem}_input {{",
                *lines,
                "}",
            ]
        )
        (folder / f"{path.stem}.proto").write_text(f"{text}\n")


def _proto_kind(schema: dict[str, Any]) -> str:
    if schema.get("type") == "array":
        return f"repeated {_proto_kind(schema['items'])}"
    return _SCALARS[schema["type"]]


def _sqlc(folder: Path, specs: Path) -> list[str]:
    folder.mkdir()
    statements: list[str] = []
    for path in sorted(specs.rglob("*.sql")):
        text = path.read_text().partition("*/")[2].strip()
        text = re.sub(r"IN \(:(\w+)\)", r"IN (sqlc.slice('\1'))", text)
        statements.append(f"-- name: {_class(path.stem)} :many\n{text};\n")
    columns = (
        "title, ratio, status, tags, placed_after, page_size, exact, tenant, order_by"
    )
    (folder / "schema.sql").write_text(
        "CREATE TABLE things (customer_id INTEGER, "
        + ", ".join(f"{part} TEXT" for part in columns.split(", "))
        + ");\n"
    )
    (folder / "queries.sql").write_text("\n".join(statements))
    (folder / "sqlc.yaml").write_text(
        "version: '2'\nsql:\n- engine: sqlite\n  schema: schema.sql\n"
        "  queries: queries.sql\n  gen: {go: {package: db, out: out}}\n"
    )
    return [str(PYTHON / "sqlc"), "generate", "-f", str(folder / "sqlc.yaml")]


_LINKML = {"integer": "integer", "number": "float", "boolean": "boolean"}


def _linkml(folder: Path, schemas: Path) -> list[str]:
    classes: dict[str, Any] = {}
    for name, schema in _shapes(schemas):
        attributes: dict[str, Any] = {}
        for field, each in schema["properties"].items():
            listed = each.get("type") == "array"
            inner = each["items"] if listed else each
            attributes[field] = {
                "range": _LINKML.get(inner.get("type", ""), "string"),
                "multivalued": listed,
                "required": field in schema.get("required", ()),
            }
        classes[f"{_class(name)}Input"] = {"attributes": attributes}
    value = {
        "id": "https://example.com/tools",
        "name": "tools",
        "prefixes": {"linkml": "https://w3id.org/linkml/"},
        "imports": ["linkml:types"],
        "default_prefix": "https://example.com/tools/",
        "classes": classes,
    }
    path = folder / "linkml.yaml"
    path.write_text(json.dumps(value))
    return [str(PYTHON / "gen-python"), str(path)]


def _quicktype(folder: Path, schemas: Path) -> list[str]:
    return [
        *(str(NODE / "quicktype"), "--src-lang", "schema", "--lang", "python"),
        *("--out", str(folder / "quicktype.py"), "--src", str(schemas)),
    ]


_TYPESPEC = {"integer": "int64", "number": "float64", "boolean": "boolean"}


def _typespec(folder: Path, schemas: Path) -> list[str]:
    folder.mkdir()
    (folder / "node_modules").symlink_to(HOME / "node_modules")
    lines = [
        'import "@typespec/json-schema";',
        "using JsonSchema;",
        "@jsonSchema",
        "namespace T {",
    ]
    for name, schema in _shapes(schemas):
        lines.append(f"model {_class(name)}Input {{")
        for field, each in schema["properties"].items():
            listed = each.get("type") == "array"
            inner = each["items"] if listed else each
            kind = _TYPESPEC.get(inner.get("type", ""), "string")
            mark = "" if field in schema.get("required", ()) else "?"
            lines.append(f"  {field}{mark}: {kind}{'[]' if listed else ''};")
        lines.append("}")
    (folder / "main.tsp").write_text("\n".join([*lines, "}"]) + "\n")
    return [
        *(str(NODE / "tsp"), "compile", str(folder / "main.tsp")),
        *("--emit", "@typespec/json-schema", "--output-dir", str(folder / "out")),
    ]


def clear(folder: Path) -> None:
    """Remove what the peers have made, so that they make it anew."""
    for name in ("sqlc/out", "typespec/out", "messages"):
        shutil.rmtree(folder / name, ignore_errors=True)
    (folder / "messages").mkdir(exist_ok=True)
