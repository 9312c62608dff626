"""Endless: entities in; the circles of required fields that no value can close, reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from brimgen.diagnostics import Diagnostics, Note
from brimgen.diagnostics.rules import resolve_fields as rules
from brimgen.frozen import dataclass
from brimgen.model.catalog import Entity
from brimgen.model.fields import Field
from brimgen.model.json import Json
from brimgen.model.types import EntityType, ListType, RecordType, Type


@dataclass(frozen=True, slots=True)
class _Step:
    """A field of an entity, by its path, that cannot be without a value of ``needed``."""

    path: str
    field: Field
    needed: str


def check_endless(
    entities: Mapping[str, Entity], used: Collection[str], found: Diagnostics
) -> None:
    """Report each circle of required fields at the field that closes it.

    ``used`` are the entities that tools read: what is used nowhere may wait for its end. A field
    that may be null or absent, and a list that may be empty, end a circle.
    """
    steps = {
        name: tuple(_steps(each.fields, ""))
        for name, each in sorted(entities.items())
        if each.recursive
    }
    done: set[str] = set()
    for start in steps:
        if start not in done:
            for circle in _circles(start, steps, done):
                if circle[-1].needed in used:
                    _tell(circle, found)


def _steps(fields: tuple[Field, ...], before: str) -> Iterator[_Step]:
    for each in fields:
        if each.required:
            yield from _within(each.type, each.schema, each, before + each.name)


def _within(kind: Type, schema: Json, field: Field, path: str) -> Iterator[_Step]:
    """What a value of a type cannot be without; a type of other kinds has an end."""
    match kind:
        case EntityType(name):
            yield _Step(path, field, name)
        case RecordType(_, fields):
            yield from _steps(fields, f"{path}.")
        case ListType(item) if isinstance(schema, dict) and _has_items(schema):
            yield from _within(item, schema.get("items"), field, path)
        case _:
            pass


def _has_items(schema: Mapping[str, Json]) -> bool:
    """Whether a list has an item for certain, and ``items`` says what it is."""
    low = schema.get("minItems")
    return isinstance(low, int) and low > 0 and "prefixItems" not in schema


def _circles(
    start: str, steps: Mapping[str, tuple[_Step, ...]], done: set[str]
) -> Iterator[list[_Step]]:
    """The circles that are met on the way from ``start``; iterative, as chains may be long."""
    names, pending = [start], [iter(steps[start])]
    trail: list[_Step] = []
    while pending:
        step = next(pending[-1], None)
        if step is None:
            pending.pop()
            done.add(names.pop())
            del trail[-1:]
        elif step.needed in names:
            yield [*trail[names.index(step.needed) :], step]
        elif step.needed in steps and step.needed not in done:
            names.append(step.needed)
            trail.append(step)
            pending.append(iter(steps[step.needed]))


def _tell(circle: list[_Step], found: Diagnostics) -> None:
    *others, last = circle
    found.add(
        rules.ENDLESS_ENTITY,
        last.field.span,
        notes=[Note(each.field.span, f"`{each.needed}` is needed") for each in others],
        name=last.needed,
        path=".".join(each.path for each in circle),
    )
