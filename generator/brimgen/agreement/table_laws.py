"""Compare tables of arguments, as pages for people have them, with the schema of the arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from brimgen.agreement.same_schema import SchemaFile
from brimgen.agreement.stated_limits import (
    BOUNDS,
    holds_words,
    stated,
    states,
    without_words,
)
from brimgen.frozen import dataclass
from brimgen.model.json import is_list, is_object

_KINDS = frozenset({"string", "integer", "number", "boolean", "null"})
_PLAIN_NAME = re.compile(r"[\w$-]+")
_SURE = 4
"""Levels of properties that every table has."""
_DEEPEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table: ``path`` is ``item.price`` or ``lines[].sku``, ``text`` the description
    with the limits in words. ``required`` and ``default`` (JSON text, or empty) are None where the
    table has no such column.
    """

    path: str
    type: str
    text: str
    required: bool | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class _Property:
    schema: Mapping[str, Any]
    whole: Mapping[str, Any]
    required: bool
    is_sure: bool


def argument_faults(schema: Any, rows: Sequence[Row]) -> Iterator[str]:
    """Yield where a table differs from the schema of the arguments."""
    yield from _faults(dict(_properties(schema, SchemaFile(schema), "", ())), rows)


def result_faults(schema: Any, rows: Sequence[Row]) -> Iterator[str]:
    """Yield where a table differs from the schema of a result, which may be a list."""
    inner = _inner(schema, SchemaFile(schema), "", ())
    yield from _faults(
        {path.removeprefix("."): declared for path, declared in inner}, rows
    )


def _faults(properties: Mapping[str, _Property], rows: Sequence[Row]) -> Iterator[str]:
    if any(
        not _PLAIN_NAME.fullmatch(part) for path in properties for part in _steps(path)
    ):
        return  # the path of such a name has more than one meaning
    listed = {row.path: row for row in rows}
    for path, declared in properties.items():
        if path not in listed:
            if declared.is_sure:
                yield f"leaves out `{path}`"
            continue
        for says in _row_faults(declared, listed[path]):
            yield f"says of `{path}` {says}"
    for path in listed:
        if path not in properties:
            yield f"has `{path}`, which the spec has not"


def _steps(path: str) -> list[str]:
    return [step for step in path.replace("[]", "").split(".") if step]


def _properties(
    schema: Any, home: SchemaFile, prefix: str, refs: tuple[str, ...]
) -> Iterator[tuple[str, _Property]]:
    named: Any = schema.get("properties", {}) if is_object(schema) else {}
    required = schema.get("required", ()) if is_object(schema) else ()
    for name, part in named.items():
        part = part if is_object(part) else {}
        whole, _ = home.follow(part)
        path = f"{prefix}{name}"
        is_sure = len(_steps(path)) <= _SURE and all(map(_is_named, refs))
        yield path, _Property(part, whole, name in required, is_sure)
        yield from _inner(part, home, path, refs)


def _inner(
    part: Any, home: SchemaFile, path: str, refs: tuple[str, ...]
) -> Iterator[tuple[str, _Property]]:
    """The properties below ``path``, to which the references ``refs`` lead."""
    ref = part.get("$ref")
    if isinstance(ref, str):
        if ref in refs:
            return
        refs, (part, _) = (*refs, ref), home.follow(part)
    if len(_steps(path)) > _DEEPEST or not is_object(part):
        return
    if is_object(part.get("items")):
        yield from _inner(part["items"], home, f"{path}[]", refs)
    yield from _properties(part, home, f"{path}.", refs)


def _is_named(ref: str) -> bool:
    """Whether a reference is to a schema that has a name of its own."""
    return ref.startswith("#/$defs/")


def _row_faults(declared: _Property, row: Row) -> Iterator[str]:
    schema, whole = declared.schema, declared.whole
    if row.required is not None and row.required is not declared.required:
        yield f"that it is {'required' if row.required else 'optional'}"
    if row.default is not None:
        default = _default_fault(whole, row.default)
        if default is not None:
            yield default
    kinds = _kinds(schema)
    words = {*re.findall(r"[a-z]+", re.sub(r"\([^)]*\)", " ", row.type))}
    if kinds and (not kinds <= words or (kinds <= _KINDS and words & _KINDS - kinds)):
        yield f"the type {row.type}; the spec says {' or '.join(sorted(kinds))}"
    yield from text_faults(whole, row.text)


def text_faults(schema: Mapping[str, Any], text: str) -> Iterator[str]:
    """Yield where the text of a property differs from its schema."""
    items = schema.get("items")
    parts = [schema, items] if is_object(items) else [schema]
    description = schema.get("description")
    if isinstance(description, str) and not holds_words(text, description):
        yield "something else than its description"
    for part in parts:
        for word in (*BOUNDS, "enum", "x-decimal"):
            if word in part and not states(text, word, part[word]):
                yield f"nothing of {word} {_json(part[word])}"
    own = without_words(text, description if isinstance(description, str) else None)
    for word in BOUNDS:
        if stated(own, word) and not any(word in part for part in parts):
            yield f"a {word}, which the spec has not"


def _default_fault(schema: Mapping[str, Any], text: str) -> str | None:
    if "default" not in schema:
        return f"the default {text}; the spec has none" if text else None
    wanted = schema["default"]
    try:
        found = json.loads(text) if text else None
    except ValueError:
        # A code span has no line ends, and no characters that nobody sees.
        return None if isinstance(wanted, str) else f"the default {text}"
    if not text and wanted is not None and wanted != "":
        return f"no default; the spec has {_json(wanted)}"
    if text and _json(found) != _json(wanted) and found != wanted:
        return f"the default {text}; the spec has {_json(wanted)}"
    return None


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    """The types that a schema names; empty if another keyword restricts the type, too."""
    kind = schema.get("type")
    if not {"$ref", "anyOf", "oneOf", "allOf", "enum", "const"}.isdisjoint(schema):
        return set()
    if isinstance(kind, str):
        return {kind}
    return {str(name) for name in kind} if is_list(kind) else set()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
