"""Compile a JSON Schema to a node that tests values and collects violations.

This module knows types and properties. Every other keyword belongs to a family, a module of its own
that is loaded when a schema has one of its keywords (`FAMILIES`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from threading import RLock
from typing import Any, NamedTuple

from .errors import MISSING, Finding, Path, SchemaError, escape
from .json_values import MOST_INT, describe, form_of, is_object, kind_of, listing
from .nodes import (
    UNBOUNDED,
    Collect,
    Node,
    Part,
    Search,
    Test,
    assemble,
    constant,
    is_lax,
)

FAMILIES: Mapping[str, frozenset[str]] = {
    family: frozenset(words.split())
    for family, words in {
        "verdicts": "$ref",
        "numbers": "exclusiveMaximum exclusiveMinimum maximum minimum multipleOf x-decimal",
        "texts": "format maxLength minLength pattern x-tz",
        "objects": "dependencies dependentRequired dependentSchemas maxProperties minProperties"
        " patternProperties propertyNames",
        "arrays": "contains items maxItems minItems prefixItems uniqueItems",
        "logic": "allOf anyOf if not oneOf",
        "unevaluated": "unevaluatedItems unevaluatedProperties",
        "leaves": "x-leaf",
        "choices": "const enum",
        "secrets": "writeOnly",
    }.items()
}
"""The keywords of each family. A family has ``parts`` of a node, or is ``around`` a whole node."""

_AROUND = ("leaves", "choices", "secrets")
_OPTIONS = frozenset(("anyOf", "dependentSchemas", "else", "oneOf", "then"))
_SCALARS = ("numbers", "texts", "choices")
_LIMITING = ("verdicts", "logic", "unevaluated", "leaves", *_SCALARS)


def families(schema: Mapping[str, Any]) -> list[str]:
    """Return the modules that the keywords of one schema need, without the schemas below it.

    ``nulls`` is the null rule, for optional properties; ``unseen`` judges values that the schema
    does not look at.
    """
    words = schema.keys()
    modules = [name for name, keys in FAMILIES.items() if not keys.isdisjoint(words)]
    if "objects" not in modules and constrains_additional(schema):
        modules.append("objects")
    if "secrets" not in modules and schema.get("format") == "password":
        modules.append("secrets")
    needed = schema.get("required", ())
    is_optional = any(name not in needed for name in schema.get("properties", ()))
    if is_optional or not _OPTIONS.isdisjoint(words):
        modules.append("nulls")
    if "$ref" in words or is_lax(schema):
        modules.append("unseen")
    return modules


def family(name: str) -> Any:
    """Return the module of a family, which is loaded when a schema needs it."""
    return import_module(f".{name}", __package__)


class Place(NamedTuple):
    """Where a schema stands in its document, for families to compile what stands below it."""

    compiler: Compiler
    pointer: str

    def child(self, schema: Any, below: str) -> Node:
        """Return the node of a schema ``below`` this one."""
        return self.compiler.node(schema, self.pointer + below)


_DEEPEST = 50
"""How deep schemas are compiled at once: what stands below waits for a value. Python's stack would
not suffice for all.
"""


class Compiler:
    """Compiles one document, each subschema once; threads may share it."""

    def __init__(
        self,
        document: Mapping[str, Any] | bool,
        leaves: Mapping[str, Callable[[Any], object]],
    ) -> None:
        dialect = document.get("$schema", "") if is_object(document) else ""
        self.draft7 = any(draft in str(dialect) for draft in ("draft-07", "draft-06"))
        self.document = document
        self.leaves = leaves
        self._nodes: dict[str, Node] = {}
        self._open: set[str] = set()
        self._height = 0
        self._lock = RLock()
        self._needs_null_rule = False
        self._lets_unseen = False
        self._references: Any = None
        self._nulls: Any = None

    def root(self, levels: int | None) -> Node:
        """Return the node of the document, which refuses what is nested more than ``levels``."""
        node = self.node(self.document, "")
        if self._references is not None:
            node = self._references.run(node)
        if self._lets_unseen or node.height >= UNBOUNDED:
            node = family("unseen").limited(node, levels, not self._lets_unseen)
        return node

    def alone(self, schema: Any, pointer: str) -> Test:
        """Return the test of a subschema, at its pointer, for values that `root` does not see."""
        node = self.node(schema, pointer)
        if self._references is not None:
            node = self._references.run(node)
        return node.test

    def limit(self) -> Test | None:
        """Return what `root` asks of a value besides its schema, None where it asks nothing."""
        if not self._lets_unseen and self.node(self.document, "").height < UNBOUNDED:
            return None
        test: Test = family("unseen").limit(None, not self._lets_unseen)
        return test

    def node(self, schema: Any, pointer: str) -> Node:
        """Return the node of the subschema at a pointer."""
        with self._lock:
            done = self._nodes.get(pointer)
            if done is not None:
                self._height = max(self._height, done.height)
                return done
            if pointer in self._open:
                self._height = UNBOUNDED
                return self._later(schema, pointer)
            if len(self._open) > _DEEPEST:
                self._needs_null_rule = True
                self._height = max(self._height, self._look_below(schema))
                return self._later(schema, pointer, self._height)
            outer, self._height = self._height, -1
            self._open.add(pointer)
            try:
                node = self._nodes[pointer] = self._compile(schema, pointer)
            finally:
                self._open.discard(pointer)
            self._height = max(outer, node.height)
            return node

    def references(self) -> Any:
        """Return the targets of ``$ref``, which remember their verdicts on values."""
        if self._references is None:
            self._references = family("verdicts").Targets(self.document, self.draft7)
        return self._references

    def resolve(self, schema: Mapping[str, Any], pointer: str) -> tuple[Any, str]:
        """Return what the ``$ref`` of the schema at a pointer names, and its own pointer."""
        target: tuple[Any, str] = self.references().resolve(schema, pointer)
        return target

    def searcher(self, pattern: str) -> Search:
        """Return the function that finds an ECMA-262 pattern in a text."""
        search: Search = family("patterns").searcher(pattern)
        return search

    def without_nulls(self, value: Any) -> Any:
        """Return a value, which the schema refuses, without the nulls that mean "absent"."""
        self.node(self.document, "")  # tells whether the rule is needed
        if not self._needs_null_rule:
            return value
        if self._nulls is None:
            self._nulls = family("nulls").NullRule(self)
        try:
            return self._nulls.strip(value, [(self.document, "")])
        finally:
            self.forget()

    def forget(self) -> None:
        """Forget all verdicts on values, which may change from now on."""
        if self._references is not None:
            self._references.forget()

    def _look_below(self, schema: Any) -> int:
        """Find whether a schema lets values through unseen, and return how many levels it has."""
        subschemas = family("references").subschemas
        level: list[Mapping[str, Any]] = [schema] if is_object(schema) else []
        self._lets_unseen |= schema is True
        levels, is_endless = -1, False
        while level:
            levels += 1
            self._lets_unseen |= any(is_lax(each) or _says_true(each) for each in level)
            is_endless |= any("$ref" in each for each in level)
            level = [inner for each in level for inner, _ in subschemas(each, "")]
        return UNBOUNDED if is_endless else min(levels, UNBOUNDED)

    def _later(self, schema: Any, pointer: str, height: int = UNBOUNDED) -> Node:
        """Return a node that stands for one that is being compiled, or is when it is asked."""
        nodes = self._nodes

        def test(value: Any) -> bool:
            return (nodes.get(pointer) or self.node(schema, pointer)).test(value)

        def collect(value: Any, path: Path, findings: list[Finding]) -> None:
            node = nodes.get(pointer) or self.node(schema, pointer)
            node.collect(value, path, findings)

        return Node(test, collect, height)

    def _compile(self, schema: Any, pointer: str) -> Node:
        if isinstance(schema, bool):
            self._lets_unseen |= schema
            return constant(schema)
        if not is_object(schema):
            raise SchemaError(f"{pointer or 'the root'}: no schema")
        if "$dynamicRef" in schema and not self.draft7:
            raise SchemaError(f"{pointer}: $dynamicRef is not supported")
        if self.draft7 and "$ref" in schema:
            schema = {"$ref": schema["$ref"]}
        needed = families(schema)
        self._lets_unseen |= is_lax(schema)
        self._needs_null_rule |= "nulls" in needed
        place = Place(self, pointer)
        parts = list(self._parts(schema, place, needed))
        kinds = schema.get("type", ())
        types = [kinds] if isinstance(kinds, str) else list(kinds)
        height = min(self._height + 1, UNBOUNDED)
        node = assemble(types, schema, parts, height)
        return self._finish(node, schema, place, needed)

    def _parts(
        self, schema: Mapping[str, Any], place: Place, needed: list[str]
    ) -> Iterator[Part]:
        if "verdicts" in needed:
            yield from family("verdicts").parts(schema, place)
        if schema.keys() & {"properties", "required"} or is_closed(schema):
            yield _properties(schema, place)
        for name in needed:
            if name in FAMILIES and name not in ("verdicts", *_AROUND):
                yield from family(name).parts(schema, place)

    def _finish(
        self, node: Node, schema: Mapping[str, Any], place: Place, needed: list[str]
    ) -> Node:
        """Add what stands around the parts: choices, quick tests, secrecy."""
        for name in _AROUND:
            if name in needed:
                node = family(name).around(node, schema, place)
        test = quick(schema, node.test, needed) or node.test
        return Node(test, node.collect, node.height)


def _says_true(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema may have the schema ``true`` directly below it."""
    return any(
        value is True
        or (is_object(value) and True in value.values())
        or (isinstance(value, list) and True in value)
        for value in schema.values()
    )


_NO_TEXTS = frozenset((bool, dict, float, int, list, type(None)))
NO_NUMBERS = frozenset((bool, dict, list, str, type(None)))
"""Types whose values are never texts, or never numbers."""


def quick(schema: Mapping[str, Any], test: Test, needed: Sequence[str]) -> Test | None:
    """Return a test with the verdict of ``test`` that is faster for the usual types, or None."""
    limits = [name for name in needed if name in _LIMITING]
    if limits:
        scalar = limits[0] if len(limits) == 1 and limits[0] in _SCALARS else None
        faster: Test | None = family(scalar).quick(schema, test) if scalar else None
        return faster
    match schema.get("type"):
        case "string":
            return lambda v: type(v) is str or (type(v) not in _NO_TEXTS and test(v))
        case "boolean":
            return lambda v: v is True or v is False
        case "integer":
            return lambda v: (
                -MOST_INT <= v <= MOST_INT
                if type(v) is int
                else type(v) not in NO_NUMBERS and test(v)
            )
        case _:
            return None


def is_closed(schema: Mapping[str, Any]) -> bool:
    """Return whether an object may have no other properties than those that a schema names."""
    is_false = schema.get("additionalProperties") is False
    return is_false and "patternProperties" not in schema


def constrains_additional(schema: Mapping[str, Any]) -> bool:
    """Return whether a schema limits its additional properties, but does not forbid them all."""
    additional = schema.get("additionalProperties", True)
    return additional is not True and additional != {} and not is_closed(schema)


class _Entry(NamedTuple):
    """A property: its name, whether it must be there, its node and its schema."""

    name: str
    required: bool
    node: Node
    schema: Any


def _properties(schema: Mapping[str, Any], place: Place) -> Part:
    """Return the part of properties, required, and additionalProperties where it is false."""
    required = dict.fromkeys(schema.get("required", ()))
    entries = [
        _Entry(
            name,
            name in required,
            place.child(subschema, f"/properties{escape(name)}"),
            subschema,
        )
        for name, subschema in schema.get("properties", {}).items()
    ]
    declared = {entry.name for entry in entries}
    extra = [name for name in required if name not in declared]
    closed = is_closed(schema)
    return Part(
        "object",
        _properties_test(entries, extra, closed),
        _properties_collect(entries, extra, closed),
        asks=True,
    )


def _properties_test(entries: list[_Entry], extra: list[str], closed: bool) -> Test:
    required = [(entry.name, entry.node.test) for entry in entries if entry.required]
    optional = [
        (entry.name, entry.node.test) for entry in entries if not entry.required
    ]
    least = len(required)
    most = len(entries) if closed else sys.maxsize

    def test(value: Any) -> bool:
        if value.__class__ is not dict and kind_of(value) != "object":
            return False
        size = len(value)
        if not least <= size <= most:
            return False
        for name, inner in required:
            if name not in value or not inner(value[name]):
                return False
        for name in extra:
            if name not in value:
                return False
        remaining = size - least
        if remaining:
            for name, inner in optional:
                if name in value:
                    if not inner(value[name]):
                        return False
                    remaining -= 1
        return remaining == 0 or not closed

    return test


def _properties_collect(
    entries: list[_Entry], extra: list[str], closed: bool
) -> Collect:
    rows = [(*entry[:3], describe(entry[3]), form_of(entry[3])) for entry in entries]
    names = {entry.name for entry in entries}
    allowed = f"one of {listing(entry.name for entry in entries)}"

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for name, needed, node, expected, form in rows:
            if name in value:
                item = value[name]
                if not node.before(item):
                    node.collect(item, (path, name), findings)
            elif needed:
                findings.append(((path, name), "required", expected, MISSING, form))
        for name in extra:
            if name not in value:
                findings.append(((path, name), "required", "a value", MISSING, ""))
        if closed:
            for name in value:
                if name not in names:
                    words = allowed if names else "no properties"
                    findings.append(((path, name), "unknown", words, value[name], ""))

    return collect
