"""Write and read JSON Pointers (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterator


def escape_step(name: str) -> str:
    """Return a name as a step of a pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape_step(step: str) -> str:
    """Return the name that a step of a pointer says."""
    return step.replace("~1", "/").replace("~0", "~")


def steps_of(pointer: str) -> Iterator[str]:
    """Yield the names and indices that a pointer leads through."""
    return map(unescape_step, pointer.split("/")[1:])
