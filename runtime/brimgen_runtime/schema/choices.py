"""Check values against choices: enum and const. Equality is that of JSON: 1 equals 1.0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from .compile import Place
from .decode import to_plain
from .errors import Finding, Path
from .json_values import exact, form_of, is_list, is_number, is_object, listing, show
from .lenient import is_lenient
from .nodes import Node, Test


def key(value: object) -> Any:
    """Return a hashable key: two JSON values are equal exactly if their keys are equal."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is bool:
        return (bool, value)
    if kind is int:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, float | Decimal):
        return exact(value) if is_number(value) else (float, id(value))
    if is_object(value):
        return (dict, frozenset((name, key(item)) for name, item in value.items()))
    if is_list(value):
        return (list, tuple([key(item) for item in value]))
    return value if is_number(value) else (object, id(value))


def to_choice(value: Any, choices: tuple[Any, ...]) -> Any:
    """Return the member of ``choices`` that JSON-equals the value (1.0 gives 1, True does not).

    Any other value is kept while answers are read leniently. Raises ValueError for it otherwise.
    """
    value_key = key(value)
    for choice in choices:
        if key(choice) == value_key:
            return choice
    if is_lenient():
        return to_plain(value)
    raise ValueError("none of the choices")


def around(node: Node, schema: Mapping[str, Any], place: Place) -> Node:
    """Return a node that checks the choices first: they say more than the type does."""
    limits = _limits(schema)
    inner, gather, form = node.test, node.collect, form_of(schema)

    def test(value: Any) -> bool:
        return all(accepts(value) for accepts, _, _ in limits) and inner(value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        for accepts, rule, expected in limits:
            if not accepts(value):
                findings.append((path, rule, expected, value, form))
                return
        gather(value, path, findings)

    return Node(test, collect, node.height)


def _limits(schema: Mapping[str, Any]) -> list[tuple[Test, str, str]]:
    """Return (test, rule, expected) of ``enum`` and ``const``."""
    limits: list[tuple[Test, str, str]] = []
    if "enum" in schema:
        values = schema["enum"]
        limits.append((_member(values), "enum", f"one of {listing(values)}"))
    if "const" in schema:
        limits.append((_member([schema["const"]]), "const", show(schema["const"])))
    return limits


def _member(values: Sequence[Any]) -> Test:
    if all(type(value) is str for value in values):
        texts = frozenset(values)
        return lambda value: isinstance(value, str) and value in texts
    keys = frozenset(map(key, values))
    return lambda value: key(value) in keys


def quick(schema: Mapping[str, Any], test: Test) -> Test | None:
    """Return a quick test with the verdict of ``test`` for choices of texts, or None."""
    if "const" in schema or schema.get("type") != "string":
        return None
    if not all(type(choice) is str for choice in schema["enum"]):
        return None
    texts = frozenset(schema["enum"])
    return lambda v: v in texts if type(v) is str else test(v)
