"""Check statements by preparing them in the databases of their connections.

It only adds diagnostics; no byte of the output depends on it. Where a database has answered, its
verdict counts: the schema adds what no database tells before a statement is executed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from brimgen.diagnostics import Diagnostics, Span, did_you_mean, rules
from brimgen.model.catalog import Catalog
from brimgen.model.project import Connection, SchemaSource
from brimgen.sql.checks.check_columns import ResultColumn, columns_of
from brimgen.sql.checks.check_nulls import check_instants
from brimgen.sql.checks.check_schema import (
    InferredStatement,
    check_arguments,
    check_findings,
)
from brimgen.sql.ddl.split_statements import applied_text
from brimgen.sql.effects import Kind
from brimgen.sql.engines.engines import (
    CannotVerify,
    DuckDb,
    Engine,
    MySql,
    Postgres,
    Prepared,
)
from brimgen.sql.engines.sqlite import Sqlite
from brimgen.sql.kinds import SqlKind
from brimgen.sql.known_schema import known_schema
from brimgen.sql.model import key
from brimgen.sql.rewrite import rewrite
from brimgen.sql.statements import Bound
from brimgen.sql.uses import find_places

_NAMED = re.compile(
    r"""(?:no such [a-z ]+:|\bname:?|column named) (?:\w+\.)*(\w+)"""
    r"""|["'`](?:\w+\.)*(\w+)["'`]|\b(?:\w+\.)*(\w+) does not exist"""
)
"""The name that a database complains of, in the words of each."""


class Databases:
    """The databases of one run, each opened on first use; call ``close`` at the end."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._opened: dict[str, Engine | None] = {}

    def close(self) -> None:
        """Close and forget all of them."""
        for engine in self._opened.values():
            if engine is not None:
                engine.close()

    def _engine(self, name: str, diagnostics: Diagnostics) -> Engine | None:
        """Return the database of a connection; None where it has none, or cannot be asked."""
        if name not in self._opened:
            connection = self._catalog.project.connections[name]
            self._opened[name] = None
            try:
                self._opened[name] = open_engine(connection)
            except CannotVerify as error:
                if error.span is not None:
                    diagnostics.add(rules.SCHEMA_REFUSED, error.span, why=error)
                else:
                    at = _place_of(connection)
                    diagnostics.add(rules.CANNOT_VERIFY, at, connection=name, why=error)
            _report_unknown_tables(self._opened[name], connection, diagnostics)
        return self._opened[name]

    def ask(
        self,
        bound: Bound,
        inferred: InferredStatement | None,
        diagnostics: Diagnostics,
    ) -> tuple[ResultColumn, ...] | None:
        """Report what databases and schema say of a statement; return the columns of its rows.

        There are none where a database refuses it.
        """
        # What was said of another text of the statement counts for this one, too.
        said = Diagnostics()
        engine = self._engine(bound.body.connection, said)
        prepared = None
        if engine is not None and set(bound.statement.names) <= set(bound.types):
            prepared = _prepare(bound, engine, said)
        if inferred is not None and not said.has_errors:
            check_findings(inferred, said, accepted=prepared is not None)
        trusted = None if said.has_errors else inferred
        if trusted is not None:
            check_arguments(trusted, said)
        diagnostics.extend(said)
        if prepared is not None and prepared.refusal:
            return ()
        described = None if prepared is None else prepared.columns
        known = None if trusted is None else trusted.inferred
        return columns_of(bound.statement, described, known)


def _place_of(connection: Connection) -> Span:
    """Return where a connection says what it is verified by."""
    if connection.database is not None or connection.schema is None:
        return Span.at_file("--verify-db")
    return Span.at_file(connection.schema.files[0].name)


def _report_unknown_tables(
    engine: Engine | None, connection: Connection, diagnostics: Diagnostics
) -> None:
    """Report views over what is missing, and virtual tables of a module that is missing."""
    known = None if connection.database is not None else known_schema(connection)
    unknown: Mapping[str, str] = getattr(engine, "unknown_tables", {})
    for name, why in unknown.items():
        created = known.schema.tables.get(key("sqlite", name)) if known else None
        place = created.span if created is not None else None
        diagnostics.add(
            rules.TABLE_UNREADABLE, place or _place_of(connection), name=name, why=why
        )


def _prepare(bound: Bound, engine: Engine, diagnostics: Diagnostics) -> Prepared | None:
    """Prepare a statement and report its refusal; None where the database does not judge it."""
    statement = bound.statement
    written = rewrite(statement, find_places(statement), bound.types, engine.driver)
    text = written.text or written.with_one_each
    prepared = engine.prepare(text, tuple(slot.key for slot in written.order))
    if prepared is None:
        return None
    if prepared.refusal:
        _report_refusal(bound, engine, prepared.refusal, diagnostics)
        return prepared
    hints, kind = bound.tool.mcp, bound.facts.kind
    says_read = kind is Kind.READ or (hints.read_only and kind is Kind.OTHER)
    if prepared.change and says_read:
        diagnostics.add(
            rules.ANNOTATION_CONTRADICTS_KIND,
            hints.places.get("read_only", hints.span or bound.tool.span),
            key="read_only",
            value="true",
            kind=prepared.change,
        )
    if any(type.kind is SqlKind.DATETIME for type in bound.types.values()):
        check_instants(bound, getattr(engine, "defaults", {}), diagnostics)
    return prepared


def _report_refusal(
    bound: Bound, engine: Engine, refusal: str, diagnostics: Diagnostics
) -> None:
    connection = bound.catalog.project.connections[bound.body.connection]
    named = _NAMED.search(refusal)
    name = next((group for group in named.groups() if group), "") if named else ""
    tokens = (token for token in bound.statement.significant if name)
    at = next((each for each in tokens if each.folded == name.casefold()), None)
    block = bound.body.statement
    # A URL is not shown, as it may hold a secret.
    by_flag = connection.database is not None
    diagnostics.add(
        rules.REFUSED_BY_SCHEMA,
        block.span if at is None else block.span_at(at.start, at.end),
        suggestions=_similar_names(refusal, name, connection),
        source=(
            "the database of `--verify-db`"
            if by_flag
            else "the schema of the connection"
        ),
        database=engine.name,
        why=refusal,
    )


def _similar_names(refusal: str, name: str, connection: Connection) -> tuple[str, ...]:
    known = known_schema(connection)
    tables = known.schema.tables.values() if known is not None else ()
    if re.search("(?i)table|relation", refusal):
        return did_you_mean(name, (table.name for table in tables))
    if "column" in refusal.casefold() and "ambiguous" not in refusal:
        names = (column.name for table in tables for column in table.columns)
        return did_you_mean(name, names)
    return ()


def open_engine(connection: Connection) -> Engine | None:
    """Open the database that verifies a connection; None where there is none.

    Raises `CannotVerify`.
    """
    url, schema = connection.database, connection.schema
    match connection.dialect:
        case "sqlite" if url or schema:
            if url:
                return Sqlite.of_file(_file_of(url))
            return Sqlite.of_files(schema.files if schema else ())
        case "postgres" if url:
            return Postgres(url)
        case "mysql" if url:
            return MySql(_mysql_options(url))
        case "duckdb" if url:
            return DuckDb(path=f"{_file_of(url)}")
        case "duckdb" if schema:
            return _duckdb_of(schema) if find_spec("duckdb") else None
        case _:
            return None


def _duckdb_of(schema: SchemaSource) -> DuckDb:
    texts = (applied_text(file.text, "duckdb") for file in schema.files)
    return DuckDb(schema="\n;\n".join(texts))


def _file_of(url: str) -> Path:
    """Return the file of a URL such as ``sqlite:///relative.db``. Raises `CannotVerify`."""
    path = Path(unquote(url.partition("://")[2].removeprefix("/")))
    if not path.is_file():
        raise CannotVerify(f"there is no file {path}")
    return path


def _mysql_options(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    named = {
        "host": parts.hostname,
        "port": parts.port,
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "database": unquote(parts.path[1:]),
    }
    return options | {name: value for name, value in named.items() if value}
