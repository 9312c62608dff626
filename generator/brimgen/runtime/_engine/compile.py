"""Compile a JSON Schema to a node that tests values and collects violations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import RLock
from typing import Any

from .arrays import arrays
from .errors import REDACTED, Finding, Path, SchemaError
from .kinds import form_of, is_object
from .leaves import Parsers, with_leaf
from .logic import logic
from .nodes import (
    UNBOUNDED,
    Collect,
    Node,
    Part,
    Search,
    assemble,
    constant,
    reading,
)
from .objects import objects
from .once import Memory, branches
from .refs import References
from .scalars import choices, quick, scalars
from .unevaluated import unevaluated
from .words import describe, is_secret


class Compiler:
    """Compiles one document; subschemas that several places refer to are compiled once.

    What one thread is compiling, which is recursive, another one must not take for done.
    """

    def __init__(
        self,
        document: Mapping[str, Any] | bool,
        fast: Mapping[str, Callable[[Any], object]],
        leaves: Parsers,
    ) -> None:
        dialect = document.get("$schema", "") if is_object(document) else ""
        self.draft7 = any(each in str(dialect) for each in ("draft-07", "draft-06"))
        self.references = References(document, self.draft7)
        self.memory = Memory()
        self._branches = branches(document)
        self._document = document
        self._fast = fast
        self._leaves = leaves
        self._nodes: dict[str, Node] = {}
        self._open: set[str] = set()
        self._height = 0
        self._lock = RLock()

    def root(self) -> Node:
        """Return the node of the document."""
        node = self.node(self._document, "")
        return self.memory.run(node) if self._branches else node

    def node(self, schema: Any, pointer: str) -> Node:
        """Return the node of the subschema at a pointer."""
        with self._lock:
            done = self._nodes.get(pointer)
            if done is not None:
                self._height = max(self._height, done.height)
                return done
            if pointer in self._open:
                self._height = UNBOUNDED
                return self._later(pointer)
            outer, self._height = self._height, -1
            self._open.add(pointer)
            try:
                node = self._nodes[pointer] = self._compile(schema, pointer)
            finally:
                self._open.discard(pointer)
            self._height = max(outer, node.height)
            return node

    def searcher(self, pattern: str) -> Search:
        """Return what finds an ECMA-262 pattern in a text; None where it is not found."""
        from .patterns import searcher

        return searcher(pattern)

    def _later(self, pointer: str) -> Node:
        """Return a node that stands for one that is being compiled (recursion)."""
        nodes = self._nodes

        def test(value: Any) -> bool:
            return nodes[pointer].test(value)

        def collect(value: Any, path: Path, found: list[Finding]) -> None:
            nodes[pointer].collect(value, path, found)

        return Node(test, collect, UNBOUNDED)

    def _compile(self, schema: Any, pointer: str) -> Node:
        if isinstance(schema, bool):
            return constant(schema)
        if not is_object(schema):
            raise SchemaError(f"{pointer or 'the root'}: no schema")
        if "$dynamicRef" in schema and not self.draft7:
            raise SchemaError(f"{pointer}: $dynamicRef is not supported")
        if self.draft7 and "$ref" in schema:
            schema = {"$ref": schema["$ref"]}
        parts = list(self._parts(schema, pointer))
        kinds = schema.get("type", ())
        types = [kinds] if isinstance(kinds, str) else list(kinds)
        height = min(self._height + 1, UNBOUNDED)
        words = describe({"type": kinds})
        node = assemble(types, words, form_of(schema), parts, height)
        return self._finish(node, schema, pointer)

    def _parts(self, schema: Mapping[str, Any], pointer: str) -> Iterator[Part]:
        def child(inner: Any, below: str) -> Node:
            return self.node(inner, pointer + below)

        if "$ref" in schema:
            target, where = self.references.resolve(schema, pointer)
            node = self.node(target, where)
            yield (
                self.memory.part(where, node)
                if self._branches
                else Part(None, node.test, node.collect)
            )
        yield from scalars(schema, self.draft7, self.searcher)
        yield from objects(schema, child, self.searcher)
        yield from arrays(schema, child, self.draft7)
        yield from logic(schema, child)
        if not self.draft7:
            yield from unevaluated(
                schema, pointer, self.node, self.references, self.searcher
            )

    def _finish(self, node: Node, schema: Mapping[str, Any], pointer: str) -> Node:
        """Add what stands around the parts: choices, quick tests, fast checks, secrecy."""
        if "x-leaf" in schema:
            node = with_leaf(node, str(schema["x-leaf"]), self._leaves)
        limits = list(choices(schema))
        if limits:
            node = _limit(node, limits, form_of(schema))
        test = quick(schema, node.test) or node.test
        collect = node.collect
        if is_secret(schema):
            collect = _secret(collect)
        read = self._fast.get(pointer)
        node = Node(test, collect, node.height)
        return node if read is None else reading(node, read)


def _limit(node: Node, limits: list[tuple[Any, str, str]], form: str) -> Node:
    """Return a node whose choices are asked first: they say more than the type does."""
    inner, gather = node.test, node.collect

    def test(value: Any) -> bool:
        return all(each(value) for each, _, _ in limits) and inner(value)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        for each, rule, expected in limits:
            if not each(value):
                found.append((path, rule, expected, value, form))
                return
        gather(value, path, found)

    return Node(test, collect, node.height)


def _secret(collect: Collect) -> Collect:
    """Return a collection that does not tell the values it found."""

    def quietly(value: Any, path: Path, found: list[Finding]) -> None:
        below = type(found)()
        collect(value, path, below)
        below[:] = [
            (where, rule, words, REDACTED, form)
            for where, rule, words, _, form in below
        ]
        found.extend(below)

    return quietly
