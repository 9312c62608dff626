"""Verify a statement by preparing it in its database: the text, its columns and their types.

It only adds diagnostics; no byte of the output depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules.sql import statements as rules
from brimgen.emit.sql.checks.check_columns import RowShape
from brimgen.emit.sql.databases.column_types import reads
from brimgen.emit.sql.databases.connect_engine import open_engine
from brimgen.emit.sql.databases.engines import CannotVerify, DatabaseColumn, Engine
from brimgen.emit.sql.databases.typed_statement import (
    NOT_ASKED,
    REFUSED,
    TypedStatement,
    Verdict,
    declares_all,
    span_of,
)
from brimgen.emit.sql.rewrite import rewrite
from brimgen.emit.sql.types import SqlType, sql_type
from brimgen.model.catalog import Catalog
from brimgen.model.project import Connection
from brimgen.model.types import (
    EntityType,
    Field,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
)
from brimgen.sqltext.parameters.uses import find_places
from brimgen.sqltext.result_columns import Column, columns

_NAMED = re.compile(
    r"""["'`](?:\w+\.)*(\w+)["'`]|\bname:? (?:\w+\.)*(\w+)|\b(?:\w+\.)*(\w+) does not exist"""
)


class Engines:
    """The databases of one run, each opened on first use."""

    def __init__(self) -> None:
        self._opened: dict[str, Engine | None] = {}

    def of(
        self, name: str, connection: Connection, diagnostics: Diagnostics
    ) -> Engine | None:
        """Return the database of a connection; None where it has none, or cannot be asked."""
        if name not in self._opened:
            self._opened[name] = None
            try:
                self._opened[name] = open_engine(connection)
            except CannotVerify as error:
                diagnostics.add(
                    rules.CANNOT_VERIFY,
                    place_of(connection),
                    connection=name,
                    why=error,
                )
        return self._opened[name]

    def close(self) -> None:
        """Close all databases."""
        for engine in self._opened.values():
            if engine is not None:
                engine.close()


def place_of(connection: Connection) -> Span:
    """Return where a connection says what it is verified by."""
    if connection.database is not None or connection.schema is None:
        return Span.at_file("--verify-db")
    return Span.at_file(connection.schema.files[0].name)


def verify_by_engine(
    typed: TypedStatement,
    connection: Connection,
    engines: Engines,
    diagnostics: Diagnostics,
) -> Verdict:
    """Report what the database says of a statement, and return it."""
    engine = engines.of(typed.body.connection, connection, diagnostics)
    if engine is None or not declares_all(typed):
        return NOT_ASKED
    written = rewrite(
        typed.statement, find_places(typed.statement), typed.types, engine.driver
    )
    text = written.text or written.with_one_each
    described = engine.describe(text, tuple(slot.key for slot in written.order))
    if described is None:
        return NOT_ASKED
    if described.refusal:
        named = _NAMED.search(described.refusal)
        name = next((group for group in named.groups() if group), "") if named else ""
        diagnostics.add(
            rules.REFUSED_BY_DATABASE,
            span_of(typed, name),
            database=engine.name,
            why=described.refusal,
        )
        return REFUSED
    if described.columns is None:
        return Verdict(accepted=True)
    columns_told = _placed(typed, described.columns), described.columns
    return Verdict(accepted=True, columns=columns_told)


def _placed(
    typed: TypedStatement, theirs: Sequence[DatabaseColumn]
) -> tuple[Column, ...]:
    ours = columns(typed.statement) or ()
    call = len(ours) != len(theirs)
    first = typed.statement.significant[0]
    tokens = [first] * len(theirs) if call else [use.token for use in ours]
    return tuple(
        Column(column.name, token, call)
        for column, token in zip(theirs, tokens, strict=True)
    )


def _word(field: Field, declared: SqlType) -> str:
    """Return the type as the spec writes it; an object without a name is called that."""
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    match type:
        case EntityType():
            return f"`{type.name}`"
        case ScalarType():
            return type.scalar.value
        case RecordType() | MapType():
            return "object"
        case _:
            return declared.word


def check_types(
    typed: TypedStatement,
    shape: RowShape | None,
    answer: tuple[tuple[Column, ...], tuple[DatabaseColumn, ...]],
    catalog: Catalog,
    diagnostics: Diagnostics,
    created: Mapping[str, Span],
) -> None:
    """Report columns whose values the reader of their field, or of the one value, refuses.

    ``created`` says where the schema creates columns, by their names in lower case.
    """
    if shape is None or (shape.single and len(answer[0]) != 1):
        return
    fields = {field.name.casefold(): field for field in shape.fields}
    row_field = Field(name="", type=shape.type, schema={}, span=shape.span)
    exact = typed.statement.dialect.name != "sqlite"
    for column, described in zip(*answer, strict=True):
        field = row_field if shape.single else fields.get(described.name.casefold())
        if field is None:
            continue
        declared = sql_type(field, catalog)
        if not reads(declared, described.type, exact=exact):
            token = column.token
            subject = f"`{field.name}`" if field.name else "it"
            diagnostics.add(
                rules.COLUMN_TYPE,
                typed.body.statement.span_at(token.start, token.end),
                notes=[
                    Note(field.span, f"{subject} is declared here"),
                    *(
                        Note(at, "the column is created here")
                        for at in [created.get(described.name.casefold())]
                        if at is not None
                    ),
                ],
                name=described.name,
                given=described.type,
                declared=_word(field, declared),
                tool=shape.tool,
            )
