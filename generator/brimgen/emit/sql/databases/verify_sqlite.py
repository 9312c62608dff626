"""Verify statements by preparing them in SQLite against the schema of their connection.

It only adds diagnostics; no byte of the output depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, did_you_mean
from brimgen.diagnostics.rules.sql import statements as rules
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.databases.connect_engine import file_of
from brimgen.emit.sql.databases.engines import CannotVerify, DatabaseColumn
from brimgen.emit.sql.databases.typed_statement import (
    NOT_ASKED,
    REFUSED,
    TypedStatement,
    Verdict,
    declares_all,
    span_of,
)
from brimgen.emit.sql.databases.verify_engine import place_of
from brimgen.emit.sql.rewrite import rewrite
from brimgen.model.project import Connection
from brimgen.sqlschema.known_schema import known_schema
from brimgen.sqlschema.model import key
from brimgen.sqltext import Kind, Token
from brimgen.sqltext.drivers import DRIVERS
from brimgen.sqltext.parameters.uses import find_places
from brimgen.sqltext.result_columns import Column, columns

if TYPE_CHECKING:
    from brimgen.emit.sql.databases.sqlite_schema import Prepared, SqliteSchema

_NAMED = re.compile(
    r"(?:no such [a-z ]+: |ambiguous column name: |has no column named |near \")([^\"]+)"
)
_RENAMED = re.compile(r"(.+):\d+")


class Schemas:
    """The databases of one run, each opened on first use."""

    def __init__(self) -> None:
        self._opened: dict[str, SqliteSchema | None] = {}

    def of(
        self, name: str, connection: Connection, diagnostics: Diagnostics
    ) -> SqliteSchema | None:
        """Return the database of a connection; None where it has none, or SQLite refuses it."""
        if name not in self._opened:
            self._opened[name] = None
            schema = _open_schema(name, connection, diagnostics)
            if schema is not None:
                _report_unknown_tables(schema, connection, diagnostics)
            self._opened[name] = schema
        return self._opened[name]

    def close(self) -> None:
        """Forget all databases."""
        for schema in self._opened.values():
            if schema is not None:
                schema.close()


def _open_schema(
    name: str, connection: Connection, diagnostics: Diagnostics
) -> SqliteSchema | None:
    from brimgen.emit.sql.databases.sqlite_schema import SchemaRefused, SqliteSchema

    try:
        if connection.database is not None:
            return SqliteSchema.of_file(file_of(connection.database))
        return (
            SqliteSchema.of_files(connection.schema.files)
            if connection.schema
            else None
        )
    except SchemaRefused as refused:
        if refused.span is not None:
            diagnostics.add(rules.SCHEMA_REFUSED, refused.span, why=refused)
            return None
        why = str(refused)
    except CannotVerify as error:
        why = str(error)
    diagnostics.add(rules.CANNOT_VERIFY, place_of(connection), connection=name, why=why)
    return None


def _report_unknown_tables(
    schema: SqliteSchema, connection: Connection, diagnostics: Diagnostics
) -> None:
    """Report views over what is missing, and virtual tables of a module that is missing."""
    known = None if connection.database is not None else known_schema(connection)
    for name, why in schema.unknown_tables.items():
        created = known.schema.tables.get(key("sqlite", name)) if known else None
        place = place_of(connection)
        if created is not None and created.span is not None:
            place = created.span
        diagnostics.add(rules.TABLE_UNREADABLE, place, name=name, why=why)


def verify(
    typed: TypedStatement,
    connection: Connection,
    schemas: Schemas,
    diagnostics: Diagnostics,
) -> Verdict:
    """Report what SQLite says of a statement, and return it.

    Without a schema, or with one that SQLite refuses, nothing is reported.
    """
    statement = typed.statement
    if statement.dialect.name != "sqlite" or statement.words[:1] == ("EXPLAIN",):
        return NOT_ASKED
    schema = schemas.of(typed.body.connection, connection, diagnostics)
    if schema is None:
        return NOT_ASKED
    written = rewrite(
        statement, find_places(statement), typed.types, DRIVERS["sqlite3"]
    )
    text, names = written.text, tuple(slot.key for slot in written.order)
    if text is None or not declares_all(typed):
        return NOT_ASKED
    prepared = schema.prepare(text, names)
    _check_prepared(typed, prepared, schema, connection, diagnostics)
    if prepared.refusal is not None or prepared.unbound:
        return REFUSED
    if any(type_.kind is SqlKind.DATETIME for type_ in typed.types.values()):
        from brimgen.emit.sql.checks.check_instants import (
            check_instants,  # most have none
        )

        check_instants(typed, schema, diagnostics)
    columns_told = _columns(typed, prepared, schema, text, names)
    return Verdict(accepted=True, columns=columns_told)


def _check_prepared(
    typed: TypedStatement,
    prepared: Prepared,
    schema: SqliteSchema,
    connection: Connection,
    diagnostics: Diagnostics,
) -> None:
    block = typed.body.statement
    if prepared.refusal is not None:
        named = _NAMED.search(prepared.refusal)
        name = named[1].rpartition(".")[2] if named else ""
        diagnostics.add(
            rules.REFUSED_BY_SCHEMA,
            span_of(typed, name),
            suggestions=_similar_names(prepared.refusal, name, schema),
            source=_source(connection),
            why=prepared.refusal,
        )
    for name in prepared.unbound:
        theirs = f"the parameter `:{name}`"
        diagnostics.add(
            rules.READINGS_DISAGREE, block.span, theirs=theirs, ours="none of that name"
        )
    if not prepared.changes:
        return
    verb, subject = prepared.changes[0]
    hints = typed.tool.mcp
    if typed.facts.kind is Kind.READ:
        theirs = f"{verb} of `{subject}`"
        diagnostics.add(
            rules.READINGS_DISAGREE, block.span, theirs=theirs, ours="a read"
        )
    elif hints.read_only and typed.facts.kind is Kind.OTHER:
        diagnostics.add(
            rules.ANNOTATION_CONTRADICTS_KIND,
            hints.places.get("read_only", hints.span or typed.tool.span),
            key="read_only",
            value="true",
            kind=f"{verb} of `{subject}`",
        )


def _source(connection: Connection) -> str:
    """Return what the tables were read from; a URL is not shown, as it may hold a secret."""
    by_flag = connection.database is not None
    return (
        "the database of `--verify-db`" if by_flag else "the schema of the connection"
    )


def _similar_names(refusal: str, name: str, schema: SqliteSchema) -> tuple[str, ...]:
    tables = schema.tables
    if "no such table" in refusal:
        return did_you_mean(name, tables)
    if "column" in refusal and "ambiguous" not in refusal:
        column_names = {column for table in tables.values() for column in table}
        return did_you_mean(name, column_names)
    return ()


def _columns(
    typed: TypedStatement,
    prepared: Prepared,
    schema: SqliteSchema,
    text: str,
    names: tuple[str, ...],
) -> tuple[tuple[Column, ...], tuple[DatabaseColumn, ...]] | None:
    query = _query(typed, prepared, text)
    theirs = schema.columns(query, names) if query else None
    if theirs is None:
        return None
    ours = columns(typed.statement)
    first = typed.statement.significant[0]
    tokens: list[Token] = [column.token for column in ours or ()]
    call = len(tokens) != len(theirs)
    if call:
        tokens = [first] * len(theirs)
    column_names = [column.name for column in theirs]
    described = tuple(
        DatabaseColumn(_original(column.name, column_names), column.type)
        for column in theirs
    )
    placed = tuple(
        Column(column.name, token, call)
        for column, token in zip(described, tokens, strict=True)
    )
    return placed, described


def _original(name: str, names: Sequence[str]) -> str:
    """Return the name of a column that SQLite numbers, as ``name:1``, because an earlier one
    has it.
    """
    renamed = _RENAMED.fullmatch(name)
    return renamed[1] if renamed and renamed[1] in names else name


def _query(typed: TypedStatement, prepared: Prepared, text: str) -> str:
    """Return a query with the columns of the statement: itself, or RETURNING as a query of its
    table.
    """
    text = text.rstrip().rstrip(";")
    if typed.facts.kind is Kind.READ:
        return text
    tokens = typed.statement.significant
    at = next(
        (token.end for token in reversed(tokens) if token.word == "RETURNING"), None
    )
    bound = typed.statement.parameters[-1:]
    if at is None or not prepared.changes or (bound and bound[0].start > at):
        return ""
    table = prepared.changes[0][1].replace('"', '""')
    returned = typed.statement.text[at:].rstrip().rstrip(";")
    return f'SELECT {returned}\nFROM "{table}"'
