"""Find the parts in which two schemas differ, with references followed on both sides."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from posixpath import dirname, join, normpath
from typing import Any

from brimgen.agreement.schema_parts import at_pointer
from brimgen.frozen import dataclass, field
from brimgen.model.json import is_list, is_object

_BY_NAME = frozenset({"properties", "patternProperties", "dependentSchemas"})
_APART = frozenset({"$defs", "definitions", "$schema", "$id", "$anchor"})
"""Keywords that say nothing of a value by themselves."""
_LONGEST = 60
_MOST_STEPS = 20
_MISSING = object()


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """A JSON document with schemas: its ``path`` among all ``files``, and what it holds."""

    whole: Any
    path: str = ""
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    def follow(self, schema: Any) -> tuple[Any, SchemaFile]:
        """A schema with what its reference leads to, and the file that this is in."""
        home, seen = self, set[str]()
        while is_object(schema) and isinstance(schema.get("$ref"), str):
            ref = schema["$ref"]
            if ref in seen:
                break
            seen.add(ref)
            target, home = home._target(ref)
            if not is_object(target):
                break
            schema = _joined(target, schema)
        return schema, home

    def texts(self, schema: Any) -> Iterator[str]:
        """The descriptions of a schema, beside null or alone, and of what it refers to."""
        home, part, left = self, schema, _MOST_STEPS
        while is_object(part) and left:
            left -= 1
            if isinstance(part.get("description"), str):
                yield part["description"]
            options = part.get("anyOf")
            if is_list(options):
                non_null = [option for option in options if option != {"type": "null"}]
                part = non_null[0] if len(non_null) == 1 else None
            elif isinstance(part.get("$ref"), str):
                part, home = home._target(part["$ref"])
            else:
                return

    def _target(self, ref: str) -> tuple[Any, SchemaFile]:
        place, _, pointer = ref.partition("#")
        if not place:
            return at_pointer(self.whole, pointer), self
        path = normpath(join(dirname(self.path), place))
        try:
            whole = json.loads(self.files[path])
        except (KeyError, ValueError):
            return None, self
        return at_pointer(whole, pointer), SchemaFile(whole, path, self.files)


def _joined(target: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema and what its reference leads to, as one: both hold (JSON Schema, core, 8.2.3.1)."""
    own = {
        word: value
        for word, value in schema.items()
        if word != "$ref" and not (value == {} and word in target)
    }
    for word, combine in (("properties", _joined_objects), ("required", _joined_names)):
        if word in target and word in own:
            own[word] = combine(target[word], own[word])
    if _is_closed(target) and is_object(own.get("properties")):
        named = target.get("properties", {})
        own["properties"] = {
            name: part if name in named else False
            for name, part in own["properties"].items()
        }
    return {**target, **own}


def _is_closed(schema: Mapping[str, Any]) -> bool:
    extra = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    return extra is False and "patternProperties" not in schema


def _joined_objects(target: Any, own: Any) -> Any:
    return {**target, **own} if is_object(target) and is_object(own) else own


def _joined_names(target: Any, own: Any) -> Any:
    return [*target, *own] if is_list(target) and is_list(own) else own


def schema_differences(
    wanted: Any,
    wanted_in: SchemaFile,
    found: Any,
    found_in: SchemaFile,
    *,
    by: str = "the spec",
) -> Iterator[tuple[str, str]]:
    """Yield each place (``item.price``) where ``found`` is not ``wanted``, and how it differs.

    ``by`` is what ``wanted`` is called.
    """
    yield from _Comparison(by).parts(wanted, wanted_in, found, found_in, "")


class _Comparison:
    def __init__(self, by: str) -> None:
        self._by = by
        self._seen: set[tuple[int, int]] = set()
        # The merged schemas live as long as their ids are compared.
        self._kept: list[Any] = []

    def parts(
        self,
        wanted: Any,
        wanted_in: SchemaFile,
        found: Any,
        found_in: SchemaFile,
        place: str,
    ) -> Iterator[tuple[str, str]]:
        """Yield what differs at ``place`` and below it."""
        if not (is_object(wanted) and is_object(found)):
            if wanted != found:
                yield place, self._difference("schema", found, wanted)
            return
        key = id(wanted), id(found)
        if key in self._seen:
            return
        self._seen.add(key)
        self._kept += (wanted, found)
        wanted, wanted_in = wanted_in.follow(wanted)
        found, found_in = found_in.follow(found)
        both = wanted_in, found_in
        for word in dict.fromkeys((*wanted, *found)):
            if word not in _APART:
                wanted_value, found_value = wanted.get(word, _MISSING), found.get(
                    word, _MISSING
                )
                yield from self._keyword(word, wanted_value, found_value, both, place)

    def _keyword(
        self,
        word: str,
        wanted: Any,
        found: Any,
        both: tuple[SchemaFile, SchemaFile],
        place: str,
    ) -> Iterator[tuple[str, str]]:
        if word in _BY_NAME and is_object(wanted) and is_object(found):
            for name in dict.fromkeys((*wanted, *found)):
                inner = f"{place}.{name}" if place else name
                if name not in found:
                    yield inner, "is missing"
                elif name not in wanted:
                    yield inner, f"is not in {self._by}"
                else:
                    yield from self.parts(
                        wanted[name], both[0], found[name], both[1], inner
                    )
        elif word == "items" and is_object(wanted) and is_object(found):
            yield from self.parts(wanted, both[0], found, both[1], f"{place}[]")
        elif word == "required" and is_list(wanted) and is_list(found):
            for name in sorted({*map(str, wanted)} ^ {*map(str, found)}):
                inner = f"{place}.{name}" if place else name
                difference = "is required" if name in found else "is not required"
                yield inner, f"{difference}, unlike in {self._by}"
        elif _plain(wanted, both[0]) != _plain(found, both[1]):
            yield place, self._difference(word, found, wanted)

    def _difference(self, word: str, found: Any, wanted: Any) -> str:
        return f"has {word} {_shown(found)}; {self._by} has {_shown(wanted)}"


def _plain(value: Any, home: SchemaFile, depth: int = 0) -> Any:
    """A value with its references followed, a few levels deep."""
    if is_list(value):
        return [_plain(item, home, depth) for item in value]
    if not is_object(value):
        # 1 and true are one to Python.
        return (type(value) is bool, value)
    value, home = home.follow(value)
    if depth > 8:
        return None
    return {
        word: _plain(inner, home, depth + 1)
        for word, inner in value.items()
        if word not in _APART
    }


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "nowhere"
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
