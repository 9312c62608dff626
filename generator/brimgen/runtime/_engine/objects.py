"""The keywords of objects: properties, required, additional, dependent."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from .errors import MISSING, Finding, Path
from .foreign import unnamed
from .kinds import form_of, is_list, kind_of
from .nodes import Collect, Node, Part, Searcher, Test, leaf
from .refs import escape
from .words import describe, listing

Child: TypeAlias = Callable[[Any, str], Node]
"""Compiles a subschema that stands at a pointer below the schema at hand."""


def objects(
    schema: Mapping[str, Any], child: Child, searcher: Searcher
) -> Iterator[Part]:
    """Yield the parts of the keywords of objects, in a fixed order."""
    if schema.keys() & {"properties", "required"} or _closed(schema):
        yield _properties(schema, child)
    if "patternProperties" in schema or _constrains_rest(schema):
        yield _rest(schema, child, searcher)
    if "propertyNames" in schema:
        yield _names(child(schema["propertyNames"], "/propertyNames"))
    for word, sign in (("minProperties", "at least"), ("maxProperties", "at most")):
        if word in schema:
            yield _size(schema[word], word, sign)
    for word in ("dependentRequired", "dependencies"):
        for name, needed in schema.get(word, {}).items():
            if is_list(needed):
                yield _needs(name, needed, word)
    for word in ("dependentSchemas", "dependencies"):
        for name, inner in schema.get(word, {}).items():
            if not is_list(inner):
                yield _implies(name, child(inner, f"/{word}{escape(name)}"))


def _closed(schema: Mapping[str, Any]) -> bool:
    return (
        schema.get("additionalProperties") is False
        and "patternProperties" not in schema
    )


def _constrains_rest(schema: Mapping[str, Any]) -> bool:
    rest = schema.get("additionalProperties", True)
    return rest is not True and rest != {} and not _closed(schema)


def _properties(schema: Mapping[str, Any], child: Child) -> Part:
    """Return the part of properties, required, and additionalProperties where it is false."""
    required = dict.fromkeys(schema.get("required", ()))
    entries = [
        _Entry(name, name in required, child(each, f"/properties{escape(name)}"), each)
        for name, each in schema.get("properties", {}).items()
    ]
    known = {each.name for each in entries}
    extra = [name for name in required if name not in known]
    closed = _closed(schema)
    return Part(
        "object",
        _properties_test(entries, extra, closed),
        _properties_collect(entries, extra, closed),
        asks=True,
    )


class _Entry(NamedTuple):
    name: str
    required: bool
    node: Node
    schema: Any


def _properties_test(entries: list[_Entry], extra: list[str], closed: bool) -> Test:
    required = [(each.name, each.node.test) for each in entries if each.required]
    optional = [(each.name, each.node.test) for each in entries if not each.required]
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
        left = size - least
        if left:
            for name, inner in optional:
                if name in value:
                    if not inner(value[name]):
                        return False
                    left -= 1
        return left == 0 or not closed

    return test


def _properties_collect(
    entries: list[_Entry], extra: list[str], closed: bool
) -> Collect:
    rows = [
        (
            each.name,
            each.required,
            each.node,
            describe(each.schema),
            form_of(each.schema),
        )
        for each in entries
    ]
    names = {each.name for each in entries}
    known = f"one of {listing(each.name for each in entries)}"

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        for name, needed, node, expected, form in rows:
            if name in value:
                item = value[name]
                if not node.before(item):
                    node.collect(item, (path, name), found)
            elif needed:
                found.append(((path, name), "required", expected, MISSING, form))
        for name in extra:
            if name not in value:
                found.append(((path, name), "required", "a value", MISSING, ""))
        if closed:
            for name in value:
                if name not in names:
                    words = known if names else "no properties"
                    found.append(((path, name), "unknown", words, value[name], ""))

    return collect


def _rest(schema: Mapping[str, Any], child: Child, searcher: Searcher) -> Part:
    """Return the part of patternProperties and additionalProperties."""
    names = frozenset(schema.get("properties", ()))
    patterns = [
        (
            searcher(each),
            child(inner, f"/patternProperties{escape(each)}"),
        )
        for each, inner in schema.get("patternProperties", {}).items()
    ]
    other = schema.get("additionalProperties", True)
    rest = child(other, "/additionalProperties")
    known = f"one of {listing(sorted(names))}" if names else "another name"

    def nodes(name: str) -> list[Node]:
        hits = [node for search, node in patterns if search(name) is not None]
        return hits or ([] if name in names else [rest])

    def test(value: Any) -> bool:
        return all(
            isinstance(name, str) and all(node.test(item) for node in nodes(name))
            for name, item in value.items()
        )

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        for name, item in value.items():
            if not isinstance(name, str):
                found.append(unnamed(path, name))
                continue
            for node in nodes(name):
                if node is rest and other is False:
                    found.append(((path, name), "unknown", known, item, ""))
                elif not node.before(item):
                    node.collect(item, (path, name), found)

    return Part("object", test, collect)


def _names(node: Node) -> Part:
    def test(value: Any) -> bool:
        return all(isinstance(name, str) and node.test(name) for name in value)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        for name in value:
            if not isinstance(name, str):
                found.append(unnamed(path, name))
            elif not node.before(name):
                below = type(found)()
                node.collect(name, (path, name), below)
                found.extend(
                    (where, "propertyNames", f"a name that is {expected}", name, "")
                    for where, _, expected, _, _ in below
                )

    return Part("object", test, collect)


def _size(bound: int, word: str, sign: str) -> Part:
    expected = f"{sign} {bound} properties"
    if word == "minProperties":
        return leaf("object", lambda value: len(value) >= bound, word, expected)
    return leaf("object", lambda value: len(value) <= bound, word, expected)


def _needs(name: str, needed: list[str], word: str) -> Part:
    expected = f"a value where {name} is given"

    def test(value: Any) -> bool:
        return name not in value or all(each in value for each in needed)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        if name in value:
            for each in needed:
                if each not in value:
                    found.append(((path, each), word, expected, MISSING, ""))

    return Part("object", test, collect)


def _implies(name: str, node: Node) -> Part:
    def test(value: Any) -> bool:
        return name not in value or node.test(value)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        if name in value and not node.before(value):
            node.collect(value, path, found)

    return Part("object", test, collect)
