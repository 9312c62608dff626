"""Check the keys of a ``_meta`` object (MCP, "General fields")."""

from __future__ import annotations

import re

_LABEL = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_PREFIX = re.compile(rf"\A{_LABEL}(?:\.{_LABEL})*\Z")
_NAME = re.compile(r"\A(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?\Z")
_RESERVED = frozenset(["mcp", "modelcontextprotocol"])


def key_fault(key: str) -> str | None:
    """Explain why ``key`` cannot be a key of ``_meta``; None if it can."""
    prefix, slash, name = key.rpartition("/")
    if slash and not _PREFIX.match(prefix):
        return "the prefix is not a name of labels and dots"
    if slash and len(labels := prefix.split(".")) > 1 and labels[1] in _RESERVED:
        return "the prefix is reserved"
    if not _NAME.match(name) or not (name or slash):
        return (
            "letters, digits, `_`, `-` and `.` make a name, the last three only inside"
        )
    return None
