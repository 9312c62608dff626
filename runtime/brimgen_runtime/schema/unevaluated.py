"""unevaluatedProperties and unevaluatedItems: what no other keyword has evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from .compile import Compiler, Place
from .errors import Finding, Path, escape
from .json_values import is_object
from .nodes import Node, Part, Search

Marks: TypeAlias = Callable[[Any], set[Any]]
"""Returns the names or indexes of a value that a schema has looked at."""


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of both keywords."""
    compiler, pointer = place
    if compiler.draft7:
        return
    for word, kind in (
        ("unevaluatedProperties", "object"),
        ("unevaluatedItems", "array"),
    ):
        if word in schema:
            others = {name: value for name, value in schema.items() if name != word}
            marks = Marker(kind, compiler).marks(others, pointer)
            inner = compiler.node(schema[word], f"{pointer}/{word}")
            yield _part(kind, schema[word], inner, marks)


def _part(kind: str, schema: Any, node: Node, marks: Marks) -> Part:
    def rest(value: Any) -> Iterator[tuple[Any, Any]]:
        seen = marks(value)
        pairs = value.items() if kind == "object" else enumerate(value)
        return ((name, item) for name, item in pairs if name not in seen)

    def test(value: Any) -> bool:
        return all(node.test(item) for _, item in rest(value))

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for name, item in rest(value):
            if schema is False:
                words = "another name" if kind == "object" else "fewer items"
                findings.append(((path, name), "unknown", words, item, ""))
            elif not node.before(item):
                node.collect(item, (path, name), findings)

    return Part(kind, test, collect)


class Marker:
    """Compiles schemas to their marks, for values of one kind."""

    def __init__(self, kind: str, compiler: Compiler) -> None:
        self._kind = kind
        self._compiler = compiler
        self._done: dict[str, Marks] = {}

    def marks(self, schema: Any, pointer: str) -> Marks:
        """Return the marks of the schema at a pointer."""
        if not is_object(schema):
            return _nothing
        cached = self._done.get(pointer)
        if cached is not None:
            return cached
        parts: list[Marks] = []

        def marks(value: Any) -> set[Any]:
            return {name for part in parts for name in part(value)}

        self._done[pointer] = marks
        own = self._own_names if self._kind == "object" else self._own_items
        parts += own(schema, pointer)
        parts += self._applied(schema, pointer)
        return marks

    def _applied(self, schema: Mapping[str, Any], pointer: str) -> Iterator[Marks]:
        """Yield the marks of the schemas that apply in place."""
        if "$ref" in schema:
            target, where = self._compiler.resolve(schema, pointer)
            yield self.marks(target, where)
        for word in ("allOf", "anyOf", "oneOf"):
            for index, subschema in enumerate(schema.get(word, ())):
                yield self._where_valid(subschema, f"{pointer}/{word}/{index}")
        if "if" in schema:
            yield self._condition(schema, pointer)
        for name, subschema in schema.get("dependentSchemas", {}).items():
            marks = self.marks(subschema, f"{pointer}/dependentSchemas{escape(name)}")
            yield _where_present(name, marks)

    def _where_valid(self, schema: Any, pointer: str) -> Marks:
        marks, node = self.marks(schema, pointer), self._compiler.node(schema, pointer)
        return lambda value: marks(value) if node.test(value) else set()

    def _condition(self, schema: Mapping[str, Any], pointer: str) -> Marks:
        condition = self._compiler.node(schema["if"], f"{pointer}/if")
        first = self.marks(schema["if"], f"{pointer}/if")
        then = self.marks(schema.get("then", True), f"{pointer}/then")
        otherwise = self.marks(schema.get("else", True), f"{pointer}/else")

        def marks(value: Any) -> set[Any]:
            if condition.test(value):
                return first(value) | then(value)
            return otherwise(value)

        return marks

    def _own_items(self, schema: Mapping[str, Any], pointer: str) -> Iterator[Marks]:
        if "items" in schema or "unevaluatedItems" in schema:
            yield lambda value: set(range(len(value)))
        elif "prefixItems" in schema:
            count = len(schema["prefixItems"])
            yield lambda value: set(range(min(count, len(value))))
        if "contains" in schema:
            node = self._compiler.node(schema["contains"], f"{pointer}/contains")
            yield lambda value: {i for i, item in enumerate(value) if node.test(item)}

    def _own_names(self, schema: Mapping[str, Any], pointer: str) -> Iterator[Marks]:
        if "additionalProperties" in schema or "unevaluatedProperties" in schema:
            yield lambda value: set(value)
            return
        if "properties" in schema:
            names = schema["properties"].keys()
            yield lambda value: {name for name in value if name in names}
        for pattern in schema.get("patternProperties", ()):
            yield _matching(self._compiler.searcher(pattern))


def _nothing(value: Any) -> set[Any]:
    return set()


def _matching(search: Search) -> Marks:
    return lambda value: {
        name for name in value if isinstance(name, str) and search(name) is not None
    }


def _where_present(name: str, marks: Marks) -> Marks:
    return lambda value: marks(value) if name in value else set()
