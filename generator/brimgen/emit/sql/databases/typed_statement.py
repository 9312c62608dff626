"""A statement with the types of its arguments, as databases are asked about it."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Span
from brimgen.emit.sql.databases.engines import DatabaseColumn
from brimgen.emit.sql.types import SqlType
from brimgen.frozen import dataclass
from brimgen.model.catalog import SqlBody, Tool
from brimgen.sqltext import Statement
from brimgen.sqltext.effects.statement_kind import Facts
from brimgen.sqltext.result_columns import Column


@dataclass(frozen=True, slots=True)
class TypedStatement:
    """A statement of a tool, and the types of its arguments."""

    tool: Tool
    body: SqlBody
    statement: Statement
    types: Mapping[str, SqlType]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a database says of a statement; ``accepted`` is False where none was asked, too.

    ``columns`` are those of its rows, in the text and as the database describes them: none where
    it refuses the statement, None where it does not tell them.
    """

    accepted: bool = False
    columns: tuple[tuple[Column, ...], tuple[DatabaseColumn, ...]] | None = None


NOT_ASKED = Verdict()
REFUSED = Verdict(columns=((), ()))


def declares_all(typed: TypedStatement) -> bool:
    """Whether every parameter of the statement is an argument."""
    return set(typed.statement.names) <= set(typed.types)


def span_of(typed: TypedStatement, name: str) -> Span:
    """Return the first place of a name that a database reports; else the whole statement."""
    for token in typed.statement.significant:
        if name and token.folded == name.casefold():
            return typed.body.statement.span_at(token.start, token.end)
    return typed.body.statement.span
