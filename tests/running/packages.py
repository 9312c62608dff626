"""Generated packages: spec texts or a catalog in, an imported package out."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.emit.artifact import Emitter
from brimgen.emit.python import EMITTER
from brimgen.emitting import emitted
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.syntax.documents import parse


def link(
    texts: Iterable[str], project: Project | None = None
) -> tuple[Catalog, Diagnostics]:
    """The catalog of YAML texts, each a file, and what was found in them."""
    diagnostics = Diagnostics()
    documents = []
    for number, text in enumerate(texts):
        name = f"specs/{number:05}.yaml"
        documents += compose(SourceFile(name, name, text), diagnostics)
    catalog = resolve(parse(documents, diagnostics), project or Project(), diagnostics)
    EMITTER.check(catalog, diagnostics)
    return catalog, diagnostics


def standard_spec(name: str, description: object, schema: object) -> str:
    """A Python function whose arguments are a JSON Schema, as YAML (which JSON is)."""
    document = {
        "type": "python_function",
        "name": name,
        "description": description if isinstance(description, str) else "None given.",
        "arguments": {"mode": "standard", "inline": schema},
    }
    kept = {key: each for key, each in document.items() if each}
    return json.dumps(kept, ensure_ascii=False)


def tool_name(name: str, number: int) -> str:
    """A legal and unique tool name, as near to ``name`` as it gets."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", name)
    return f"t{number}_{plain}"[:60]


def without_errors(
    catalog: Catalog, diagnostics: Diagnostics
) -> tuple[Catalog, set[str]]:
    """The catalog without the tools of files that have errors, and the files."""
    refused = {each.span.file for each in errors(diagnostics)}
    tools = tuple(each for each in catalog.tools if each.span.file not in refused)
    return replace(catalog, tools=tools), refused


def errors(diagnostics: Diagnostics) -> list[Diagnostic]:
    """The diagnostics that stop a build."""
    return [each for each in diagnostics if each.rule.severity == "error"]


def write_package(catalog: Catalog, root: Path, *more: Emitter) -> Path:
    """Write the Python target, and ``more``, below ``root``; answer the folder that holds the
    package.
    """
    for _, artifact in emitted(catalog, [EMITTER, *more]):
        path = root / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(artifact.text, encoding="utf-8")
    return root / "python"


@contextmanager
def imported(folder: Path, package: str) -> Iterator[ModuleType]:
    """The package, imported; forgotten afterwards."""
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        yield importlib.import_module(package)
    finally:
        sys.path.remove(str(folder))
        for name in [each for each in sys.modules if _is_below(each, package)]:
            del sys.modules[name]


def _is_below(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def verdict(input_type: Any, data: object) -> bool:
    """Whether ``from_dict`` accepts; anything but an `InputError` is passed on."""
    try:
        input_type.from_dict(data)
    except ValueError as error:
        if type(error).__name__ != "InputError":
            raise
        assert error.violations  # type: ignore[attr-defined]
        return False
    return True


def is_read_fast(input_type: Any, data: object) -> bool:
    """Whether ``from_dict`` reads the data without asking the validator of the tool."""
    runtime = sys.modules[input_type.from_dict.__func__.__module__]
    try:
        read = runtime._codec(input_type).read(data)  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001
        return False
    return read is not None
