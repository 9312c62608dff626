"""The schema of a connection, read once for its content."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.frozen import dataclass, field
from brimgen.model.project import Connection, SchemaSource
from brimgen.sqlschema.model import Inferred, Schema
from brimgen.sqlschema.read_ddl import read_ddl
from brimgen.sqltext import Statement

_RUN_BY_AN_ENGINE = frozenset({"sqlite", "duckdb"})
"""Dialects whose engine runs the DDL, and reports what is wrong with it, before statements are
verified."""


@dataclass(frozen=True, slots=True)
class KnownSchema:
    """A schema, what was reported while its files were read, and what follows for statements."""

    schema: Schema
    reported: tuple[Diagnostic, ...]
    _inferred: dict[str, Inferred] = field(default_factory=dict[str, Inferred])

    def infer(self, statement: Statement) -> Inferred | None:
        """Return what a statement gives and takes; None without sqlglot, which reads it."""
        known = self._inferred.get(statement.text)
        if known is None and find_spec("sqlglot") is not None:
            from brimgen.sqlschema.infer import infer

            known = self._inferred[statement.text] = infer(statement, self.schema)
        return known


def known_schema(connection: Connection) -> KnownSchema | None:
    """Return the schema of a connection; None where it has none."""
    source = connection.schema
    return None if source is None else _read(source, connection.dialect)


@lru_cache(maxsize=32)
def _read(source: SchemaSource, dialect: str) -> KnownSchema:
    diagnostics = Diagnostics()
    schema = read_ddl(source.files, dialect, diagnostics)
    reported = () if dialect in _RUN_BY_AN_ENGINE else tuple(diagnostics)
    return KnownSchema(schema, reported)
