"""Check a JSON Schema against the rules of specs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from ..grammar.keywords import dialect_of, is_required_flag, keyword_faults
from ..grammar.rule_messages import Mistake
from ..grammar.schema_parts import (
    DRAFT_2020_12,
    LISTS,
    MAPS,
    SINGLE,
    Schema,
    close,
    find_loop,
    has_inner_identifier,
    is_object,
    resolve_pointer,
    subschemas,
    undeclared_names,
)
from ..schema.json_pointer import escape_step
from ..schema.json_values import is_list
from .errors import Fault


def schema_faults(schema: Schema, at: str, *, is_input: bool) -> list[Fault]:
    """Return every rule that a schema breaks; the root of an input must be an object.

    ``at`` is the name of the schema: the places of faults begin with it.
    """
    dialect = dialect_of(schema.get("$schema", DRAFT_2020_12))
    if isinstance(dialect, Mistake):
        return [Fault.of(dialect, at)]
    faults = list(_keyword_faults(schema, at, dialect))
    if not faults:
        faults = [Fault.of(mistake, at) for mistake in _reference_mistakes(schema)]
    if not faults and is_input:
        faults = [Fault.of(mistake, at) for mistake in _root_mistakes(schema)]
    return faults


def _keyword_faults(schema: Schema, at: str, dialect: str) -> Iterator[Fault]:
    for pointer, subschema in _walk(schema):
        for keyword, value in subschema.items():
            if is_required_flag(keyword, value, pointer):
                values = {"value": "true" if value else "false"}
                yield Fault.of(
                    Mistake("required-of-property", values), f"{at}{pointer}"
                )
                continue
            for fault in keyword_faults(keyword, value, dialect):
                place = [keyword, *map(str, fault.path)]
                below = "".join(f"/{escape_step(step)}" for step in place)
                yield Fault.of(fault.mistake, f"{at}{pointer}{below}")


def _walk(root: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield every schema object with its JSON Pointer, parents first."""
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting:
        pointer, schema = waiting.pop()
        if not is_object(schema):
            continue
        yield pointer, schema
        inner: list[tuple[str, Any]] = []
        for key, value in schema.items():
            below = f"{pointer}/{escape_step(key)}"
            if is_object(value) and key in SINGLE:
                inner.append((below, value))
            elif is_list(value) and key in LISTS:
                inner += [(f"{below}/{i}", part) for i, part in enumerate(value)]
            elif is_object(value) and key in MAPS:
                inner += [(f"{below}/{escape_step(k)}", v) for k, v in value.items()]
        waiting += reversed(inner)


def _reference_mistakes(root: Schema) -> Iterator[Mistake]:
    is_one_document = not has_inner_identifier(root)
    for schema in subschemas(root):
        if "$dynamicRef" in schema:
            yield Mistake(
                "dynamic-ref", {"keyword": "$dynamicRef", "ref": schema["$dynamicRef"]}
            )
        ref = schema.get("$ref")
        if isinstance(ref, str) and is_one_document:
            parts = urlsplit(ref)
            if parts.scheme or parts.netloc or parts.path:
                yield Mistake("remote-ref", {"ref": ref})
            elif resolve_pointer(root, ref) is None:
                yield Mistake("dangling-ref", {"ref": ref})
    loop = find_loop(root)
    if loop is not None:
        yield Mistake("ref-loop", {"ref": loop})


def _root_mistakes(schema: Schema) -> Iterator[Mistake]:
    kind = schema.get("type", "object")
    names = kind if is_list(kind) else [kind]
    if "object" not in names:
        yield Mistake("root-not-object", {"type": ", ".join(map(str, names))})
        return
    closed = close({"properties": {}, **schema})
    for name in undeclared_names(closed):
        yield Mistake("required-not-declared", {"name": name})
