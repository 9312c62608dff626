"""Generate values that a JSON Schema admits, and values at each of its edges.

An instance is only a question: the artifacts decide whether it is valid. So the generator need not
be exact, but it is the same in every run.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

from brimgen.agreement.schema_parts import (
    BRANCHES,
    distinct,
    in_turns,
    joined,
    numbers,
    types,
)
from brimgen.agreement.text_instances import admitted, at_the_edges
from brimgen.model.json import is_list, is_object
from brimgen_runtime.grammar.schema_parts import resolve_pointer

Judge: TypeAlias = Callable[[Mapping[str, Any], Any], bool]
"""Whether a schema, which may refer to the definitions of the whole, admits a value."""

MOST = 300
"""Instances of one schema; what is beyond is cut. Properties take turns, so none goes unasked."""
_ENOUGH = 100
_LARGEST = 2_000_000
"""Bytes of all instances of one schema; a large schema has fewer, but `_ENOUGH` in any case."""

_DEEPEST = 6
_MEMBERS = 24
_KINDS: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, 3.0, "x", "", [], [1], {})
_BESIDE = ("not", "if", "then", "else")
_EXTRA = "no_such_property"


class NoValue(Exception):
    """No value is known that the schema admits: its author could give one as an example."""


class Instances:
    """Makes the instances of one schema; ``judge`` is asked what parts of it admit."""

    def __init__(self, schema: Mapping[str, Any], judge: Judge) -> None:
        self._whole, self._judge = schema, judge
        self.is_cut = False

    def edges(self) -> list[Any]:
        """Values at the edges of the schema, each once; ``is_cut`` says that there are more.

        Raises `NoValue` if no valid value is known.
        """
        instances, size = list[Any](), 0
        for value in distinct(self.of_schema(self._whole, 0)):
            if len(instances) == MOST or (
                size > _LARGEST and len(instances) >= _ENOUGH
            ):
                self.is_cut = True
                break
            instances.append(value)
            size += len(marshal.dumps(value, 0))
        return instances

    def valid_value(self, schema: Mapping[str, Any] | bool, depth: int = 0) -> Any:
        """A value that ``schema`` admits, with all of its properties. Raises `NoValue`."""
        if schema is False:
            raise NoValue
        for value in self._likely(self.flat(schema), depth):
            if self._judge(schema if is_object(schema) else {}, value):
                return value
        raise NoValue

    def flat(self, schema: Any, depth: int = 0) -> Mapping[str, Any]:
        """The schema with what its reference leads to and all parts of its ``allOf`` joined in."""
        if not is_object(schema) or depth > _DEEPEST:
            return {}
        parts = [*schema.get("allOf", ())]
        ref = schema.get("$ref")
        if isinstance(ref, str) and ref.startswith("#"):
            parts.append(resolve_pointer(self._whole, ref))
        if not parts:
            return schema
        own = {k: v for k, v in schema.items() if k not in ("allOf", "$ref")}
        return joined([own, *(self.flat(part, depth + 1) for part in parts)])

    def _likely(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        """Values that the schema may well admit, the fullest first."""
        yield from schema.get("examples", ())
        for word in ("default", "const"):
            if word in schema:
                yield schema[word]
        yield from schema.get("enum", ())
        if depth <= _DEEPEST:
            own = {k: v for k, v in schema.items() if k not in BRANCHES}
            for word in BRANCHES:
                for branch in schema.get(word, ()):
                    yield from self._likely(joined([own, self.flat(branch)]), depth + 1)
            for word in ("then", "else"):
                if is_object(schema.get(word)):
                    both = joined([own, self.flat(schema[word])])
                    both.pop(word, None)
                    yield from self._likely(both, depth + 1)
            yield from self._of_types(schema, depth)
        yield from _KINDS

    def _of_types(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        for kind in types(schema):
            match kind:
                case "object":
                    yield from self._objects(schema, depth)
                case "array":
                    yield from self._arrays(schema, depth)
                case "string":
                    yield from admitted(schema)
                case "integer" | "number":
                    yield from numbers(schema, kind)
                case "boolean":
                    yield True
                case _:
                    yield None

    def _objects(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        """Objects with all properties, with the required ones only, and with undeclared ones."""
        properties, required = schema.get("properties", {}), schema.get("required", ())
        full: dict[str, Any] = {}
        for name in dict.fromkeys((*properties, *required)):
            try:
                full[name] = self.valid_value(properties.get(name, {}), depth + 1)
            except NoValue:
                if name in required:
                    return
        yield full
        yield {name: full[name] for name in required}
        more = dict(full)
        for name, inner in self._further(schema):
            try:
                more[name] = self.valid_value(inner, depth + 1)
            except NoValue:
                continue
            yield {**full, name: more[name]}
            if len(more) >= int(schema.get("minProperties", 0)):
                break
        yield more

    def _further(self, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Names of undeclared properties, with their schemas."""
        extra = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        named = schema.get("propertyNames")
        for pattern, part in schema.get("patternProperties", {}).items():
            for name in dict.fromkeys(admitted({"pattern": pattern})):
                yield name, part
        if is_object(named):
            inner = {"type": "string", **self.flat(named)}
            for name in (*inner.get("enum", ()), *admitted(inner)):
                yield str(name), {} if extra is None else extra
        for number in range(min(int(schema.get("minProperties", 1)), _MEMBERS)):
            name = f"{_EXTRA}{number or ''}"
            yield name, {} if extra is None else extra

    def _arrays(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        low = min(int(schema.get("minItems", 0)), _MEMBERS)
        first = [
            self.valid_value(part, depth + 1) for part in schema.get("prefixItems", ())
        ]
        items = schema.get("items", schema.get("unevaluatedItems", {}))
        held = schema.get("contains")
        try:
            if held is not None:
                one = self.valid_value(held, depth + 1)
                count = min(int(schema.get("minContains", 1)), _MEMBERS)
                yield [*first, *[one] * max(count, low - len(first))]
            one = self.valid_value(items, depth + 1)
        except NoValue:
            yield first
            return
        if schema.get("uniqueItems"):
            candidates = distinct(self.of_schema(items, depth + 1))
            unique = [
                item for item in islice(candidates, 200) if self.admits(items, item)
            ]
            yield [*first, *unique[: max(low - len(first), 1)]]
        yield [*first, *[one] * max(low - len(first), 1)]
        yield first

    def _distinct_items(self, schema: Mapping[str, Any]) -> list[Any]:
        """Items that a list admits, all different from each other."""
        items = schema.get("items", {})
        candidates = distinct(self._edges_or_kinds(items, 1))
        return [item for item in islice(candidates, 200) if self.admits(items, item)]

    def admits(self, schema: Any, value: Any) -> bool:
        """Whether a part of the schema admits a value."""
        return bool(schema) if isinstance(schema, bool) else self._judge(schema, value)

    def of_schema(self, schema: Any, depth: int) -> Iterator[Any]:
        """Values at the edges of a schema that may be a reference or a boolean."""
        valid = self.valid_value(schema, depth)
        yield valid
        schema = self.flat(schema)
        yield from schema.get("examples", ())
        members = schema.get("enum", ())[:_MEMBERS]
        yield from members
        yield from (member.swapcase() for member in members if isinstance(member, str))
        if depth > _DEEPEST:
            return
        parts = [part for word in BRANCHES for part in schema.get(word, ())]
        parts += [schema[word] for word in _BESIDE if word in schema]
        parts += schema.get("dependentSchemas", {}).values()
        inner_edges = [
            self._edges_of_type(kind, schema, valid, depth) for kind in types(schema)
        ]
        yield from in_turns(
            [*inner_edges, *(self._edges_of_part(part, valid, depth) for part in parts)]
        )
        yield from _KINDS

    def _edges_of_part(self, part: Any, valid: Any, depth: int) -> Iterator[Any]:
        """The edges of a part that need not hold: as they are, and merged into ``valid``."""
        for value in self._edges_or_kinds(part, depth + 1):
            yield value
            if is_object(valid) and is_object(value):
                yield {**valid, **value}

    def _edges_or_kinds(self, schema: Any, depth: int) -> Iterator[Any]:
        """The edges of a part, or values of each kind if no valid value of it is known."""
        try:
            yield from self.of_schema(schema, depth)
        except NoValue:
            yield from _KINDS

    def _edges_of_type(
        self, kind: str, schema: Mapping[str, Any], valid: Any, depth: int
    ) -> Iterator[Any]:
        match kind:
            case "object":
                if is_object(valid):
                    yield from self._objects_at_edges(schema, valid, depth)
            case "array":
                yield from self._arrays_at_edges(schema, valid, depth)
            case "string":
                yield from at_the_edges(schema)
            case "integer" | "number":
                yield from numbers(schema, kind)
            case _:
                pass

    def _objects_at_edges(
        self, schema: Mapping[str, Any], valid: Mapping[str, Any], depth: int
    ) -> Iterator[Any]:
        yield from self._objects(schema, depth)
        needed = {k: v for k, v in valid.items() if k in schema.get("required", ())}
        for name, value in valid.items():
            yield {key: member for key, member in valid.items() if key != name}
            yield {**needed, name: value}
            yield {**needed, name: None}
            yield {**valid, name: None}
        for word in ("minProperties", "maxProperties"):
            count = min(int(schema.get(word, 0)), _MEMBERS)
            more = {f"{_EXTRA}{number}": "x" for number in range(count + 1)}
            for length in (count - 1, count, count + 1):
                yield dict([*valid.items(), *more.items()][: max(length, 0)])
        yield {**valid, _EXTRA: "x"}
        properties: list[tuple[str, Any]] = [*schema.get("properties", {}).items()]
        properties += self._further(schema)
        yield from in_turns(
            [self._with_edges_of(valid, name, part, depth) for name, part in properties]
        )

    def _with_edges_of(
        self, valid: Mapping[str, Any], name: str, schema: Any, depth: int
    ) -> Iterator[Any]:
        for value in self._edges_or_kinds(schema, depth + 1):
            yield {**valid, name: value}

    def _arrays_at_edges(
        self, schema: Mapping[str, Any], valid: Any, depth: int
    ) -> Iterator[Any]:
        before = [*valid] if is_list(valid) else []
        one = before[:1]
        unique = self._distinct_items(schema) if schema.get("uniqueItems") else []
        for word in ("minItems", "maxItems", "minContains", "maxContains"):
            length = int(schema.get(word, 0))
            for count in (length - 1, length, length + 1):
                yield one * min(max(count, 0), 200)
                yield from [unique[:count]] if len(unique) >= count > 1 else []
        if schema.get("uniqueItems"):
            yield from ([*before, *one], [1, True], [0, False], [1, 1.0], [{}, {}])
        for number, part in enumerate(schema.get("prefixItems", ())):
            for value in self._edges_or_kinds(part, depth + 1):
                yield [*before[:number], value, *before[number + 1 :]]
        for word in ("items", "unevaluatedItems", "contains"):
            if word in schema or word == "items":
                for value in self._edges_or_kinds(schema.get(word, {}), depth + 1):
                    yield [value]
                    yield [*before, value]
