"""The schema of a database, as its connection names it."""

from __future__ import annotations

from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """A file of CREATE statements: the way to it from beside the specs, and its text."""

    name: str
    text: str
