"""Entries: how each tool of the package runs, by the generated list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Rows: TypeAlias = Literal["none", "count", "one", "maybe", "many"]
"""What becomes of the rows of a statement: nothing, the number of those that it changed, the one
there must be, the one there may be (else null), or the list of them."""


@dataclass(frozen=True, slots=True)
class Sql:
    """A tool that runs a statement: its module, its connection, the drivers that the module
    writes text for, and what it makes of rows.
    """

    module: str
    connection: str
    drivers: tuple[str, ...]
    rows: Rows
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A tool that a function of the host program runs."""

    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A tool that sends a request, and its module."""

    module: str
    wraps: bool = False


Entry: TypeAlias = Sql | Function | Request
"""How a tool runs. ``wraps``: its result is no object, and goes out as the ``result`` of one."""


def entry_of(written: Mapping[str, Any]) -> Entry:
    """Return the entry that an object of ``entries.json`` stands for."""
    wraps = bool(written.get("wraps", False))
    match written["runs"]:
        case "sql":
            return Sql(
                written["module"],
                written["connection"],
                tuple(written["drivers"]),
                written["rows"],
                wraps,
            )
        case "http":
            return Request(written["module"], wraps)
        case _:
            return Function(wraps)
