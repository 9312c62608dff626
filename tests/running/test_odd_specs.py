"""Specs that once made a package that does not import: kept, so that they stay mended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.checkers import PYRIGHT
from support.project import build

HEADER = "type: python_function\nname: odd\ndescription: An odd tool.\narguments:\n"


@pytest.mark.parametrize(
    "name",
    [
        "Any",
        "Context",
        "ContextError",
        "DICT",
        "InputError",
        "IntEnum",
        "Json",
        "KIND",
        "Mapping",
        "PARAMS",
        "SOURCE",
        "Sequence",
        "TOOL",
        "Tool",
        "Tools",
        "TypeAlias",
        "FastPathMiss",
        "Validator",
    ],
)
@pytest.mark.parametrize("form", ["fields: { x: int }", "enum: [a, b]"])
def test_an_entity_by_the_name_of_something_else(
    tmp_path: Path, name: str, form: str
) -> None:
    spec = (
        f"type: entity\nname: {name}\n{form}\n---\n"
        "type: sql_function\nname: odd\ndescription: An odd tool.\n"
        f"arguments: {{ inline: {{ x: int }} }}\nreturns: {name}Row\n"
        "sql: SELECT :x AS own\n---\n"
        f"type: entity\nname: {name}Row\nfields: {{ own: {name} }}\n"
    )
    built = build(tmp_path, {"odd.yaml": spec})
    assert not built.diagnostics.has_errors
    tool = built.tool("odd")
    assert {"x": 1} == tool.input_type.from_dict({"x": 1}).to_dict()
    value, cell = ({"x": 1}, '{"x": 1}') if "fields" in form else ("a", "a")
    row = built.load("sql.odd").decode_sqlite3({"own": cell})
    assert {"own": value} == row.to_dict()


@pytest.mark.whole
def test_strict_pyright_has_nothing_to_say_of_odd_names_and_many_arguments(
    tmp_path: Path,
) -> None:
    """Capitals are no constants; pyright gives up at some forty optional arguments."""
    names = "{ type: 'string[]', default: [a] }"
    spec = f"{HEADER}  inline: {{ ID: int, URL: string, _id: Id, names: {names} }}\n"
    spec += "---\ntype: entity\nname: Id\nfields: { _x0: int }\n"
    many = "".join(f"    day{number}: date?\n" for number in range(44))
    wide = HEADER.replace("odd", "wide") + f"  inline:\n{many}"
    built = build(tmp_path, {"odd.yaml": spec, "wide.yaml": wide})
    sent = {"ID": 1, "URL": "u", "_id": {"_x0": 2}}
    read = built.tool("odd").input_type.from_dict(sent)
    assert (1, "u", ["a"]) == (read.ID, read.URL, read.names)
    assert 2 == read.field_id.field_x0
    config = {"include": ["out/python"], "typeCheckingMode": "strict"}
    (built.folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", *PYRIGHT]
    done = subprocess.run(command, cwd=built.folder, capture_output=True, text=True)
    assert 0 == done.returncode, done.stdout
