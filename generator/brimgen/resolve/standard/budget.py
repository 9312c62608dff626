"""Limit the size of schemas, however often their parts are shared.

Entities are inlined where they are used, so a few lines of specs can mean a schema without end
(`E1 {a: E0, b: E0}`, `E2 {a: E1, b: E1}` …). The limits are those of a spec file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import SCHEMA_TOO_LARGE
from brimgen.model.json import Json, JsonObject
from brimgen.source.nodes import Text

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
