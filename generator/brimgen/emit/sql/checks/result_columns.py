"""The columns of the rows of a statement, as its text, the schema or a database tells them."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.sql.databases.engines import DatabaseColumn
from brimgen.frozen import dataclass
from brimgen.sql import Statement
from brimgen.sql.model import Inferred, InferredColumn, Place
from brimgen.sql.result_columns import columns


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """One column: its name, None where nobody tells it, and where it stands.

    ``spread`` is one of those that ``*`` stands for: nobody has asked for it by name. ``unnamed``
    is the text of an expression without an alias, to which no database gives a name that an author
    would. ``native`` is its type in the words of the database, empty where that is unknown;
    ``inferred`` is what the schema says of it.
    """

    name: str | None
    place: Place
    spread: bool = False
    unnamed: str = ""
    native: str = ""
    inferred: InferredColumn | None = None


def columns_of(
    statement: Statement,
    described: Iterable[DatabaseColumn] | None = None,
    inferred: Inferred | None = None,
) -> tuple[ResultColumn, ...] | None:
    """Return the columns of a statement, as ``described`` by a database, else as ``inferred``
    from the schema, else as its text shows them; None where their number is unknown.
    """
    written = statement.computed_once(columns)
    by_name = {
        column.name.casefold(): column
        for column in (inferred.columns if inferred else None) or ()
    }
    if described is not None:
        told = tuple(described)
        is_spread = written is None or len(written) != len(told)
        first = statement.significant[0]
        tokens = [column.token for column in written or ()]
        tokens = [first] * len(told) if is_spread else tokens
        return tuple(
            ResultColumn(
                column.name,
                Place(token.start, token.end),
                is_spread,
                native=column.type,
                inferred=by_name.get(column.name.casefold()),
            )
            for column, token in zip(told, tokens, strict=True)
        )
    known = inferred.columns if inferred is not None else None
    if known is not None and (len(known) == 1 or all(each.name for each in known)):
        return tuple(
            ResultColumn(
                column.name or None,
                column.place,
                statement.text[slice(*column.place)].rstrip().endswith("*"),
                native=column.type.native if column.type else "",
                inferred=column,
            )
            for column in known
        )
    if written is None:
        return None
    return tuple(
        ResultColumn(
            column.name,
            Place(column.token.start, column.token.end),
            column.spread,
            column.unnamed,
            inferred=by_name.get(column.name.casefold()) if column.name else None,
        )
        for column in written
    )
