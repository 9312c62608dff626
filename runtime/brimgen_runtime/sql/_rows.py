"""Make values of rows, as the readers of a statement's module say.

A reader takes a cell and the name of its column. Columns that are ``optional`` may be missing,
which NULL means, too, where they are not ``nullable``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from ..records.record import Member, record_of
from ._cells import (
    Cells,
    Row,
    cells,
    document,
    embedded,
    embedded_or_none,
    free,
    maybe,
    nulls,
    only,
)
from ._decode import further, members
from ._entities import row as entity_row

RowT = TypeVar("RowT")
Reader: TypeAlias = Callable[[object, str], Any]
Readers: TypeAlias = Mapping[str, Reader]


class Rows(Generic[RowT]):
    """The function ``decode`` of a module: of a row of a driver it makes what is declared."""

    def __init__(self, read: Callable[[Cells], RowT]) -> None:
        self.of_cells = read

    def __call__(self, row: Row, columns: Sequence[str] = ()) -> RowT:
        """Return a row as it is declared; ``columns`` are the names where it has none.

        Raises RowError where it is not so.
        """
        return self.of_cells(cells(row, columns))


FREE: Rows[dict[str, Any]] = Rows(free)
"""Makes a dict of all columns, whatever they are."""


def single(read: Callable[[object, str], RowT]) -> Rows[RowT]:
    """Return what reads the one column of a row."""
    return Rows(lambda row: only(row, read))


class Embedded(NamedTuple):
    """An entity in columns that begin with its name; with ``or_none``, None where all are NULL."""

    rows: Rows[Any]
    or_none: bool = False

    def read(self, row: Cells, name: str) -> Any:
        """Return the entity."""
        make = embedded_or_none if self.or_none else embedded
        return make(row, name, self.rows.of_cells)


def record(
    kind: type[RowT],
    readers: Mapping[str, Reader | Embedded],
    optional: Collection[str] = (),
    nullable: Collection[str] = (),
) -> Rows[RowT]:
    """Return what makes a dict of the class ``kind``."""
    del kind  # which is for type checkers
    plain = {n: each for n, each in readers.items() if not isinstance(each, Embedded)}
    parts = {n: each for n, each in readers.items() if isinstance(each, Embedded)}

    def read(row: Cells) -> RowT:
        found = document(row, plain, optional, nullable)
        if parts:
            found |= {name: part.read(row, name) for name, part in parts.items()}
            found = {name: found[name] for name in readers if name in found}
        return cast("RowT", found)

    return Rows(read)


def part(
    kind: type[RowT],
    readers: Readers,
    optional: Collection[str] = (),
    nullable: Collection[str] = (),
) -> Callable[[object, str], RowT]:
    """Return a reader of objects in JSON, which are dicts of the class ``kind``."""
    del kind  # which is for type checkers

    def read(value: object, name: str) -> RowT:
        found = document(members(value, name), readers, optional, nullable)
        return cast("RowT", found)

    return read


def open_part(
    readers: Readers,
    needed: Collection[str],
    rest: Reader,
    nullable: Collection[str] = (),
) -> Callable[[object, str], dict[str, Any]]:
    """Return a reader of objects in JSON whose further members ``rest`` reads."""
    return lambda value, name: further(
        members(value, name), readers, needed, rest, nullable
    )


def through_json(
    kind: type[RowT],
    readers: Readers,
    optional: Collection[str] = (),
    nullable: Collection[str] = (),
) -> Rows[RowT]:
    """Return what makes an entity of its JSON, because parts of it are objects without a name."""
    from_dict: Callable[[Any], RowT] = cast("Any", kind).from_dict
    return Rows(
        lambda row: entity_row(from_dict, document(row, readers, optional, nullable))
    )


def entity(
    kind: type[RowT], readers: Readers, nullable: Collection[str] = ()
) -> Rows[RowT]:
    """Return what makes an entity of its columns.

    Those that its class needs must be there; for others the class has a default.
    """
    return Rows(_Entity(kind, readers, nullable).read)


class _Entity(Generic[RowT]):
    """Reads entities; what the class says of its attributes is found with the first row."""

    def __init__(
        self, kind: type[RowT], readers: Readers, nullable: Collection[str]
    ) -> None:
        self._kind = kind
        self._readers = readers
        self._nullable = nullable
        self._columns: list[tuple[str, Reader, Member, bool]] = []
        self._kept: list[str] = []

    def _find(self) -> None:
        by_name = {each.wire: each for each in record_of(self._kind).members}
        self._columns = [
            (name, read, by_name[name], name in self._nullable)
            for name, read in self._readers.items()
        ]
        self._kept = [n for n in self._nullable if by_name[n].default is None]

    def read(self, row: Cells) -> RowT:
        if not self._columns and self._readers:
            self._find()
        values: dict[str, Any] = {}
        for column, read, member, is_nullable in self._columns:
            shown = f"{row.within}{column}"
            if member.is_required:
                values[member.name] = read(row[column], shown)
            elif member.default is None:
                values[member.name] = maybe(read, row.get(column), shown)
            elif column in row and (is_nullable or row[column] is not None):
                values[member.name] = maybe(read, row[column], shown)
        if self._kept:
            values[record_of(self._kind).nulls] = nulls(row, self._kept)
        return self._kind(**values)
