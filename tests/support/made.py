"""Hand-made values of the model, for tests of targets that need no stage before them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from brimgen.diagnostics import Diagnostics, Span, TextBlock
from brimgen.emit.artifact import Emitter
from brimgen.model.catalog import Catalog, PythonBody, Tool
from brimgen.model.fields import Default
from brimgen.model.project import Connection, Project
from brimgen.model.types import (
    Field,
    JsonType,
    ListType,
    NullableType,
    RecordType,
    Scalar,
    ScalarType,
)

SPAN = Span("specs/made.yaml", 1, 1, 1, 5)
STRING = ScalarType(Scalar.STRING)
_SCALARS = {
    "integer": Scalar.INT,
    "number": Scalar.FLOAT,
    "boolean": Scalar.BOOL,
    "string": Scalar.STRING,
}


def text(value: str) -> TextBlock:
    """A statement or template."""
    return TextBlock(value, SPAN)


def field(name: str, schema: Any, **values: Any) -> Field:
    """A field whose type is read off its schema, roughly."""
    default = Default(schema["default"]) if "default" in schema else None
    values = {"default": default, "description": schema.get("description"), **values}
    values.setdefault("type", _type(name, schema))
    line = values.pop("line", 1)
    span = Span(SPAN.file, line, 3, line, 9)
    return Field(name=name, schema=schema, span=span, **values)


def _type(name: str, schema: Any) -> Any:
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind == "object" and schema.get("properties"):
        declared = schema["properties"].items()
        fields = (field(*each) for each in declared if each[1] is not False)
        return RecordType(name.title(), tuple(fields))
    if kind == "array" and isinstance(schema.get("items"), dict):
        return ListType(_type(name, schema["items"]))
    if isinstance(kind, list):
        one = len(kind) == 2 and kind[1] == "null"
        return NullableType(ScalarType(_SCALARS[kind[0]])) if one else JsonType()
    return ScalarType(_SCALARS[kind]) if kind in _SCALARS else JsonType()


def tool(name: str, schema: Any = None, **values: Any) -> Tool:
    """A Python function with ``schema`` for its arguments; ``values`` are those of `Tool`."""
    schema = schema or {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }
    required = schema.get("required", [])
    fields = tuple(
        field(each, part, required=each in required, line=10 + number)
        for number, (each, part) in enumerate(schema.get("properties", {}).items())
    )
    standing: dict[str, Any] = {
        "span": SPAN,
        "body": PythonBody(None),
        "fields": fields,
        "input_schema": schema,
        "enforced_schema": schema,
        "bound_schema": schema,
        "sources": (SPAN.file,),
    }
    return Tool(name=name, **{**standing, **values})


def catalog(*tools: Tool, **values: Any) -> Catalog:
    """A catalog of ``tools``; ``entities`` and ``enums`` aside, values are those of `Project`.

    It makes no package unless ``targets`` say so.
    """
    values.setdefault("targets", ())
    entities = values.pop("entities", {})
    enums = values.pop("enums", {})
    values.setdefault("connections", {"default": Connection("sqlite", ("sqlite3",))})
    return Catalog(Project(**values), entities, enums, tools)


def emitted(emitter: Emitter, made: Catalog) -> dict[str, Any]:
    """What a target emits: paths, and the parsed JSON where a file holds that."""
    return {
        artifact.path: (
            json.loads(artifact.text)
            if artifact.path.endswith(".json")
            else artifact.text
        )
        for artifact in emitter.emit(made)
    }


def complaints(emitter: Emitter, made: Catalog) -> list[tuple[str, int, str]]:
    """What a target's check finds: code, line, message."""
    diagnostics = Diagnostics()
    emitter.check(made, diagnostics)
    return [(each.rule.code, each.span.line, each.message) for each in diagnostics]


def corpus(name: str, file: str = "items") -> list[Any]:
    """The items of a corpus (or ``file`` of it); without corpora the test is skipped."""
    folder = os.environ.get("BRIMGEN_CORPORA")
    if not folder:
        pytest.skip("BRIMGEN_CORPORA is not set")
    return list(_lines(Path(folder) / name / f"{file}.jsonl.gz"))


def _lines(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
