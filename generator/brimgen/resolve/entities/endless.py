"""Order entities by what they need, and report those of which no value ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, rules
from brimgen.frozen import dataclass
from brimgen.model.catalog import Entity
from brimgen.model.json import Json
from brimgen.model.types import EntityType, Field, ListType, RecordType, Type
from brimgen.schema.walk import Schema, references
from brimgen.source.nodes import MapNode
from brimgen_runtime.grammar.schema_parts import (
    at_pointer,
    has_inner_identifier,
    resolve_pointer,
    subschemas,
)


def order(needs: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the strongly connected groups of a graph, what is needed before what needs it.

    Members of a group are sorted; a group of one is recursive only if it needs itself.
    Iterative (Tarjan), because chains of specs may be longer than Python's stack.
    """
    walk = _Walk(needs)
    for name in sorted(needs):
        if name not in walk.index:
            walk.visit(name)
    return walk.groups


class _Walk:
    def __init__(self, needs: Mapping[str, Sequence[str]]) -> None:
        self.needs = needs
        self.index: dict[str, int] = {}
        self.low: dict[str, int] = {}
        self.open: dict[str, None] = {}
        self.groups: list[tuple[str, ...]] = []

    def visit(self, start: str) -> None:
        """Walk everything that ``start`` needs, and close the groups on the way back."""
        path = [self._enter(start)]
        while path:
            name, inner = path[-1]
            for needed in inner:
                if needed not in self.index:
                    path.append(self._enter(needed))
                    break
                if needed in self.open:
                    self.low[name] = min(self.low[name], self.index[needed])
            else:
                path.pop()
                if path:
                    outer = path[-1][0]
                    self.low[outer] = min(self.low[outer], self.low[name])
                if self.low[name] == self.index[name]:
                    self._close(name)

    def _enter(self, name: str) -> tuple[str, Iterator[str]]:
        self.index[name] = self.low[name] = len(self.index)
        self.open[name] = None
        return name, iter(self.needs.get(name, ()))

    def _close(self, name: str) -> None:
        group: list[str] = []
        while True:
            last, _ = self.open.popitem()
            group.append(last)
            if last == name:
                break
        self.groups.append(tuple(sorted(group)))


@dataclass(frozen=True, slots=True)
class _Step:
    """A required field, by its path in an entity, whose values contain a value of ``needed``."""

    path: str
    field: Field
    needed: str


def check_endless(
    entities: Mapping[str, Entity], used: Collection[str], diagnostics: Diagnostics
) -> None:
    """Report each circle of required fields at the field that closes it.

    ``used`` are the entities that tools read; circles of unused entities are not reported. A field
    that may be null or absent, and a list that may be empty, end a circle.
    """
    steps = {
        name: tuple(_steps(entity.fields, ""))
        for name, entity in sorted(entities.items())
        if entity.recursive
    }
    visited: set[str] = set()
    for start in steps:
        if start not in visited:
            for circle in _circles(start, steps, visited):
                if circle[-1].needed in used:
                    _report_circle(circle, diagnostics)


def _steps(fields: tuple[Field, ...], before: str) -> Iterator[_Step]:
    for field in fields:
        if field.required:
            yield from _required_parts(
                field.type, field.schema, field, before + field.name
            )


def _required_parts(
    kind: Type, schema: Json, field: Field, path: str
) -> Iterator[_Step]:
    """Yield the entities that every value of a type contains."""
    match kind:
        case EntityType(name):
            yield _Step(path, field, name)
        case RecordType(_, fields):
            yield from _steps(fields, f"{path}.")
        case ListType(item) if isinstance(schema, dict) and _has_items(schema):
            yield from _required_parts(item, schema.get("items"), field, path)
        case _:
            pass


def _has_items(schema: Mapping[str, Json]) -> bool:
    """Whether a list has an item for certain, and ``items`` says what it is."""
    low = schema.get("minItems")
    return isinstance(low, int) and low > 0 and "prefixItems" not in schema


def _circles(
    start: str, steps: Mapping[str, tuple[_Step, ...]], visited: set[str]
) -> Iterator[list[_Step]]:
    """The circles that are met on the way from ``start``; iterative, as chains may be long."""
    names, pending = [start], [iter(steps[start])]
    trail: list[_Step] = []
    while pending:
        step = next(pending[-1], None)
        if step is None:
            pending.pop()
            visited.add(names.pop())
            del trail[-1:]
        elif step.needed in names:
            yield [*trail[names.index(step.needed) :], step]
        elif step.needed in steps and step.needed not in visited:
            names.append(step.needed)
            trail.append(step)
            pending.append(iter(steps[step.needed]))


def _report_circle(circle: list[_Step], diagnostics: Diagnostics) -> None:
    *earlier, last = circle
    diagnostics.add(
        rules.ENDLESS_ENTITY,
        last.field.span,
        notes=[Note(step.field.span, f"`{step.needed}` is needed") for step in earlier],
        name=last.needed,
        path=".".join(step.path for step in circle),
    )


def check_endless_schema(
    document: Schema, root: MapNode, diagnostics: Diagnostics, *, is_entity: bool
) -> None:
    """Report each circle of required properties in a schema at the `$ref` that closes it.

    ``root`` is the author's text. A circle of entities, of which ``document`` may be one, is
    reported where the entities are used.
    """
    starts = [subschema for subschema in subschemas(document) if "$ref" in subschema]
    if not starts or has_inner_identifier(document):
        return
    visited: set[int] = set()
    path: dict[int, tuple[Schema, str]] = {}
    stack: list[tuple[Json, str, bool]] = [
        (start, "", False) for start in reversed(starts)
    ]
    while stack:
        schema, name, leaving = stack.pop()
        if not isinstance(schema, dict) or id(schema) in visited:
            continue
        if leaving:
            path.pop(id(schema))
            visited.add(id(schema))
        elif id(schema) in path:
            within = [*path.values()]
            start = next(
                n for n, (open_schema, _) in enumerate(within) if open_schema is schema
            )
            if not (
                is_entity
                and any(open_schema is document for open_schema, _ in within[start:])
            ):
                _report_schema_circle(
                    [*within[start:], (schema, name)], document, root, diagnostics
                )
        else:
            path[id(schema)] = schema, name
            stack.append((schema, name, True))
            stack += [
                (inner, label, False) for label, inner in _needed(schema, document)
            ]


def _needed(schema: Schema, root: Schema) -> Iterator[tuple[str, Json]]:
    """Yield the schemas of a value, and those of the parts that it must have, with their names."""
    ref, all_of = schema.get("$ref"), schema.get("allOf")
    if isinstance(ref, str):
        yield "", resolve_pointer(root, ref)
    if isinstance(all_of, list):
        yield from (("", part) for part in all_of)
    required, properties = schema.get("required"), schema.get("properties")
    is_object = schema is root or schema.get("type") == "object"
    if is_object and isinstance(required, list) and isinstance(properties, dict):
        for name in required:
            yield str(name), properties.get(str(name))
    if schema.get("type") == "array" and _has_items(schema):
        yield "", schema.get("items")


def _report_schema_circle(
    circle: list[tuple[Schema, str]],
    document: Schema,
    root: MapNode,
    diagnostics: Diagnostics,
) -> None:
    refs = [schema for schema, _ in circle if "$ref" in schema]
    path = ".".join(name for _, name in circle[1:] if name)
    for pointer, ref in references(root):
        if at_pointer(document, pointer) is refs[-1]:
            name = str(refs[-1]["$ref"])
            diagnostics.add(
                rules.ENDLESS_ENTITY, ref.span, name=name, path=path or "item"
            )
            return
