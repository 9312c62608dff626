"""Instances: a JSON Schema in; values that it admits, and values at every edge of it, out.

An instance is only a question: whether it is right, the artifacts are asked. So nothing here need
be exact, but all of it is the same in every run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias
from urllib.parse import unquote

from brimgen.agreement.texts import admitted, at_the_edges
from brimgen.model.json import is_list, is_object

Judge: TypeAlias = Callable[[Mapping[str, Any], Any], bool]
"""Whether a schema, which may refer to the definitions of the whole, admits a value."""

MOST = 2_000
"""Instances of one schema; what is beyond is cut, and told."""

_DEEPEST = 6
_MEMBERS = 24
_KINDS: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, 3.0, "x", "", [], [1], {})
_LARGE = (2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(2**63) - 1, 1e300, 5e-324)
_BRANCHES = ("anyOf", "oneOf", "allOf")
_EXTRA = "no_such_property"


def at_pointer(whole: Any, pointer: str) -> Any:
    """What a JSON Pointer leads to; None where that is in a document embedded by its ``$id``."""
    found = whole
    for step in pointer.split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        if is_list(found) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        elif is_object(found):
            found = found.get(name)
        else:
            return None
    return found


class NoValue(Exception):
    """No value is known that the schema admits: its author could give one as an example."""


class Instances:
    """Makes the instances of one schema; ``judge`` is asked what parts of it admit."""

    def __init__(self, schema: Mapping[str, Any], judge: Judge) -> None:
        self._whole, self._judge = schema, judge

    def edges(self) -> list[Any]:
        """Values at the edges of the schema, each once, `MOST` at most.

        Raises `NoValue` if no value is known that is right as a whole.
        """
        return [*islice(_distinct(self._of_schema(self._whole, 0)), MOST)]

    def right(self, schema: Mapping[str, Any], depth: int = 0) -> Any:
        """A value that ``schema`` admits, with all of its properties. Raises `NoValue`."""
        for value in self._likely(self._followed(schema), depth):
            if self._judge(schema, value):
                return value
        raise NoValue

    def _followed(self, schema: Any) -> Mapping[str, Any]:
        """The schema that references lead to; one that is not known says nothing."""
        for _ in range(_DEEPEST):
            if not is_object(schema):
                return {}
            ref = schema.get("$ref")
            if not isinstance(ref, str) or not ref.startswith("#"):
                return schema
            schema = at_pointer(self._whole, ref[1:])
        return {}

    def _likely(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        """Values that the schema may well admit, the fullest first."""
        yield from schema.get("examples", ())
        if "default" in schema:
            yield schema["default"]
        if "const" in schema:
            yield schema["const"]
        yield from schema.get("enum", ())
        if depth <= _DEEPEST:
            for word in _BRANCHES:
                for each in schema.get(word, ()):
                    yield from self._merged(schema, self._followed(each), depth)
            yield from self._of_types(schema, depth)
        yield from _KINDS

    def _merged(
        self, schema: Mapping[str, Any], branch: Mapping[str, Any], depth: int
    ) -> Iterator[Any]:
        """Values of a schema and of one of its branches at once."""
        whole: dict[str, Any] = {**schema, **branch}
        properties = {**schema.get("properties", {}), **branch.get("properties", {})}
        if properties:
            whole["properties"] = properties
        whole["required"] = [*schema.get("required", ()), *branch.get("required", ())]
        for word in _BRANCHES:
            if whole.get(word) == schema.get(word):
                whole.pop(word, None)
        yield from self._likely(whole, depth + 1)

    def _of_types(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        for kind in _types(schema):
            match kind:
                case "object":
                    yield from self._objects(schema, depth)
                case "array":
                    yield from self._arrays(schema, depth)
                case "string":
                    yield from admitted(schema)
                case "integer" | "number":
                    yield from _numbers(schema, kind)
                case "boolean":
                    yield True
                case _:
                    yield None

    def _objects(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        """All properties, then those that are required alone."""
        properties = schema.get("properties", {})
        required = schema.get("required", ())
        full: dict[str, Any] = {}
        for name in dict.fromkeys((*properties, *required)):
            try:
                full[name] = self.right(properties.get(name, {}), depth + 1)
            except NoValue:
                if name in required:
                    return
        yield full
        yield {name: full[name] for name in required}
        if is_object(schema.get("additionalProperties")):
            try:
                extra = self.right(schema["additionalProperties"], depth + 1)
            except NoValue:
                return
            yield {**full, _EXTRA: extra}

    def _arrays(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        low = min(int(schema.get("minItems", 0)), _MEMBERS)
        first = [self.right(each, depth + 1) for each in schema.get("prefixItems", ())]
        items = schema.get("items", {})
        try:
            one = self.right(items, depth + 1) if is_object(items) else None
        except NoValue:
            yield first
            return
        if schema.get("uniqueItems"):
            others = _distinct(self._of_schema(items, depth + 1))
            right = [each for each in islice(others, 200) if self._judge(items, each)]
            yield [*first, *right[: max(low - len(first), 1)]]
        yield [*first, *[one] * max(low - len(first), 1)]
        yield first

    def _of_schema(self, schema: Any, depth: int) -> Iterator[Any]:
        """Values at the edges of a schema that may be a reference or a boolean."""
        schema = self._followed(schema)
        known = self.right(schema, depth)
        yield known
        yield from schema.get("examples", ())
        members = schema.get("enum", ())[:_MEMBERS]
        yield from members
        yield from (each.swapcase() for each in members if isinstance(each, str))
        if depth > _DEEPEST:
            return
        for kind in _types(schema):
            yield from self._inside(kind, schema, known, depth)
        for word in _BRANCHES:
            for each in schema.get(word, ()):
                for value in self._tried(each, depth + 1):
                    yield value
                    if is_object(known) and is_object(value):
                        yield {**known, **value}
        yield from _KINDS

    def _tried(self, schema: Any, depth: int) -> Iterator[Any]:
        """The edges of a part of which no right value need be known."""
        try:
            yield from self._of_schema(schema, depth)
        except NoValue:
            return

    def _inside(
        self, kind: str, schema: Mapping[str, Any], known: Any, depth: int
    ) -> Iterator[Any]:
        match kind:
            case "object":
                if is_object(known):
                    yield from self._objects_at_edges(schema, known, depth)
            case "array":
                yield from self._arrays_at_edges(schema, known, depth)
            case "string":
                yield from at_the_edges(schema)
            case "integer" | "number":
                yield from _numbers(schema, kind)
            case _:
                pass

    def _objects_at_edges(
        self, schema: Mapping[str, Any], known: dict[str, Any], depth: int
    ) -> Iterator[Any]:
        yield from self._objects(schema, depth)
        for name in known:
            yield {key: each for key, each in known.items() if key != name}
            yield {**known, name: None}
        extra = schema.get("additionalProperties", True)
        for value in ("x", *(self._tried(extra, depth + 1) if extra else ())):
            yield {**known, _EXTRA: value}
        for name, each in schema.get("properties", {}).items():
            for value in self._tried(each, depth + 1):
                yield {**known, name: value}

    def _arrays_at_edges(
        self, schema: Mapping[str, Any], known: Any, depth: int
    ) -> Iterator[Any]:
        one = known[:1] if is_list(known) else []
        for word in ("minItems", "maxItems"):
            length = int(schema.get(word, 0))
            for count in (length - 1, length, length + 1):
                yield one * min(max(count, 0), 200)
        before = [] if not is_list(known) else known
        for value in self._tried(schema.get("items", {}), depth + 1):
            yield [value]
            yield [*before, value]


def _types(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The types that a schema names or, where it names none, speaks of."""
    named = schema.get("type")
    if isinstance(named, str):
        return (named,)
    if named is not None:
        return tuple(named)
    spoken = {
        "object": ("properties", "required", "additionalProperties"),
        "array": ("items", "prefixItems", "minItems"),
        "string": ("pattern", "minLength", "maxLength", "format"),
        "number": ("minimum", "maximum", "multipleOf"),
    }
    return tuple(
        kind for kind, words in spoken.items() if any(each in schema for each in words)
    )


def _numbers(schema: Mapping[str, Any], kind: str) -> Iterator[Any]:
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


def _distinct(values: Iterable[Any]) -> Iterator[Any]:
    """Each value once; 1, 1.0 and true are three."""
    seen: set[str] = set()
    for value in values:
        key = json.dumps(value, sort_keys=True)
        if key not in seen:
            seen.add(key)
            yield value
