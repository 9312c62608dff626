"""Count how many parts of a schema look at one value, references followed.

`anyOf` of two references to an `anyOf` of two references, and so on: twenty lines mean a million
parts, at build time and in every call of the generated validator.
"""

from __future__ import annotations

from brimgen.model.json import Json
from brimgen.resolve.entities.dependency_order import order
from brimgen.resolve.standard.subschemas import Schema
from brimgen_runtime.store.schema_parts import (
    is_local_pointer,
    resolve_pointer,
    same_value_subschemas,
    subschemas,
)

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
        ref = schema.get("$ref")
        inner = [
            *same_value_subschemas(schema),
            *([schema["not"]] if "not" in schema else []),
        ]
        if isinstance(ref, str) and is_local_pointer(ref):
            inner.append(resolve_pointer(self._root, ref))
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
