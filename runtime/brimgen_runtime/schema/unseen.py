"""Look at what a schema lets through unseen: how deep it is, and whether it is JSON at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from .errors import Finding, Path, pointer
from .json_values import is_list, is_object, kind_of, wanted
from .nodes import Node, Test
from .validator import unnamed

LEVELS = 100
"""How deeply objects and lists may be nested; an empty one, such as a default, does not count.

What is decoded is encoded, compared, copied, printed and logged as well, all by way of Python's
stack, some of it by eight calls a level: so much of it is there wherever a program runs.
"""

TOO_DEEP: Finding = (
    None,
    "depth",
    f"nested too deeply (more than {LEVELS} levels), or it contains itself",
    None,
    "",
)
_FLAT = frozenset((str, int, float, bool, Decimal, type(None)))
_JSON = frozenset((str, bool, type(None)))
_NAMES = frozenset((str,))
_MANY = 64


def limited(node: Node, levels: int | None, is_seen: bool) -> Node:
    """Return a node that refuses what is nested more deeply than it may be (`LEVELS`).

    Unless the schema looks at all of a value (``is_seen``), the node also refuses what is no JSON.
    """
    within = limit(levels, is_seen)

    def test(value: Any) -> bool:
        return node.test(value) and within(value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if is_deep(value):
            findings.append(TOO_DEEP)
            return
        node.collect(value, path, findings)
        if not is_seen:
            reported = {pointer(finding[0]) for finding in findings}
            unreported = [
                finding
                for finding in foreign(value)
                if pointer(finding[0]) not in reported
            ]
            findings.extend(unreported)

    return Node(test, collect, node.height)


def limit(levels: int | None, is_seen: bool) -> Test:
    """Return the test of what `limited` asks besides the node."""
    most = LEVELS if levels is None else levels
    if is_seen:
        return lambda value: not is_deep(value, most)
    return lambda value: is_json(value, most)


def is_deep(value: object, levels: int = LEVELS) -> bool:
    """Return whether objects and lists are nested more than ``levels`` deep in a value."""
    level: list[Any] = [value]
    for _ in range(levels):
        level = [
            item
            for container in level
            for item in (
                container.values() if container.__class__ is dict else _items(container)
            )
            if item.__class__ not in _FLAT
        ]
        if not level:
            return False
        if len(level) >= _MANY:
            level = _distinct(level)
    return any(
        (is_object(container) or is_list(container)) and len(container)
        for container in level
    )


def is_json(value: object, levels: int) -> bool:
    """Return whether all of a value is JSON, and nested at most ``levels`` deep."""
    level: list[Any] = [[value]]
    for _ in range(levels + 1):
        below: list[Any] = []
        for container in level:
            items = container
            if is_object(container):
                if not {*map(type, container)} <= _NAMES and not _are_texts(container):
                    return False
                items = container.values()
            for item in items:
                kind = item.__class__
                if kind is dict or kind is list:
                    if item:
                        below.append(item)
                elif kind not in _JSON:
                    odd = kind_of(item)
                    if odd == "other":
                        return False
                    if odd == "object" or odd == "array":
                        below.append(item)
        if not below:
            return True
        level = below if len(below) < _MANY else _distinct(below)
    return not any(len(holder) for holder in level)


def _items(value: Any) -> Iterable[Any]:
    if is_list(value):
        return value
    return value.values() if is_object(value) else ()


def _are_texts(names: Iterable[object]) -> bool:
    return all(isinstance(name, str) for name in names)


def _distinct(level: list[Any]) -> list[Any]:
    """Return each object of a level once: one that holds itself twice doubles at each level."""
    return list({id(item): item for item in level}.values())


def foreign(value: Any, path: Path = None) -> Iterator[Finding]:
    """Yield what is no JSON at any depth: NaN, Infinity, sets, names that are no text."""
    kind = kind_of(value)
    if kind == "object":
        for name, item in value.items():
            if not isinstance(name, str):
                yield unnamed(path, name)
            yield from foreign(item, (path, name))
    elif kind == "array":
        for index, item in enumerate(value):
            yield from foreign(item, (path, index))
    elif kind == "other":
        yield path, "type", wanted(value, "a JSON value"), value, ""
