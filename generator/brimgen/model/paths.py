"""Paths of resources: what their segments are."""

from __future__ import annotations

from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PathLiteral:
    """A fixed segment of a resource path."""

    text: str


@dataclass(frozen=True, slots=True)
class PathVariable:
    """A segment that names an argument; ``rest`` takes one or more segments."""

    name: str
    rest: bool = False
