"""The keywords of arrays: items, their number, uniqueness, contains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from operator import ne
from typing import Any

from .compile import Place
from .errors import Finding, Path
from .json_values import Number, describe, is_list, is_number, is_object
from .nodes import Node, Part, constant, leaf
from .numbers import number_parts


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the parts of the keywords of arrays, in a fixed order."""
    child, draft7 = place.child, place.compiler.draft7
    first, rest = _layout(schema, draft7)
    if first:
        nodes = [
            child(schema[first][i], f"/{first}/{i}") for i in range(len(schema[first]))
        ]
        yield _tuple(nodes, child(schema[rest], f"/{rest}") if rest else constant(True))
    elif rest:
        yield _items(child(schema[rest], f"/{rest}"))
    for word, sign in (("minItems", "at least"), ("maxItems", "at most")):
        if word in schema:
            yield _size(schema[word], word, sign)
    if schema.get("uniqueItems") is True:
        yield leaf("array", all_differ, "uniqueItems", "items that all differ")
    if "contains" in schema:
        yield _contains(schema, child(schema["contains"], "/contains"), draft7)


def _layout(schema: Mapping[str, Any], draft7: bool) -> tuple[str, str]:
    """Return the keyword of the first items and the keyword of the rest ("" for none)."""
    if draft7:
        if is_list(schema.get("items")):
            return "items", "additionalItems" if "additionalItems" in schema else ""
        return "", "items" if "items" in schema else ""
    return (
        "prefixItems" if "prefixItems" in schema else "",
        "items" if "items" in schema else "",
    )


def _items(node: Node) -> Part:
    inner, before, gather = node.test, node.before, node.collect

    def test(value: Any) -> bool:
        return all(map(inner, value))

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for index, item in enumerate(value):
            if not before(item):
                gather(item, (path, index), findings)

    return Part("array", test, collect)


def _tuple(nodes: list[Node], rest: Node) -> Part:
    def pairs(value: list[Any]) -> Iterator[tuple[Node, Any]]:
        for index, item in enumerate(value):
            yield nodes[index] if index < len(nodes) else rest, item

    def test(value: Any) -> bool:
        return all(node.test(item) for node, item in pairs(value))

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for index, (node, item) in enumerate(pairs(value)):
            if not node.before(item):
                node.collect(item, (path, index), findings)

    return Part("array", test, collect)


def _size(bound: int, word: str, sign: str) -> Part:
    expected = f"{sign} {bound} item" if bound == 1 else f"{sign} {bound} items"
    if word == "minItems":
        return leaf("array", lambda value: len(value) >= bound, word, expected)
    return leaf("array", lambda value: len(value) <= bound, word, expected)


def _contains(schema: Mapping[str, Any], node: Node, draft7: bool) -> Part:
    least = 1 if draft7 else schema.get("minContains", 1)
    most = None if draft7 else schema.get("maxContains")
    description = describe(schema["contains"])

    def test(value: Any) -> bool:
        hits = sum(map(node.test, value))
        return bool(hits >= least and (most is None or hits <= most))

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        hits = sum(map(node.test, value))
        if hits < least:
            word = "minContains" if "minContains" in schema else "contains"
            expected = f"at least {least} items that are {description}"
            findings.append((path, word, expected, value, ""))
        if most is not None and hits > most:
            expected = f"at most {most} items that are {description}"
            findings.append((path, "maxContains", expected, value, ""))

    return Part("array", test, collect)


def all_differ(items: list[Any]) -> bool:
    """Return whether no two items are equal in JSON.

    Callers choose the items, so nothing rests on the hash of a number, which they can choose too:
    ints are sorted, everything else is compared by its text, whose hash nobody knows before.
    """
    kinds = set(map(type, items))
    if kinds == {int}:
        ordered = sorted(items)
        return all(map(ne, ordered, islice(ordered, 1, None)))
    if kinds != {str}:
        items = list(map(_text, items))
    return len(set(items)) == len(items)


def _text(value: object) -> str:
    """Return a text: two JSON values are equal exactly if their texts are equal."""
    if isinstance(value, str):
        return f"{len(value)}:{value}"
    if isinstance(value, bool) or value is None:
        return f"{value}"
    if isinstance(value, int | float | Decimal) and is_number(value):
        return _number_text(value)
    if is_object(value):
        pairs = sorted(map(_pair_text, value.items()))
        return f"{{{','.join(pairs)}}}"
    if is_list(value):
        return f"[{','.join(map(_text, value))}]"
    return f"?{id(value)}"


def _pair_text(pair: tuple[object, object]) -> str:
    return f"{_text(pair[0])}={_text(pair[1])}"


def _number_text(value: Number) -> str:
    """Return the digits of a number without zeros at their end, and its power of ten."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _SMALL:
        value = int(value)
    if isinstance(value, int):
        if -_SMALL < value < _SMALL:
            return f"{int(value)}"
        value = Decimal(int(value))
    coefficient, exponent = number_parts(value)
    if not coefficient:
        return "0"
    sign = "-" if value < 0 else ""
    if 0 <= exponent <= _SMALL_DIGITS and coefficient * 10**exponent < _SMALL:
        return f"{sign}{coefficient * 10**exponent}"
    return f"{sign}{coefficient:x}e{exponent}"


_SMALL_DIGITS = 15
_SMALL = 10**_SMALL_DIGITS
"""Integers below this are written with all their digits; floats hold them exactly."""
