"""Keep the values of secrets out of what is told: writeOnly, and the format ``password``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .compile import Place
from .errors import REDACTED, Finding, Path
from .nodes import Node


def is_secret(schema: Mapping[str, Any]) -> bool:
    """Return whether the values of a schema must not be told."""
    return schema.get("writeOnly") is True or schema.get("format") == "password"


def around(node: Node, schema: Mapping[str, Any], place: Place) -> Node:
    """Return a node whose findings do not hold the value, if the schema is that of a secret."""
    if not is_secret(schema):
        return node

    def collect(value: Any, path: Path, findings: list[Finding]) -> None:
        below = type(findings)()
        node.collect(value, path, below)
        below[:] = [
            (where, rule, words, REDACTED, form)
            for where, rule, words, _, form in below
        ]
        findings.extend(below)

    return Node(node.test, collect, node.height)
