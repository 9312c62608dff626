"""Rows of drivers as mappings from column names to cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Any, Protocol, TypeAlias, TypeVar, cast
from uuid import UUID

from . import _spans
from ._row_error import RowError

ValueT = TypeVar("ValueT")


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
    """The cells of one row by column; a name is found whatever its case, as databases fold it.

    ``within`` stands before the names in messages.
    """

    within: str = ""

    def __missing__(self, name: str) -> object:
        folded = name.casefold()
        matches = [column for column in self if column.casefold() == folded]
        if len(matches) == 1:
            return self[matches[0]]
        raise RowError(f"no column {name!r} among {', '.join(self) or 'none'}")

    def __contains__(self, name: object) -> bool:
        if super().__contains__(name):
            return True
        folded = str(name).casefold()
        return any(column.casefold() == folded for column in self)

    def get(self, name: str, default: object = None) -> object:
        """The cell of a column; ``default`` where there is none."""
        if name not in self:
            return default
        return self[name]


class Members(Cells):
    """The members of an object in a cell, whose names are as they are written."""

    def __missing__(self, name: str) -> object:
        names = ", ".join(self) or "none"
        raise RowError(
            f"column {self.within + name!r}: missing", f" among {names:.200}"
        )

    def __contains__(self, name: object) -> bool:
        return super(Cells, self).__contains__(name)


def cells(row: Row, columns: Sequence[str] = ()) -> Cells:
    """Return the cells of a row by name; ``columns`` are the names where the row has none.

    Raises RowError if there are no names, not as many as cells, or two equal ones.
    """
    if columns:
        by_column = Cells(zip(columns, cast("Sequence[object]", row), strict=True))
        if len(by_column) != len(columns):
            raise RowError(f"two columns have one name: {', '.join(columns)}")
        return by_column
    keys = getattr(row, "keys", None)
    if keys is None:
        raise RowError("this row has no column names: pass them as second argument")
    named = cast("NamedRow", row)
    return Cells((name, named[name]) for name in keys())


def maybe(
    read: Callable[[object, str], ValueT], value: object, name: str
) -> ValueT | None:
    """NULL is None; everything else goes through ``read``."""
    return None if value is None else read(value, name)


def nulls(row: Cells, names: Sequence[str]) -> tuple[str, ...]:
    """Those of ``names`` that are there and NULL."""
    return tuple([name for name in names if name in row and row[name] is None])


def embedded(row: Cells, name: str, read: Callable[[Cells], ValueT]) -> ValueT:
    """The entity whose cells are those of the columns that begin with ``name`` and ``_``."""
    return read(_part(row, name))


def embedded_or_none(
    row: Cells, name: str, read: Callable[[Cells], ValueT]
) -> ValueT | None:
    """The entity of some columns; None where all of them are NULL, as an outer join leaves them."""
    part = _part(row, name)
    return None if all(cell is None for cell in part.values()) else read(part)


def _part(row: Cells, name: str) -> Cells:
    prefix = f"{name}_".casefold()
    part = Cells(
        (column[len(prefix) :], cell)
        for column, cell in row.items()
        if column.casefold().startswith(prefix)
    )
    if not part:
        raise RowError(f"no column {name}_… among {', '.join(row) or 'none'}")
    part.within = f"{row.within}{name}_"
    return part


def only(row: Cells, read: Callable[[object, str], ValueT]) -> ValueT:
    """The one cell of a row with one column."""
    if len(row) != 1:
        raise RowError(f"expected one column, got {', '.join(row) or 'none'}")
    name, cell = next(iter(row.items()))
    return read(cell, name)


def document(
    row: Cells,
    readers: Mapping[str, Callable[[object, str], Any]],
    optional: Collection[str] = (),
    nullable: Collection[str] = (),
) -> dict[str, Any]:
    """The columns that ``readers`` name; ``optional`` ones may be missing, which NULL means too
    where they are not ``nullable``.
    """
    return {
        name: (
            None
            if name in nullable and row[name] is None
            else read(row[name], f"{row.within}{name}")
        )
        for name, read in readers.items()
        if name not in optional
        or (name in row and (name in nullable or row[name] is not None))
    }


def free(row: Cells) -> dict[str, Any]:
    """Return a row of no declared shape, so that it can be sent as JSON.

    A datetime without an offset is UTC, as it was bound. What JSON has not is text: UUIDs, times
    of day, durations (ISO 8601), network addresses, and bytes (base64).
    """
    return {name: _free(cell) for name, cell in row.items()}


def _free(value: Any) -> Any:
    if isinstance(value, datetime):
        return value if value.utcoffset() is not None else value.replace(tzinfo=UTC)
    if isinstance(value, UUID | time) or type(value).__module__ == "ipaddress":
        return str(value)
    if isinstance(value, bytearray | memoryview):
        value = bytes(cast("bytes", value))
    if isinstance(value, timedelta | bytes):
        return _spans.written(value)
    if isinstance(value, list):
        return [_free(item) for item in cast("list[object]", value)]
    return value
