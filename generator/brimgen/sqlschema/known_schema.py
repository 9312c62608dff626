"""The schema of a connection, read once for its content."""

from __future__ import annotations

from functools import lru_cache

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.frozen import dataclass
from brimgen.model.project import Connection, SchemaSource
from brimgen.sqlschema.model import Schema
from brimgen.sqlschema.read_ddl import read_ddl

_RUN_BY_AN_ENGINE = frozenset({"sqlite", "duckdb"})
"""Dialects whose engine runs the DDL, and reports what is wrong with it, before statements are
verified."""


@dataclass(frozen=True, slots=True)
class KnownSchema:
    """A schema, and what was reported while its files were read."""

    schema: Schema
    reported: tuple[Diagnostic, ...]


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
