"""Check values of leaf types by the functions that read them, beyond what a schema can check.

JSON Schema cannot express this, so the schema says it by the annotation ``x-leaf``: a value is
accepted only if its leaf can read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .compile import Place
from .errors import Finding, Path
from .nodes import Node, Test

Parsers = Mapping[str, Callable[[Any], object]]
"""The parsers of the leaves of a project, by name; they raise ValueError for other values."""


def around(node: Node, schema: Mapping[str, Any], place: Place) -> Node:
    """Return a node that accepts a value only if its leaf can read it.

    The leaf is asked last. A leaf without a parser accepts everything.
    """
    name, parsers = str(schema["x-leaf"]), place.compiler.leaves
    reads = _reader(name, parsers)
    if reads is None:
        return node

    def test(value: Any) -> bool:
        return node.test(value) and reads(value)

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        node_findings = type(findings)()
        node.collect(value, path, node_findings)
        if not node_findings and not reads(value):
            node_findings.append((path, "leaf", name, value, ""))
        findings.extend(node_findings)

    return Node(test, collect, node.height)


def _reader(name: str, parsers: Parsers) -> Test | None:
    parse = parsers.get(name)
    if parse is None:
        return None

    def reads(value: Any) -> bool:
        if value is None:
            return True
        try:
            parse(value)
        except ValueError:
            return False
        return True

    return reads
