"""Nodes: compiled schemas, and how the checks of their keywords are joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from .errors import Finding, Path
from .kinds import KINDS, is_integer, kind_of

Search: TypeAlias = Callable[[str], object]
"""Finds a pattern in a text: returns None where it is not found."""

Searcher: TypeAlias = Callable[[str], Search]
"""Returns what finds an ECMA-262 pattern."""

Test: TypeAlias = Callable[[Any], bool]
"""Whether a value is accepted; stops at the first thing that is wrong."""

Collect: TypeAlias = Callable[[Any, Path, list[Finding]], None]
"""Notes down everything that is wrong with the value at a path."""


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

    ``collect`` is called for values that ``before`` did not accept. What ``before`` says yes to is
    valid; its no says nothing. It is the whole test where that is cheap, that of ``read`` (a
    reader that the caller knows, see `Validator`), or nothing (`refuse`).
    """

    __slots__ = ("before", "collect", "height", "read", "test")

    def __init__(
        self,
        test: Test,
        collect: Collect,
        height: int = 0,
        read: Callable[[Any], object] | None = None,
    ) -> None:
        self.test = test
        self.collect = collect
        self.height = height
        self.read = read
        self.before = test if height <= 1 else refuse


def reading(node: Node, read: Callable[[Any], object]) -> Node:
    """Return the node of a schema that accepts all that ``read`` does not raise for."""
    full = node.test

    def test(value: Any) -> bool:
        try:
            read(value)
        except Exception:  # noqa: BLE001
            return full(value)
        return True

    def before(value: Any) -> bool:
        try:
            read(value)
        except Exception:  # noqa: BLE001
            return False
        return True

    found = Node(test, node.collect, node.height, read)
    found.before = before
    return found


UNBOUNDED = 1_000_000
"""The height of a recursive schema."""


def accept(value: Any) -> bool:
    """Accept anything."""
    return True


def refuse(value: Any) -> bool:
    """Refuse everything."""
    return False


def note_nothing(value: Any, path: Path, found: list[Finding]) -> None:
    """Find nothing wrong."""


def leaf(
    kind: str | None, test: Test, rule: str, expected: str, form: str = ""
) -> Part:
    """Return a part that says one thing: ``expected``, under the name ``rule``."""

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        if not test(value):
            found.append((path, rule, expected, value, form))

    return Part(kind, test, collect)


def constant(accepted: bool) -> Node:
    """Return the node of a boolean schema."""
    if accepted:
        return Node(accept, note_nothing)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        found.append((path, "false", "nothing here", value, ""))

    return Node(refuse, collect)


def every(tests: Sequence[Test]) -> Test:
    """Return the conjunction of tests."""
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value: first(value) and second(value)

    def test(value: Any) -> bool:
        return all(each(value) for each in tests)

    return test


def in_turn(collects: Sequence[Collect]) -> Collect:
    """Return the collections of several parts as one."""
    if len(collects) == 1:
        return collects[0]

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        for each in collects:
            each(value, path, found)

    return collect


def assemble(
    types: Sequence[str],
    expected: str,
    form: str,
    parts: Sequence[Part],
    height: int,
) -> Node:
    """Return the node that applies to a value the parts of its kind, and refuses other kinds.

    ``expected`` and ``form`` are what it is told to have wanted then.
    """
    tests: dict[str, Test] = {}
    collects: dict[str, Collect] = {}
    asking: Test | None = None
    for kind in KINDS:
        whole = kind == "number" and "integer" in types and "number" not in types
        if types and kind not in types and not whole:
            continue
        mine = [each for each in parts if each.kind in (kind, None)]
        if whole:
            mine.insert(0, leaf(kind, is_integer, "type", expected, form))
        tests[kind] = every([each.test for each in mine]) if mine else accept
        if len(mine) == 1 and mine[0].asks:
            asking = mine[0].test
        collects[kind] = (
            _integer_first([each.collect for each in mine], expected, form)
            if whole
            else in_turn([each.collect for each in mine] or [note_nothing])
        )
    test = asking if asking is not None and len(tests) == 1 else _dispatch(tests)
    return Node(test, _dispatch_collect(collects, expected, form), height)


def _integer_first(collects: Sequence[Collect], expected: str, form: str) -> Collect:
    rest = in_turn(collects[1:] or [note_nothing])

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        if is_integer(value):
            rest(value, path, found)
        else:
            found.append((path, "type", expected, value, form))

    return collect


def _dispatch(tests: Mapping[str, Test]) -> Test:
    if len(tests) == 1:
        ((only, inner),) = tests.items()
        usual = _USUAL[only]
        return lambda value: (
            (value.__class__ is usual or kind_of(value) == only) and inner(value)
        )

    def test(value: Any) -> bool:
        inner = tests.get(kind_of(value))
        return inner is not None and inner(value)

    return test


def _one_kind(only: str, inner: Collect, expected: str, form: str) -> Collect:
    usual = _USUAL[only]

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        if value.__class__ is usual or kind_of(value) == only:
            inner(value, path, found)
        else:
            found.append((path, "type", expected, value, form))

    return collect


_USUAL: dict[str, type] = {
    "null": type(None),
    "boolean": bool,
    "number": int,
    "string": str,
    "array": list,
    "object": dict,
}
"""The Python type whose every value is of a kind, and most values of the kind are of the type."""


def _dispatch_collect(
    collects: dict[str, Collect], expected: str, form: str
) -> Collect:
    if len(collects) == 1:
        return _one_kind(*collects.popitem(), expected, form)

    def collect(value: Any, path: Path, found: list[Finding]) -> None:
        inner = collects.get(kind_of(value))
        if inner is None:
            found.append((path, "type", expected, value, form))
        else:
            inner(value, path, found)

    return collect
