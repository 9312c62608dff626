"""Remember what a referenced subschema says of a value, so that it is asked once in a run.

Where schemas branch (``anyOf`` and the like), one subschema meets one value along many paths, and
in a recursive schema along twice as many at each level. All of them go through a reference, so the
verdict of a reference on a value is remembered there until the run ends.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from .errors import Finding, Path
from .kinds import is_list, is_object
from .nodes import Node, Part
from .report import steps

_BRANCHING = frozenset(
    (
        "allOf",
        "anyOf",
        "contains",
        "dependencies",
        "dependentSchemas",
        "if",
        "not",
        "oneOf",
        "patternProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
    )
)
_BESIDE = frozenset(
    (
        "$comment",
        "$defs",
        "$ref",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "examples",
        "title",
    )
)
"""What may stand beside a ``$ref`` without looking at the value as well."""


def branches(document: Any) -> bool:
    """Return whether a value may be looked at along more than one way."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if is_object(each):
            names = each.keys()
            if names & _BRANCHING or ("$ref" in names and names - _BESIDE):
                return True
            waiting += each.values()
        elif is_list(each):
            waiting += each
    return False


class Memory:
    """What the references of one document said of values in this run.

    Values are known by their identity, and kept, so that no other value takes it over meanwhile.
    """

    __slots__ = ("_reports", "_verdicts")

    def __init__(self) -> None:
        self._verdicts: dict[tuple[str, int], tuple[Any, bool]] = {}
        self._reports: dict[tuple[str, int], tuple[Path, list[Finding]]] = {}

    def forget(self) -> None:
        """End a run: values may change now."""
        self._verdicts.clear()
        self._reports.clear()

    def part(self, pointer: str, node: Node) -> Part:
        """Return the part of a reference to the node at a pointer."""
        verdicts, reports = self._verdicts, self._reports

        def test(value: Any) -> bool:
            key = (pointer, id(value))
            known = verdicts.get(key)
            if known is None:
                known = verdicts[key] = (value, node.test(value))
            return known[1]

        def collect(value: Any, path: Path, found: list[Finding]) -> None:
            if test(value):
                return
            key = (pointer, id(value))
            known = reports.get(key)
            if known is None:
                told = type(found)()
                node.collect(value, path, told)
                told[:] = _once(told)
                known = reports[key] = (path, told)
            found.extend(_at(path, *known))

        return Part(None, test, collect)

    def run(self, node: Node) -> Node:
        """Return the node of a whole document: what it is asked is one run."""

        def test(value: Any) -> bool:
            try:
                return node.test(value)
            finally:
                self.forget()

        def collect(value: Any, path: Path, found: list[Finding]) -> None:
            told = type(found)()
            try:
                node.collect(value, path, told)
            finally:
                self.forget()
            told[:] = _distinct(told)
            found.extend(told)

        return Node(test, collect, node.height)


def _distinct(found: list[Finding]) -> list[Finding]:
    """Return findings without those that say the same of the same place."""
    return list({each[:3]: each for each in reversed(found)}.values())[::-1]


def _once(found: list[Finding]) -> list[Finding]:
    """Return findings, each once: what is told along two ways is the same object."""
    return list({id(each): each for each in found}.values())


def _at(path: Path, where: Path, found: list[Finding]) -> list[Finding]:
    """Return what was found at a place as it is found at a path, which may be another one."""
    if path is where:
        return found
    moved = copy(found)
    if path == where:
        # `_meant` asks for identity
        moved[:] = [(path, *each[1:]) if each[0] is where else each for each in found]
    else:
        start = len(steps(where))
        moved[:] = [(_below(path, steps(each[0])[start:]), *each[1:]) for each in found]
    return moved


def _below(path: Path, inner: list[str | int]) -> Path:
    """Return a path and what leads on from it."""
    for step in inner:
        path = (path, step)
    return path
