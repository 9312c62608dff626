"""Nodes: compiled schemas, and how the checks of their keywords are joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from .errors import Finding, Path
from .json_values import (
    KINDS,
    describe,
    form_of,
    is_integer,
    is_object,
    kind_of,
    wanted,
)

Search: TypeAlias = Callable[[str], object]
"""Finds a pattern in a text: returns None where it is not found."""

Test: TypeAlias = Callable[[Any], bool]
"""Whether a value is accepted; stops at the first thing that is wrong."""

Collect: TypeAlias = Callable[[Any, Path, list[Finding]], None]
"""Notes down everything that is wrong with the value at a path."""

UNBOUNDED = 1_000_000
"""The height of a recursive schema."""


class Part(NamedTuple):
    """The check of some keywords; it sees only values of its kind (None: of any kind).

    A test that ``asks`` refuses values of other kinds itself.
    """

    kind: str | None
    test: Test
    collect: Collect
    asks: bool = False


class Node:
    """A compiled schema.

    ``collect`` is called for values that ``before`` did not accept. What ``before`` accepts is
    valid; what it refuses may be valid, too. It is the whole test where that is cheap, else it
    refuses everything.
    """

    __slots__ = ("before", "collect", "height", "test")

    def __init__(
        self,
        test: Test,
        collect: Collect,
        height: int = 0,
    ) -> None:
        self.test = test
        self.collect = collect
        self.height = height
        self.before: Test = test if height <= 1 else lambda value: False


def constant(accepted: bool) -> Node:
    """Return the node of a boolean schema."""

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if not accepted:
            findings.append((path, "false", "nothing here", value, ""))

    return Node(lambda value: accepted, collect)


def leaf(
    kind: str | None, test: Test, rule: str, expected: str, form: str = ""
) -> Part:
    """Return a part that says one thing: ``expected``, under the name ``rule``."""

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        if not test(value):
            findings.append((path, rule, expected, value, form))

    return Part(kind, test, collect)


def every(tests: Sequence[Test]) -> Test:
    """Return the conjunction of tests."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value: first(value) and second(value)
    return lambda value: all(test(value) for test in tests)


def assemble(
    types: Sequence[str], schema: Mapping[str, Any], parts: Sequence[Part], height: int
) -> Node:
    """Return the node that applies to a value the parts of its kind, and refuses other kinds."""
    expected, form = describe({"type": schema.get("type", ())}), form_of(schema)
    is_whole = "integer" in types and "number" not in types
    kinds = {"number" if type_ == "integer" else type_ for type_ in types or KINDS}
    by_kind = {
        kind: [part for part in parts if part.kind in (kind, None)] for kind in kinds
    }
    tests = {kind: every([part.test for part in own]) for kind, own in by_kind.items()}

    def test(value: Any) -> bool:
        kind = kind_of(value)
        return (
            kind in tests
            and (kind != "number" or not is_whole or is_integer(value))
            and tests[kind](value)
        )

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        kind = kind_of(value)
        if kind not in by_kind or (
            kind == "number" and is_whole and not is_integer(value)
        ):
            needed = wanted(value, expected) if "number" in kinds else expected
            findings.append((path, "type", needed, value, form))
            return
        for part in by_kind[kind]:
            part.collect(value, path, findings)

    only = next(iter(by_kind.values())) if len(by_kind) == 1 else ()
    if len(only) == 1 and only[0].asks:
        return Node(only[0].test, collect, height)
    return Node(test, collect, height)


def is_lax(schema: Any) -> bool:
    """Return whether a schema itself lets values through unseen, which may be no JSON at all."""
    if isinstance(schema, bool):
        return schema
    if "enum" in schema or "const" in schema or "$ref" in schema:
        return False
    kinds = schema.get("type")
    if kinds is None:
        return True
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "object" in kinds and not _is_seen(schema.get("additionalProperties", True)):
        return True
    items = schema.get("items", True)
    return "array" in kinds and (not _is_seen(items) or "contains" in schema)


def _is_seen(schema: Any) -> bool:
    return schema is False or (is_object(schema) and bool(schema))
