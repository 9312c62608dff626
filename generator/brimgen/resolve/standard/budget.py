"""Limit the size of schemas, however often their parts are shared, and the work that they make.

Entities are inlined where they are used, so a few lines of specs can mean a schema without end
(`E1 {a: E0, b: E0}`, `E2 {a: E1, b: E1}` …). The limits of size are those of a spec file.

`anyOf` of two references to an `anyOf` of two references, and so on: twenty lines mean a million
parts, at build time and in every call of the generated validator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import SCHEMA_TOO_LARGE
from brimgen.model.json import Json, JsonObject
from brimgen.resolve.entities.endless import order
from brimgen.schema.walk import Schema, target_of
from brimgen.source.nodes import Text
from brimgen_runtime.grammar.schema_parts import same_value_subschemas, subschemas

MOST_NODES = 20_000
DEEPEST = 128
_NESTED = (dict, list, tuple)
# A mapping or list, how many parts it has, itself included, and how many levels.
_Measured: TypeAlias = tuple[Json, int, int]


class Budget:
    """Measures schemas; a part that several of them share is looked at once."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self.refusals = 0
        # The part itself is kept, so that its id stays its own.
        self._measures: dict[int, _Measured] = {}
        self._levels: dict[str, int] = {}

    def share(self, name: str, schema: JsonObject) -> None:
        """Count the levels of a definition wherever a reference leads to it."""
        _, _, self._levels[f"#/$defs/{name}"] = self._measure(schema)

    def within_budget(self, name: Text, schema: JsonObject) -> JsonObject:
        """Return the schema, or an empty one in its place after reporting it at ``name``."""
        if self.admits(name, schema):
            return schema
        return {"type": "object", "properties": {}}

    def fits(self, schema: JsonObject) -> bool:
        """Return whether the schema is within the limits."""
        return self._excess(schema) is None

    def admits(self, name: Text, schema: JsonObject) -> bool:
        """Return whether the schema is within the limits; if not, report it at ``name``."""
        excess = self._excess(schema)
        if excess is not None:
            self.refusals += 1
            rule, span = SCHEMA_TOO_LARGE, name.span
            self._diagnostics.add(rule, span, name=name.value, excess=excess)
        return excess is None

    def _excess(self, schema: JsonObject) -> str | None:
        _, nodes, depth = self._measures.get(id(schema)) or self._measure(schema)
        if nodes > MOST_NODES:
            return f"more than {MOST_NODES} parts"
        if depth > DEEPEST:
            return f"more than {DEEPEST} levels"
        return None

    def _measure(self, whole: JsonObject | Sequence[Json]) -> _Measured:
        """Measure a mapping or list that was not met before."""
        measures, nodes, deepest = self._measures, 1 + len(whole), 0
        if isinstance(whole, dict) and isinstance(ref := whole.get("$ref"), str):
            deepest = self._levels.get(ref, 1) - 1  # the reference is no level itself
        for part in whole.values() if isinstance(whole, dict) else whole:
            if isinstance(part, _NESTED):
                _, inner, depth = measures.get(id(part)) or self._measure(part)
                nodes += inner - 1
                if depth > deepest:
                    deepest = depth
        measured = measures[id(whole)] = whole, nodes, deepest + 1
        return measured


MOST_PARTS = 10_000
MOST_LEVELS = 128


class Costs:
    """Measures schemas of one document, in which no reference leads back to itself on one value.

    A part that several share is looked at once.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._costs: dict[int, int] = {}

    def cost_of(self, schema: Json) -> int:
        """Return how many parts look at a value that ``schema`` looks at."""
        stack = [schema]
        while stack:
            current = stack[-1]
            inner = self.inner(current)
            waiting = [part for part in inner if id(part) not in self._costs]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                total = 1 + sum(self._costs[id(part)] for part in inner)
                self._costs[id(current)] = total
        return self._costs[id(schema)]

    def inner(self, schema: Json) -> list[Json]:
        """Return the parts that look at the same value as ``schema``."""
        if not isinstance(schema, dict):
            return []
        inner = (
            *same_value_subschemas(schema),
            schema.get("not"),
            target_of(schema, self._root),
        )
        return [part for part in inner if isinstance(part, dict)]


def levels_of(root: Schema) -> int:
    """Return how many parts of a schema lead from one to the next, references followed.

    Counted are the parts that a type is made of: alternatives, and the items of lists and maps.
    The parts of a circle all count.
    """
    costs = Costs(root)
    needs = {
        str(id(subschema)): [
            str(id(part)) for part in (*costs.inner(subschema), *_items(subschema))
        ]
        for subschema in subschemas(root)
    }
    levels: dict[str, int] = {}
    for group in order(needs):
        below = [
            levels.get(part, 0) for member in group for part in needs.get(member, ())
        ]
        total = len(group) + max(below, default=0)
        levels |= dict.fromkeys(group, total)
    return max(levels.values(), default=0)


def _items(schema: Schema) -> list[Json]:
    positions = schema.get("prefixItems")
    parts = list(positions) if isinstance(positions, list) else []
    parts += [schema[key] for key in ("items", "additionalProperties") if key in schema]
    return [part for part in parts if isinstance(part, dict)]
