"""The schema of a connection, read once for its content."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.model.project import Connection, SchemaSource
from brimgen.sql import Statement
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.model import Inferred, Schema


class KnownSchema:
    """A schema, what was reported while its files were read, and what follows for statements."""

    def __init__(self, schema: Schema, reported: tuple[Diagnostic, ...]) -> None:
        self.schema = schema
        self.reported = reported
        self._inferred: dict[str, Inferred] = {}

    def infer(self, statement: Statement) -> Inferred:
        """Return what a statement gives and takes."""
        text = statement.text
        if text not in self._inferred:
            from brimgen.sql.infer import infer

            self._inferred[text] = infer(statement, self.schema)
        return self._inferred[text]


def known_schema(connection: Connection) -> KnownSchema | None:
    """Return the schema of a connection; None where it has none."""
    source = connection.schema
    return None if source is None else _read(source, connection.dialect)


@lru_cache(maxsize=32)
def _read(source: SchemaSource, dialect: str) -> KnownSchema:
    diagnostics = Diagnostics()
    schema = read_ddl(source.files, dialect, diagnostics)
    return KnownSchema(schema, () if _is_run(dialect) else tuple(diagnostics))


def _is_run(dialect: str) -> bool:
    """Whether an engine runs the DDL, and reports what is wrong with it."""
    return dialect == "sqlite" or (
        dialect == "duckdb" and find_spec("duckdb") is not None
    )
