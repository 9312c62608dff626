"""Generate values that a JSON Schema admits, and values at each of its edges.

An instance is only a question: the artifacts decide whether it is valid. So the generator need not
be exact, but it is the same in every run.
"""

from __future__ import annotations

import marshal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, TypeAlias

from brimgen.model.json import is_list, is_object
from brimgen.model.leaves import LEAF, Shipped
from brimgen.patterns.example_text import LONGEST, example_text
from brimgen.patterns.slowness import slowness
from brimgen.patterns.syntax import Undecided
from brimgen.schema.walk import BY_TYPE, pointer_to, schemas_in
from brimgen_runtime.grammar.schema_parts import resolve_pointer

Judge: TypeAlias = Callable[[Mapping[str, Any], Any], bool]
"""Whether a schema, which may refer to the definitions of the whole, admits a value."""

MOST = 300
"""Instances of one schema; what is beyond is cut. Properties take turns, so none goes unasked."""
_ENOUGH = 100
_LARGEST = 2_000_000
"""Bytes of all instances of one schema; a large schema has fewer, but `_ENOUGH` in any case."""
_LARGEST_VALUE = 32_768
"""Bytes of one valid value: each is judged some hundred times."""

_DEEPEST = 6
_MEMBERS = 24
_MOST_TRIED = 200
_KINDS: tuple[Any, ...] = (None, True, False, 1, 1.5, 3.0, "x", [], {})
_BESIDE = ("not", "if", "then", "else")
_EXTRA = "no_such_property"


class NoValue(Exception):
    """No value is known that the schema admits: its author could give one as an example."""


class StuckPart(NamedTuple):
    """The innermost part of a schema that no value is known for, and where values meet it.

    ``is_endless`` says that it stands within itself, so that its values would never end.
    """

    pointer: str
    part: Mapping[str, Any]
    is_endless: bool = False


class Instances:
    """Makes the instances of one schema; ``judge`` is asked what parts of it admit."""

    def __init__(self, schema: Mapping[str, Any], judge: Judge) -> None:
        self._whole, self._judge = schema, judge
        self._known: dict[tuple[bytes, int], list[Any]] = {}
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

    def valid_value(self, schema: Any, depth: int = 0) -> Any:
        """A value that ``schema`` admits, with all of its properties. Raises `NoValue`."""
        for value in self._valid(schema, depth):
            return value
        raise NoValue

    def _valid(self, schema: Any, depth: int) -> list[Any]:
        """The value of `valid_value`, or nothing."""
        key = marshal.dumps(schema, 0), depth
        if key not in self._known:
            likely = filter(self._is_small, self._likely(self.flat(schema), depth))
            fit = (value for value in likely if self.admits(schema, value))
            self._known[key] = [*islice(fit, 1)]
        return self._known[key]

    def another_value(self, schema: Mapping[str, Any], taken: Sequence[Any]) -> Any:
        """A value that ``schema`` admits, and none of ``taken`` if it is easy to find one.

        Raises `NoValue`.
        """
        first = self.valid_value(schema)
        others = (
            value
            for value in islice(self.of_schema(schema, 0), _MOST_TRIED)
            if type(value) is type(first)
            and str(value).isalnum()
            and self.admits(schema, value)
        )
        free = (value for value in chain([first], others) if value not in taken)
        return next(free, first)

    def find_stuck_part(self, schema: Any) -> StuckPart:
        """Why no value is known for a schema that has none: the part of it that has none itself."""
        pointer, met = "", list[Any]()
        while schema not in met:
            met.append(schema)
            flat = self.flat(schema)
            needed = [
                (pointer_to(pointer, name), flat.get("properties", {}).get(name, {}))
                for name in flat.get("required", ())
            ]
            if "items" in flat:
                needed.append((f"{pointer}/0", flat["items"]))
            stuck = (
                each for each in needed if not self._valid(each[1], each[0].count("/"))
            )
            pointer, schema = next(stuck, (pointer, None))
            if schema is None:
                return StuckPart(pointer, flat)
        return StuckPart(pointer, self.flat(schema), is_endless=True)

    def _is_small(self, value: Any) -> bool:
        """Whether a value is small enough to be asked about; ``is_cut`` says that one is not."""
        is_small = len(marshal.dumps(value, 0)) <= _LARGEST_VALUE
        self.is_cut |= not is_small
        return is_small

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
            for kind in types(schema):
                yield from self._of_type(kind, schema, None, depth)
        yield from _KINDS

    def _of_type(
        self, kind: str, schema: Mapping[str, Any], valid: Any, depth: int
    ) -> Iterator[Any]:
        """Values of one type, the likeliest first; at all edges only if one is ``valid``."""
        match kind:
            case "object":
                yield from self._objects(schema, depth)
                if is_object(valid):
                    yield from self._objects_at_edges(schema, valid, depth)
            case "array":
                yield from self._arrays(schema, depth)
                if is_list(valid):
                    yield from self._arrays_at_edges(schema, valid, depth)
            case "string":
                yield from texts(schema)
            case "integer" | "number":
                yield from numbers(schema)
            case "boolean":
                yield True
            case _:
                yield None

    def _objects(self, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
        """Objects with all properties, with the required ones only, and with undeclared ones."""
        properties, required = schema.get("properties", {}), schema.get("required", ())
        full: dict[str, Any] = {}
        for name in dict.fromkeys((*properties, *required)):
            for value in self._valid(properties.get(name, {}), depth + 1):
                full[name] = value
        if not full.keys() >= {*required}:
            return
        yield full
        yield {name: full[name] for name in required}
        more = dict(full)
        for name, inner in self._further(schema):
            for value in self._valid(inner, depth + 1):
                more[name] = value
                yield {**full, name: value}
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
        parts = schema.get("prefixItems", ())
        first = [value for part in parts for value in self._valid(part, depth + 1)]
        if len(first) < len(parts):
            return
        missing = max(low - len(first), 1)
        items = schema.get("items", schema.get("unevaluatedItems", {}))
        held = schema.get("contains")
        for one in [] if held is None else self._valid(held, depth + 1):
            count = min(int(schema.get("minContains", 1)), _MEMBERS)
            yield [*first, *[one] * max(count, low - len(first))]
        for one in self._valid(items, depth + 1):
            if schema.get("uniqueItems"):
                yield [*first, *self._distinct_items(schema, depth)[:missing]]
            yield [*first, *[one] * missing]
        yield first

    def _distinct_items(self, schema: Mapping[str, Any], depth: int = 0) -> list[Any]:
        """Items that a list admits, all different from each other."""
        items = schema.get("items", schema.get("unevaluatedItems", {}))
        candidates = distinct(self._edges_or_kinds(items, depth + 1))
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
        inner = [self._of_type(kind, schema, valid, depth) for kind in types(schema)]
        inner += [self._edges_of_part(part, valid, depth) for part in parts]
        yield from in_turns(inner)
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

    def _objects_at_edges(
        self, schema: Mapping[str, Any], valid: Mapping[str, Any], depth: int
    ) -> Iterator[Any]:
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
        properties = chain(schema.get("properties", {}).items(), self._further(schema))
        yield from in_turns(
            map(
                partial(_with_member, valid, name),
                self._edges_or_kinds(part, depth + 1),
            )
            for name, part in properties
        )

    def _arrays_at_edges(
        self, schema: Mapping[str, Any], before: list[Any], depth: int
    ) -> Iterator[Any]:
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


BRANCHES = ("anyOf", "oneOf")
"""Keywords with schemas of which one will do."""

_LARGE = (2**31, 2**53 + 1, 2**63, 2**64, 10**30, -(2**63) - 1, 1e300, 5e-324)


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
    named = schema.get("type") or [
        kind for kind, words in BY_TYPE.items() if not words.isdisjoint(schema)
    ]
    return (named,) if isinstance(named, str) else tuple(named)


def _with_member(valid: Mapping[str, Any], name: str, value: Any) -> Any:
    return {**valid, name: value}


def numbers(schema: Mapping[str, Any]) -> Iterator[Any]:
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


def in_turns(sources: Iterable[Iterator[Any]]) -> Iterator[Any]:
    """One value of each, then the next of each, until none has any left."""
    waiting = deque(sources)
    while waiting:
        for value in islice(waiting[0], 1):
            yield value
            waiting.append(waiting[0])
        waiting.popleft()


FORMATS: Mapping[str, tuple[str, str]] = {
    "date": ("2026-02-28", "2026-02-30"),
    "date-time": ("2026-02-28T12:30:00Z", "2026-02-28 noon"),
    "time": ("12:30:00Z", "25:30:00Z"),
    "duration": ("P1DT2H", "1 day"),
    "email": ("ada@example.com", "ada"),
    "hostname": ("shop.example.com", "-shop-.example.com"),
    "ipv4": ("192.0.2.1", "192.0.2.256"),
    "ipv6": ("2001:db8::1", "2001:db8::g"),
    "json-pointer": ("/a/0", "a/0"),
    "uri": ("https://example.com/a?b=c", "example com"),
    "uri-reference": ("/a?b=c", "a b\\c"),
    "uuid": ("123e4567-e89b-42d3-a456-426614174000", "123e4567"),
}
"""Of each format a text that is one and a text that is none, by the RFC that JSON Schema names."""

_LEAVES = {Shipped.TIMESTAMP.value: "date-time", Shipped.URL.value: "uri"}
"""The formats of the leaves that have another name than their format."""

_MOST_REPEATS = 12
_SHORT = 20


def texts(schema: Mapping[str, Any]) -> Iterator[str]:
    """Texts at the edges of ``schema``, on both sides of each; those first that it may admit."""
    low, high = _bounds(schema)
    likely = [*dict.fromkeys(admitted(schema))]
    yield from likely
    yield from ("", " ", "é中😀", "a\x00b", '"quoted" \\ </script>', "null", "1")
    lengths = [size for size in (low - 1, low, high, high + 1) if 0 <= size <= LONGEST]
    near = [character * size for size in lengths for character in "a😀"]
    near += FORMATS.get(_format_of(schema), ())
    for text in likely:
        near += (f" {text}", f"{text}\n", text.swapcase(), text[:-1])
    yield from _short_enough(schema, near)


def admitted(schema: Mapping[str, Any]) -> Iterator[str]:
    """Texts that ``schema`` may admit, the likeliest first; each is still to be judged."""
    low, high = _bounds(schema)
    likely = [*FORMATS.get(_format_of(schema), ())[:1]]
    for times in range(_MOST_REPEATS if "pattern" in schema else 0):
        text = example_text(schema["pattern"], times)
        if text is not None:
            likely.append(text.ljust(low, text[-1:] or "a"))
    return _short_enough(schema, [*likely, "a" * max(low, min(3, high))])


def _short_enough(schema: Mapping[str, Any], texts: Iterable[str]) -> Iterator[str]:
    """``texts`` without those on which a backtracking engine may never finish."""
    pattern, (low, _) = schema.get("pattern"), _bounds(schema)
    is_fast = not isinstance(pattern, str) or _is_fast(pattern)
    return (text for text in texts if is_fast or len(text) <= max(_SHORT, low))


def _is_fast(pattern: str) -> bool:
    """Whether nothing is found that makes ``pattern`` slow."""
    try:
        return slowness(pattern) is None
    except Undecided:
        return False


def slow_patterns(schema: Any) -> list[str]:
    """The patterns in a schema that are tried on short texts only, sorted."""
    patterns = (part.get("pattern") for _, part in schemas_in(schema))
    texts = {pattern for pattern in patterns if isinstance(pattern, str)}
    return sorted(text for text in texts if not _is_fast(text))


def _format_of(schema: Mapping[str, Any]) -> str:
    """The format of a string, or that of its leaf."""
    leaf = str(schema.get(LEAF))
    return str(schema.get("format", _LEAVES.get(leaf, leaf)))


def _bounds(schema: Mapping[str, Any]) -> tuple[int, int]:
    low = int(schema.get("minLength", 0))
    return min(low, LONGEST), int(schema.get("maxLength", LONGEST + 1))
