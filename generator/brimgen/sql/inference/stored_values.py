"""Check and type the values that a statement stores in the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.notes import Rules
from brimgen.sql.inference.queries import Queries
from brimgen.sql.inference.scopes import RelationColumn, Scope, Source
from brimgen.sql.model import Mistake, Origin, Schema
from brimgen.sql.tree import Parsed
from brimgen.sql.values import Value

_FILLING = frozenset({"sqlite", "mysql", "clickhouse"})
"""Dialects that may store a number of their own, or a default, in place of NULL."""


class StoredValues(Queries):
    """Reads values that are stored in columns.

    ``ignores_null`` says that the statement stores another value where a column takes no NULL.
    """

    def __init__(self, parsed: Parsed, schema: Schema, rules: Rules) -> None:
        super().__init__(parsed, schema, rules)
        self.ignores_null = False

    def report_repeated_name(self, node: exp.Expr, name: str) -> None:
        """Note that a column is named a second time."""
        text = f"the column `{name}` is named twice"
        self.report(Mistake.REPEATED_NAME, node, text, subject=name)

    def stored_column(
        self, node: exp.Expr, source: Source, scope: Scope
    ) -> RelationColumn | None:
        """The column that a value is stored in; None, and a report, if none has the name."""
        identifier = node if isinstance(node, exp.Identifier) else node.this
        if not isinstance(identifier, exp.Identifier):
            return None
        name = scope.fold(identifier)
        column = scope.column_of(source, name)
        if column is None:
            self.report(
                Mistake.UNKNOWN_COLUMN,
                identifier,
                f"`{source.table.name if source.table else source.name}` has no column `{name}`",
                subject=name,
                among=[column.name for column in source.columns or ()],
                table=source.table,
            )
        return column

    def check_count(
        self,
        node: exp.Expr,
        columns: Sequence[object] | None,
        written: Sequence[object],
        values: Sequence[object] | None,
    ) -> None:
        """Check that there is a value for each column.

        In PostgreSQL the last columns may be left out if none is ``written``.
        """
        if columns is None or values is None or len(columns) == len(values):
            return
        if not written and self.dialect == "postgres" and len(values) < len(columns):
            return
        if not values:
            return
        self.report(
            Mistake.COLUMN_COUNT,
            node,
            f"{len(values)} values are given for {len(columns)} columns",
        )

    def store_cell(
        self, cell: exp.Expr, column: RelationColumn | None, scope: Scope
    ) -> None:
        """Read a value that is stored in a column, if that is known."""
        if is_default(cell):
            if column is not None and column.origin is not None:
                origin = column.origin
                if needs_value(origin) and not self.ignores_null:
                    text = f"`{column.name}` takes no NULL and has no default"
                    self._report_null(cell, origin, text)
            return
        if isinstance(cell, exp.Star):
            return
        value = self.value(cell, scope)
        if column is not None:
            self.store(value, column)

    def store(self, value: Value, column: RelationColumn) -> None:
        """Note that a value is stored in a column."""
        origin = column.origin
        if origin is not None and origin.column.generated:
            self.report(
                Mistake.GENERATED_COLUMN,
                value.node,
                f"the database computes the column `{column.name}`",
                subject=column.name,
                table=origin.table,
                column=origin.column,
            )
        nullable = None if origin is None else self._takes_null(origin)
        self.use(value, column.type, nullable=nullable, origin=origin, stored=True)
        is_null = isinstance(value.node.unnest(), exp.Null)
        if is_null and nullable is False and origin is not None:
            self._report_null(value.node, origin, f"`{column.name}` takes no NULL")
        if column.type is None or value.type is None or value.open:
            return
        if not self.converts(value, column.type, "ia"):
            self.report(
                Mistake.MISMATCHED_TYPES,
                value.node,
                f"`{column.name}` is of the type {column.type.native}, and this is of the type"
                f" {value.type.native}",
                subject=column.name,
                table=origin.table if origin else None,
                column=origin.column if origin else None,
            )

    def _takes_null(self, origin: Origin) -> bool | None:
        """Whether a column takes NULL; None where the database may store another value."""
        column = origin.column
        if column.nullable is False:
            is_filled = column.default and self.dialect in _FILLING
            if is_filled or origin.table.has_before_trigger or self.ignores_null:
                return None
        return column.nullable

    def _report_null(self, node: exp.Expr, origin: Origin, text: str) -> None:
        self.report(
            Mistake.NULL_STORED,
            node,
            text,
            subject=origin.column.name,
            table=origin.table,
            column=origin.column,
        )


def is_default(cell: exp.Expr) -> bool:
    """Whether a value is the word DEFAULT."""
    return isinstance(cell, (exp.Column, exp.Var)) and cell.name.upper() == "DEFAULT"


def needs_value(origin: Origin) -> bool:
    """Whether the database refuses a row that leaves a column out."""
    column = origin.column
    return (
        column.nullable is False
        and not column.default
        and not column.generated
        and not origin.table.has_before_trigger
    )
