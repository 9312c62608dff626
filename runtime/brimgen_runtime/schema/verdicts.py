"""Follow `$ref`, and remember what its target said of a value.

Where schemas branch (``anyOf`` and the like), one subschema meets one value along many paths, and
in a recursive schema along twice as many at each level. All of them go through a reference, so the
verdict of a reference on a value is remembered there until the run ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any

from .compile import Place
from .errors import Finding, Path, steps
from .json_values import is_list, is_object
from .nodes import Node, Part
from .references import References


def parts(schema: Mapping[str, Any], place: Place) -> Iterator[Part]:
    """Yield the part of ``$ref``."""
    references: Targets = place.compiler.references()
    target, where = references.resolve(schema, place.pointer)
    node, memory = place.compiler.node(target, where), references.memory()
    if memory is None:
        yield Part(None, node.test, node.collect)
    else:
        yield memory.part(where, node)


class Targets(References):
    """The targets of the references of a document, and what they said of values in this run."""

    def __init__(self, document: Mapping[str, Any] | bool, draft7: bool) -> None:
        super().__init__(document, draft7)
        self._memory = Memory() if branches(document) else None

    def memory(self) -> Memory | None:
        """Return what remembers verdicts, for documents in which schemas branch."""
        return self._memory

    def run(self, node: Node) -> Node:
        """Return the node of the whole document, which forgets all verdicts after each value."""
        return node if self._memory is None else self._memory.run(node)

    def forget(self) -> None:
        """Forget all verdicts on values, which may change from now on."""
        if self._memory is not None:
            self._memory.forget()


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
        part = waiting.pop()
        if is_object(part):
            names = part.keys()
            if names & _BRANCHING or ("$ref" in names and names - _BESIDE):
                return True
            waiting += part.values()
        elif is_list(part):
            waiting += part
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
        """Forget all verdicts on values, which may change from now on."""
        self._verdicts.clear()
        self._reports.clear()

    def part(self, pointer: str, node: Node) -> Part:
        """Return the part of a reference to the node at a pointer."""
        verdicts, reports = self._verdicts, self._reports

        def test(value: Any) -> bool:
            key = (pointer, id(value))
            cached = verdicts.get(key)
            if cached is None:
                cached = verdicts[key] = (value, node.test(value))
            return cached[1]

        def collect(value: Any, path: Path, findings: list[Finding]) -> None:
            if test(value):
                return
            key = (pointer, id(value))
            cached = reports.get(key)
            if cached is None:
                report = type(findings)()
                node.collect(value, path, report)
                report[:] = _distinct(report)
                cached = reports[key] = (path, report)
            findings.extend(_moved(path, *cached))

        return Part(None, test, collect)

    def run(self, node: Node) -> Node:
        """Return the node of a whole document, which forgets all verdicts after each value."""

        def test(value: Any) -> bool:
            try:
                return node.test(value)
            finally:
                self.forget()

        def collect(value: Any, path: Path, findings: list[Finding]) -> None:
            try:
                node.collect(value, path, findings)
            finally:
                self.forget()

        return Node(test, collect, node.height)


def _distinct(findings: list[Finding]) -> list[Finding]:
    """Return each finding once: along two ways the same object is collected twice."""
    return list({id(finding): finding for finding in findings}.values())


def _moved(path: Path, where: Path, findings: list[Finding]) -> list[Finding]:
    """Return findings of the value at ``where`` as findings of the same value at ``path``."""
    if path is where:
        return findings
    moved = copy(findings)
    if path == where:
        # `_meant` asks for identity
        moved[:] = [
            (path, *finding[1:]) if finding[0] is where else finding
            for finding in findings
        ]
    else:
        start = len(steps(where))
        moved[:] = [
            (_below(path, steps(finding[0])[start:]), *finding[1:])
            for finding in findings
        ]
    return moved


def _below(path: Path, inner: list[str | int]) -> Path:
    """Return a path and what leads on from it."""
    for step in inner:
        path = (path, step)
    return path
