"""Rows as drivers hand them over, each cell under the name of its column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time
from typing import Any, Protocol, TypeAlias, cast
from uuid import UUID


class NamedRow(Protocol):
    """A row that knows its columns: a dict, ``sqlite3.Row``, ``asyncpg.Record`` …"""

    def keys(self) -> Iterable[str]:
        """The names of the columns."""
        ...

    def __getitem__(self, key: str, /) -> object:
        """The cell of a column."""
        ...


Row: TypeAlias = NamedRow | Sequence[object]


class Cells(dict[str, object]):
    """The cells of one row by column; a name is found whatever its case, as databases fold it."""

    def __missing__(self, name: str) -> object:
        folded = name.casefold()
        found = [each for each in self if each.casefold() == folded]
        if len(found) == 1:
            return self[found[0]]
        raise ValueError(f"no column {name!r} among {', '.join(self) or 'none'}")

    def get(self, name: str, default: object = None) -> object:
        """The cell of a column; ``default`` where there is none."""
        folded = name.casefold()
        known = name in self or any(each.casefold() == folded for each in self)
        return self[name] if known else default


def cells(row: Row, columns: Sequence[str] = ()) -> Cells:
    """Return the cells of a row by name; ``columns`` are the names where the row has none.

    Raises ValueError where names are missing, more or fewer than cells, or two are one.
    """
    if columns:
        found = Cells(zip(columns, cast("Sequence[object]", row), strict=True))
        if len(found) != len(columns):
            raise ValueError(f"two columns have one name: {', '.join(columns)}")
        return found
    keys = getattr(row, "keys", None)
    if keys is None:
        raise ValueError("this row has no column names: pass them as second argument")
    named = cast("NamedRow", row)
    return Cells((name, named[name]) for name in keys())


def free(row: Cells) -> dict[str, Any]:
    """Return a row of no declared shape, so that it can be sent as JSON.

    A datetime without an offset is UTC, as it was bound; JSON has no UUID and no time of day, which
    are text.
    """
    return {name: _free(each) for name, each in row.items()}


def _free(value: Any) -> Any:
    if isinstance(value, datetime):
        return value if value.utcoffset() is not None else value.replace(tzinfo=UTC)
    if isinstance(value, UUID | time):
        return str(value)
    if isinstance(value, list):
        return [_free(each) for each in cast("list[object]", value)]
    return value
