"""Read the types of a TypeScript file, as far as generated ones go, and hold them to schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.same_schema import SchemaFile
from brimgen.frozen import dataclass, field
from brimgen.model.json import is_list, is_object

_DECLARED = re.compile(r"^export type (\w+) = ", re.MULTILINE)
_TOKEN = re.compile(
    r'/\*\*.*?\*/|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[\w$]+|[^\s]', re.DOTALL
)
_WORDS = {
    "string": {"string"},
    "integer": {"number"},
    "number": {"number"},
    "boolean": {"boolean"},
    "null": {"null"},
}
_DEEPEST = 8


class Unread(Exception):
    """A type that is written in a way that is not known here."""


@dataclass(frozen=True, slots=True)
class Member:
    """A property of an object type: ``note`` is the comment before it."""

    type: Shape
    is_optional: bool
    note: str


@dataclass(slots=True)
class Shape:
    """A type: the ``names`` and ``values`` of a union, its objects and its lists."""

    names: set[str] = field(default_factory=set[str])
    values: list[Any] = field(default_factory=list[Any])
    objects: list[dict[str, Member]] = field(default_factory=list[dict[str, Member]])
    items: list[Shape] = field(default_factory=list["Shape"])


def declared_types(text: str) -> dict[str, Shape]:
    """The types that a file exports, by name; without those that cannot be read."""
    types: dict[str, Shape] = {}
    for match in _DECLARED.finditer(text):
        try:
            types[match[1]] = _Reader(text[match.end() :]).union()
        except (Unread, ValueError):
            continue
    return types


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = (match[0] for match in _TOKEN.finditer(text))
        self._next = next(self._tokens, "")

    def _take(self, expected: str | None = None) -> str:
        token = self._next
        if expected is not None and token != expected:
            raise Unread
        self._next = next(self._tokens, "")
        return token

    def union(self) -> Shape:
        """Read the options of a union."""
        shape = Shape()
        while True:
            self._option(shape)
            if self._next != "|":
                return shape
            self._take()

    def _option(self, shape: Shape) -> None:
        option = Shape()
        token = self._take()
        if token == "{":
            option.objects.append(self._members())
        elif token == "Array":
            self._take("<")
            option.items.append(self.union())
            self._take(">")
        elif token in ("true", "false") or token[:1] in '"-0123456789':
            option.values.append(json.loads(token))
        elif token.isidentifier():
            option.names.add(token)
        else:
            raise Unread
        while self._next == "[":
            self._take()
            self._take("]")
            option = Shape(items=[option])
        shape.names |= option.names
        shape.values += option.values
        shape.objects += option.objects
        shape.items += option.items

    def _members(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        note = ""
        while self._next != "}":
            if self._next.startswith("/**"):
                note = self._take()
                continue
            name = self._take()
            if name == "[":  # further properties
                while self._take() != "]":
                    continue
                name = "[]"
            elif name.startswith('"'):
                name = json.loads(name)
            is_optional = self._next == "?"
            if is_optional:
                self._take()
            self._take(":")
            members[name] = Member(self.union(), is_optional, note)
            note = ""
            if self._next == ";":
                self._take()
        self._take("}")
        return members


def type_faults(
    shape: Shape, schema: Any, types: Mapping[str, Shape]
) -> Iterator[tuple[str, str]]:
    """Yield each place where a type is not that of ``schema``, and how it differs."""
    yield from _faults(shape, schema, SchemaFile(schema), types, "")


def _faults(
    shape: Shape, schema: Any, home: SchemaFile, types: Mapping[str, Shape], place: str
) -> Iterator[tuple[str, str]]:
    schema, home = home.follow(schema)
    if not is_object(schema) or place.count(".") + place.count("[]") > _DEEPEST:
        return
    if not {"anyOf", "oneOf", "allOf", "not", "if"}.isdisjoint(schema):
        return
    shape = _named(shape, types)
    if "unknown" in shape.names:
        return
    if is_list(schema.get("enum")):
        wanted, found = [*map(_json, schema["enum"])], [*map(_json, shape.values)]
        found += ["null"] if "null" in shape.names else []
        if shape.values and sorted(wanted) != sorted(found):
            difference = f"has the values {', '.join(found)}"
            yield place, f"{difference}; the spec has {', '.join(wanted)}"
        return
    yield from _kind_faults(shape, schema, place)
    if len(shape.items) == 1 and is_object(schema.get("items")):
        yield from _faults(shape.items[0], schema["items"], home, types, f"{place}[]")
    if len(shape.objects) == 1 and "properties" in schema:
        yield from _member_faults(shape.objects[0], schema, home, types, place)


def _named(shape: Shape, types: Mapping[str, Shape]) -> Shape:
    """A type with what its names stand for."""
    for _ in range(_DEEPEST):
        names = shape.names & types.keys()
        if not names:
            break
        resolved = Shape(
            names=shape.names - names,
            values=[*shape.values],
            objects=[*shape.objects],
            items=[*shape.items],
        )
        for name in sorted(names):
            resolved.names |= types[name].names
            resolved.values += types[name].values
            resolved.objects += types[name].objects
            resolved.items += types[name].items
        shape = resolved
    return shape


def _kind_faults(
    shape: Shape, schema: Mapping[str, Any], place: str
) -> Iterator[tuple[str, str]]:
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else kind if is_list(kind) else []
    if not kinds or "const" in schema or shape.values:
        return
    wanted = set[str]()
    for name in kinds:
        wanted |= _WORDS.get(name, set())
    found = shape.names & {"string", "number", "boolean", "null"}
    is_like = found == wanted
    is_like &= ("array" in kinds) == bool(shape.items)
    is_like &= ("object" in kinds) == bool(shape.objects)
    if not is_like:
        own = [*sorted(found), *["a list"] * len(shape.items)]
        own += ["an object"] * len(shape.objects)
        yield place, f"is {' or '.join(own)}; the spec says {' or '.join(kinds)}"


def _member_faults(
    members: Mapping[str, Member],
    schema: Mapping[str, Any],
    home: SchemaFile,
    types: Mapping[str, Shape],
    place: str,
) -> Iterator[tuple[str, str]]:
    properties, required = schema["properties"], schema.get("required", ())
    for name, part in properties.items():
        inner = f"{place}.{name}" if place else name
        member = members.get(name)
        if member is None:
            if part is not False and (set(members) != {"[]"} or not properties):
                yield inner, "is missing"
            continue
        if member.is_optional is (name in required):
            difference = "is optional" if member.is_optional else "is required"
            yield inner, f"{difference}, unlike in the spec"
        whole, _ = home.follow(part)
        if name not in required:
            yield from _note_faults(member, whole, inner)
        yield from _faults(member.type, part, home, types, inner)
    for name in members:
        if name not in properties and name != "[]":
            yield f"{place}.{name}" if place else name, "is not in the spec"


def _note_faults(member: Member, schema: Any, place: str) -> Iterator[tuple[str, str]]:
    if not is_object(schema):
        return
    match = re.search(r"@default (.*?)\s*(?:\*/|\n)", member.note)
    default = schema.get("default")
    if default is None or isinstance(default, float):
        return
    if match is None:
        yield place, f"has no default; the spec has {_json(default)}"
        return
    try:
        value = json.loads(match[1].replace("*\\/", "*/"))
    except ValueError:
        return
    if value != default:
        yield place, f"has the default {match[1]}; the spec has {_json(default)}"


def _json(value: Any) -> str:
    """A value as TypeScript writes it, where 9.0 is 9."""
    is_whole = isinstance(value, float) and value.is_integer()
    return json.dumps(int(value) if is_whole else value, ensure_ascii=False)
