"""List the properties of a schema as table rows, nested ones after the outer one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from brimgen.emit.indented import json_line
from brimgen.emit.projection.describe_keywords import phrase
from brimgen.emit.projection.json_types import types_of
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject, is_list
from brimgen.model.leaves import LEAF
from brimgen.schema.walk import is_object
from brimgen_runtime.schema.json_pointer import steps_of

_PLACES = ("$defs", "definitions")
_SAID_ELSEWHERE = frozenset({"default", "description", "examples", "format", "title"})
_DEEPEST = 8
_MOST = 2_000
"""Properties beyond which no further objects are expanded: entities in entities multiply."""


@dataclass(frozen=True, slots=True)
class Row:
    """One property: ``parent`` and ``name`` make its path, ``center.latitude`` or ``lines[].sku``.

    ``default`` is JSON text, empty if there is none; ``limits`` are its constraints in words.
    """

    parent: str
    name: str
    type: str
    required: bool
    default: str
    description: Json
    limits: tuple[str, ...]

    @property
    def path(self) -> str:
        """The path from the root of the schema."""
        return f"{self.parent}{self.name}"


def rows(schema: JsonObject) -> Iterator[Row]:
    """Return the properties of ``schema``; recursive ones are expanded once."""
    return _Walk(schema).properties(schema, "", ())


def type_words(schema: JsonObject, root: JsonObject) -> str:
    """Describe the JSON type of ``schema`` in words: ``array of string (date)``, ``integer or
    null``.
    """
    return _Walk(root).type(schema)


def limits_in_words(schema: JsonObject, root: JsonObject) -> tuple[str, ...]:
    """Describe the constraints of a value that is not null, and of its items or values: ``at most
    5 items``.
    """
    return tuple(dict.fromkeys(_Walk(root).limits(schema, ())))


class _Walk:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._open: list[str] = []
        self._rows = 0

    def properties(
        self, schema: JsonObject, prefix: str, within: tuple[str, ...]
    ) -> Iterator[Row]:
        named = schema.get("properties")
        required = schema.get("required", ())
        if not is_object(named) or len(within) > _DEEPEST or self._rows > _MOST:
            return
        self._rows += len(named)
        for name, part in named.items():
            inner: JsonObject = part if is_object(part) else {}
            is_required = isinstance(required, list | tuple) and name in required
            yield self._row(prefix, name, inner, is_required)
            yield from self._inner(f"{prefix}{name}", inner, within)

    def type(self, schema: JsonObject) -> str:
        """Describe the type in words."""
        reference = _reference(schema)
        if reference is not None:
            return _name(reference) or self._type_of_target(reference, schema)
        for word in ("anyOf", "oneOf"):
            branches = schema.get(word)
            if not isinstance(branches, list | tuple):
                continue
            objects = [branch for branch in branches if is_object(branch)]
            if sum("properties" in branch for branch in objects) > 1:
                return f"one of {len(objects)} objects"
            if "type" not in schema or all(map(_reference, objects)):
                options = [self.type(branch) for branch in objects]
                return " or ".join(dict.fromkeys(options)) or "any"
        kinds = types_of(schema)[0]
        return " or ".join(self._kind(kind, schema) for kind in kinds) or "any"

    def _type_of_target(self, reference: str, schema: JsonObject) -> str:
        if reference in self._open:
            return "any"
        self._open.append(reference)
        words = self.type(self._target(schema))
        self._open.pop()
        return words

    def _kind(self, kind: str, schema: JsonObject) -> str:
        items, values = schema.get("items"), schema.get("additionalProperties")
        if kind == "array" and is_object(items):
            inner = self.type(items)
            return f"array of ({inner})" if " or " in inner else f"array of {inner}"
        if kind == "object" and "properties" not in schema and is_object(values):
            return f"object of {self.type(values)}"
        form = schema.get("format", schema.get(LEAF))
        return f"string ({form})" if kind == "string" and form is not None else kind

    def limits(self, schema: JsonObject, within: tuple[str, ...]) -> Iterator[str]:
        """Describe the constraints of a schema and of what it holds, but not of properties."""
        reference = _reference(schema)
        if reference is not None:
            if reference in within:
                return
            within = (*within, reference)
            schema = {**self._target(schema), **schema}
        yield from _phrases(schema)
        is_map = "properties" not in schema
        values = schema.get("additionalProperties") if is_map else None
        for inner in (beside_null(schema), schema.get("items"), values):
            if is_object(inner):
                yield from self.limits(inner, within)

    def _row(self, parent: str, name: str, schema: JsonObject, required: bool) -> Row:
        whole = {**self._target(schema), **schema}
        inner = beside_null(whole) or {}
        whole = {**self._target(inner), **inner, **whole}
        default = json_line(whole["default"]) if "default" in whole else ""
        description = whole.get("description")
        limits, kind = limits_in_words(schema, self._root), self.type(schema)
        return Row(parent, name, kind, required, default, description, limits)

    def _inner(
        self, path: str, schema: JsonObject, within: tuple[str, ...]
    ) -> Iterator[Row]:
        reference = _reference(schema)
        if reference is not None:
            if reference in within:
                return
            within = (*within, reference)
            schema = self._target(schema)
        other = beside_null(schema)
        if other is not None:
            yield from self._inner(path, other, within)
        items = schema.get("items")
        if is_object(items):
            yield from self._inner(f"{path}[]", items, within)
        yield from self.properties(schema, f"{path}.", (*within, path))

    def _target(self, schema: JsonObject) -> JsonObject:
        """Return what a reference leads to; empty without one."""
        reference = _reference(schema)
        target: Json = None if reference is None else self._root
        for step in steps_of(reference or ""):
            if is_list(target) and step.isdecimal():
                target = target[int(step)] if int(step) < len(target) else None
            else:
                target = target.get(step) if is_object(target) else None
        return {**self._target(target), **target} if is_object(target) else {}


def beside_null(schema: JsonObject) -> JsonObject | None:
    """Return the one schema of a value that is not null, if null stands beside it."""
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if not isinstance(branches, list | tuple):
            continue
        others = [
            each for each in branches if is_object(each) and each.get("type") != "null"
        ]
        if len(others) == 1 < len(branches):
            return others[0]
    return None


def _reference(schema: JsonObject) -> str | None:
    """Return the pointer that ``schema`` refers to, if it does."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/"):
        return unquote(reference.removeprefix("#"))
    return None


def _name(pointer: str) -> str | None:
    """Return the name of the schema at a pointer, if it stands among definitions."""
    place, *names = steps_of(pointer)
    return names[0] if place in _PLACES and len(names) == 1 else None


def _phrases(schema: Mapping[str, Json]) -> Iterator[str]:
    for keyword, value in schema.items():
        words = None if keyword in _SAID_ELSEWHERE else phrase(keyword, value)
        if words is not None:
            yield words
