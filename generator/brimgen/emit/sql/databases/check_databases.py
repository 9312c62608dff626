"""Check statements against the databases of their connections."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.diagnostics import Diagnostics, Span
from brimgen.emit.sql.checks.check_columns import RowShape
from brimgen.emit.sql.checks.check_schema import (
    InferredStatement,
    check_arguments,
    check_findings,
    check_result,
)
from brimgen.emit.sql.databases.typed_statement import NOT_ASKED, TypedStatement
from brimgen.emit.sql.databases.verify_engine import (
    Engines,
    check_types,
    verify_by_engine,
)
from brimgen.emit.sql.databases.verify_sqlite import Schemas, verify
from brimgen.model.catalog import Catalog, SqlBody
from brimgen.sqltext import Statement
from brimgen.sqltext.result_columns import Column


class Databases:
    """The databases of one run; call ``close`` at the end."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._schemas = Schemas()
        self._engines = Engines()

    def close(self) -> None:
        """Close and forget all of them."""
        self._engines.close()
        self._schemas.close()

    def lacks_column(
        self, names: Iterable[str], of: Statement, by: SqlBody, diagnostics: Diagnostics
    ) -> bool:
        """Whether a table that a statement names is known to lack a column of one of ``names``.

        Of a connection without a schema nothing is known.
        """
        connection = self._catalog.project.connections[by.connection]
        schema = None
        if of.dialect.name == "sqlite":
            schema = self._schemas.of(by.connection, connection, diagnostics)
        if schema is None:
            return False
        column_names = {
            column.casefold()
            for table, columns in schema.tables.items()
            if table.upper() in of.vocabulary
            for column in columns
        }
        return bool(column_names) and not column_names.issuperset(
            name.casefold() for name in names
        )

    def ask(
        self,
        typed: TypedStatement,
        shape: RowShape | None,
        inferred: InferredStatement | None,
        diagnostics: Diagnostics,
    ) -> tuple[Column, ...] | None:
        """Report what databases and schema say of a statement; return its columns where one of
        them tells them.
        """
        # What was said of another text of the statement counts for this one, too.
        said = Diagnostics()
        connection = self._catalog.project.connections[typed.body.connection]
        verdict = verify(typed, connection, self._schemas, said)
        if verdict is NOT_ASKED:
            verdict = verify_by_engine(typed, connection, self._engines, said)
        if inferred is not None and not said.has_errors:
            check_findings(inferred, said, accepted=verdict.accepted)
        answer = verdict.columns
        if inferred is not None and not said.has_errors:
            check_result(inferred, shape, said)
            check_arguments(inferred, said)
            answer = answer or inferred.columns()
        diagnostics.extend(said)
        if answer is None:
            return None
        created = inferred.created() if inferred is not None else dict[str, Span]()
        check_types(typed, shape, answer, self._catalog, diagnostics, created)
        return answer[0]
