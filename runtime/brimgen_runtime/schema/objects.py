"""The keywords of objects besides properties: patterns, further properties, names, numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .compile import Place, constrains_additional
from .errors import MISSING, Finding, Path, escape
from .json_values import is_list, listing
from .nodes import Node, Part, leaf
from .validator import unnamed


def needs(schema: Mapping[str, Any]) -> list[str]:
    """Return the modules that the keywords of a schema need besides this one."""
    return ["patterns"] if "patternProperties" in schema else []


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of the keywords of objects, in a fixed order."""
    if "patternProperties" in schema or constrains_additional(schema):
        yield _rest(schema, place)
    if "propertyNames" in schema:
        yield _names(place.child(schema["propertyNames"], "/propertyNames"))
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
                yield _implies(name, place.child(inner, f"/{word}{escape(name)}"))


def _rest(schema: Mapping[str, Any], place: Place) -> Part:
    """Return the part of patternProperties and additionalProperties."""
    names = frozenset(schema.get("properties", ()))
    patterns = [
        (
            place.compiler.searcher(pattern),
            place.child(inner, f"/patternProperties{escape(pattern)}"),
        )
        for pattern, inner in schema.get("patternProperties", {}).items()
    ]
    additional = schema.get("additionalProperties", True)
    additional_node = place.child(additional, "/additionalProperties")
    allowed = f"one of {listing(sorted(names))}" if names else "another name"

    def nodes(name: str) -> list[Node]:
        hits = [node for search, node in patterns if search(name) is not None]
        return hits or ([] if name in names else [additional_node])

    def test(value: Any) -> bool:
        return all(
            isinstance(name, str) and all(node.test(item) for node in nodes(name))
            for name, item in value.items()
        )

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for name, item in value.items():
            if not isinstance(name, str):
                findings.append(unnamed(path, name))
                continue
            for node in nodes(name):
                if node is additional_node and additional is False:
                    findings.append(((path, name), "unknown", allowed, item, ""))
                elif not node.before(item):
                    node.collect(item, (path, name), findings)

    return Part("object", test, collect)


def _names(node: Node) -> Part:
    def test(value: Any) -> bool:
        return all(isinstance(name, str) and node.test(name) for name in value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for name in value:
            if not isinstance(name, str):
                findings.append(unnamed(path, name))
            elif not node.before(name):
                below = type(findings)()
                node.collect(name, (path, name), below)
                findings.extend(
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
        return name not in value or all(key in value for key in needed)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if name in value:
            for key in needed:
                if key not in value:
                    findings.append(((path, key), word, expected, MISSING, ""))

    return Part("object", test, collect)


def _implies(name: str, node: Node) -> Part:
    def test(value: Any) -> bool:
        return name not in value or node.test(value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if name in value and not node.before(value):
            node.collect(value, path, findings)

    return Part("object", test, collect)
