"""Read the parts of schemas that generators of instances need: types, numbers, joined keywords."""

from __future__ import annotations

import marshal
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from brimgen.model.json import is_list, is_object
from brimgen.schema.walk import BY_TYPE
from brimgen_runtime.schema.json_pointer import escape_step, steps_of

_INDEX = re.compile(r"[0-9]{1,9}")
"""A place in a list, as a pointer says it."""

BRANCHES = ("anyOf", "oneOf")
"""Keywords with schemas of which one will do."""

_LARGE = (2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(2**63) - 1, 1e300, 5e-324)


def objects_in(schema: Any) -> Iterator[dict[str, Any]]:
    """Every object in a JSON value, the value itself among them."""
    stack = [schema]
    while stack:
        value = stack.pop()
        if is_object(value):
            yield value
            stack.extend(value.values())
        elif is_list(value):
            stack.extend(value)


def place_of(pointer: str, instance: Any) -> list[str | int]:
    """The place that a JSON Pointer leads to, with indices as numbers."""
    place: list[str | int] = []
    value = instance
    for name in steps_of(pointer):
        if is_list(value) and _INDEX.fullmatch(name):
            place.append(int(name))
            value = value[int(name)] if int(name) < len(value) else None
        else:
            place.append(name)
            value = value.get(name) if is_object(value) else None
    return place


def pointer_of(place: Iterable[str | int]) -> str:
    """The JSON Pointer of a place."""
    return "".join(f"/{escape_step(str(step))}" for step in place)


def nulls_in(
    value: Any, place: tuple[str | int, ...] = ()
) -> Iterator[tuple[str | int, ...]]:
    """The places of the nulls in a JSON value."""
    if value is None:
        yield place
    elif is_object(value):
        for name, member in value.items():
            yield from nulls_in(member, (*place, name))
    elif is_list(value):
        for number, item in enumerate(value):
            yield from nulls_in(item, (*place, number))


def joined(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Roughly what all of the schemas say: of a keyword the last, of names all."""
    merged: dict[str, Any] = {}
    for schema in schemas:
        merged.update(schema)
    for word in ("properties", "patternProperties", "dependentSchemas"):
        groups = [schema[word] for schema in schemas if is_object(schema.get(word))]
        if len(groups) > 1:
            merged[word] = {
                name: _merged(name, groups) for group in groups for name in group
            }
    needed = [name for schema in schemas for name in schema.get("required", ())]
    if needed:
        merged["required"] = [*dict.fromkeys(needed)]
    return merged


def _merged(name: str, groups: Iterable[Mapping[str, Any]]) -> Any:
    schemas = [group[name] for group in groups if name in group]
    if False in schemas:
        return False
    objects = [schema for schema in schemas if is_object(schema)]
    return joined(objects) if objects else True


def types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The types that a schema names or, where it names none, speaks of."""
    named = schema.get("type")
    if isinstance(named, str):
        return (named,)
    if named is not None:
        return tuple(named)
    return tuple(
        kind for kind, words in BY_TYPE.items() if not words.isdisjoint(schema)
    )


def numbers(schema: Mapping[str, Any], kind: str) -> Iterator[Any]:
    """Numbers on both sides of each bound, multiples and others, and very large ones."""
    step = schema.get("multipleOf", 1)
    bounds = [
        schema[word]
        for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        if word in schema
    ]
    yield from (step, *bounds, 0, 1, -1)
    for bound in bounds:
        yield from (bound + step, bound - step, bound + 1, bound - 1)
        if kind == "number":
            yield from (bound + 0.5, bound - 0.5)
    yield from (step * 7, step + 0.25, *_LARGE)


def distinct(values: Iterable[Any]) -> Iterator[Any]:
    """Each value once; 1, 1.0 and true are three."""
    seen: set[bytes] = set()
    for value in values:
        key = marshal.dumps(value, 0)
        if key not in seen:
            seen.add(key)
            yield value


def in_turns(sources: Sequence[Iterator[Any]]) -> Iterator[Any]:
    """One value of each, then the next of each, until none has any left."""
    iterators = [*sources]
    while iterators:
        unfinished: list[Iterator[Any]] = []
        for iterator in iterators:
            for value in iterator:
                yield value
                unfinished.append(iterator)
                break
        iterators = unfinished
