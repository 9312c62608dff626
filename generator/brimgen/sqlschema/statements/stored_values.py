"""Check and type the values that a statement stores in the columns of a table."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sqlschema.model import Column, Mistake
from brimgen.sqlschema.statements.queries import Queries
from brimgen.sqlschema.statements.scopes import RelationColumn, Scope, Source
from brimgen.sqlschema.values import Value


class StoredValues(Queries):
    """Reads values that are stored in columns."""

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
        elif column.origin is not None and column.origin.column.generated:
            self.report(
                Mistake.GENERATED_COLUMN,
                identifier,
                f"the database computes the column `{name}`",
                subject=name,
                table=column.origin.table,
                column=column.origin.column,
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
        is_default = isinstance(cell, exp.Column) and cell.name.upper() == "DEFAULT"
        if is_default or isinstance(cell, exp.Star):
            return
        value = self.value(cell, scope)
        if column is not None:
            self.store(value, column)

    def store(self, value: Value, column: RelationColumn) -> None:
        """Note that a value is stored in a column."""
        origin = column.origin
        nullable = None if origin is None else _takes_null(origin.column, self.dialect)
        self.use(value, column.type, nullable=nullable, origin=origin, stored=True)
        if column.type is None or value.type is None or value.open:
            return
        if self.rules.casts(value, column.type) not in ("i", "a"):
            self.report(
                Mistake.MISMATCHED_TYPES,
                value.node,
                f"`{column.name}` is of the type {column.type.native}, and this is of the type"
                f" {value.type.native}",
                subject=column.name,
                table=origin.table if origin else None,
                column=origin.column if origin else None,
            )


def _takes_null(column: Column, dialect: str) -> bool | None:
    """Whether a column takes NULL; SQLite and MySQL make a key of it where they number rows."""
    if column.nullable is False and column.default and dialect in ("sqlite", "mysql"):
        return None
    return column.nullable
