"""Cost of a schema: how many parts of it look at one and the same value, references followed.

`anyOf` of two references to an `anyOf` of two references, and so on: twenty lines mean a million
parts, at build time and in every call of the generated validator.
"""

from __future__ import annotations

from brimgen.model.json import Json
from brimgen.resolve.standard_refs import is_local_pointer, resolve_pointer
from brimgen.resolve.standard_words import Schema, in_place

MOST_PARTS = 10_000


class Costs:
    """Measures schemas of one document, in which no reference leads back to itself on one value.

    A part that several share is looked at once.
    """

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._known: dict[int, int] = {}

    def of(self, schema: Json) -> int:
        """Return how many parts look at a value that ``schema`` looks at."""
        stack = [schema]
        while stack:
            each = stack[-1]
            inner = self._inner(each)
            waiting = [part for part in inner if id(part) not in self._known]
            if waiting:
                stack.extend(waiting)
            else:
                stack.pop()
                total = 1 + sum(self._known[id(part)] for part in inner)
                self._known[id(each)] = total
        return self._known[id(schema)]

    def _inner(self, schema: Json) -> list[Json]:
        if not isinstance(schema, dict):
            return []
        ref = schema.get("$ref")
        inner = [*in_place(schema), *([schema["not"]] if "not" in schema else [])]
        if isinstance(ref, str) and is_local_pointer(ref):
            inner.append(resolve_pointer(self._root, ref))
        return [each for each in inner if isinstance(each, dict)]
