"""The four databases, each filled by a script and asked the same few questions.

`describe` is what the database says of a statement without running it, `run` its rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, Protocol

import pytest

from brimgen.sql import DIALECTS, TokenKind, scan
from brimgen.sql.model import Base, ColumnType, Inferred

Rows = Sequence[Sequence[Any]]


class Engine(Protocol):
    """A database that a script has filled."""

    dialect: str

    def describe(self, sql: str) -> Sequence[str] | None:
        """The types of the columns, in the words of the database; None if it tells none."""
        ...

    def run(self, sql: str, empty: Sequence[str]) -> Rows:
        """The rows of a statement, while some tables are empty; nothing stays changed."""
        ...

    def close(self) -> None:
        """Leave the database."""
        ...


_SAMPLES: dict[Base, tuple[str, ...]] = {
    Base.BOOL: ("true", "false"),
    Base.DATE: ("'2024-01-01'", "'1990-01-02'"),
    Base.DATETIME: ("'2024-01-01 10:00:00'", "'2030-01-01 00:00:00'"),
    Base.INSTANT: ("'2024-01-01 10:00:00'",),
    Base.JSON: ("'{}'",),
    Base.TEXT: ("'a'", "'%'", "'ann@x'"),
}
_NUMBERS = ("1", "10", "0")


def literals(type: ColumnType | None) -> tuple[str, ...]:
    """Values of a type, as SQL writes them."""
    if type is None:
        return ("NULL",)
    if type.labels:
        return tuple(f"'{each}'" for each in type.labels)
    return _SAMPLES.get(type.base, _NUMBERS)


def with_values(sql: str, dialect: str, inferred: Inferred) -> list[str]:
    """A statement with values in place of its parameters, in a few variants."""
    statement = scan(sql, DIALECTS[dialect])
    found: list[str] = []
    for variant in range(3):
        pieces: list[str] = []
        for token in statement.tokens:
            if token.kind is not TokenKind.PARAM:
                pieces.append(token.text)
                continue
            parameter = inferred.parameters[token.text[1:]]
            values = literals(parameter.type)
            value = values[variant % len(values)]
            if parameter.nullable and variant == 2:
                value = "NULL"
            if parameter.is_list:
                several = ", ".join(values)
                is_any = "ANY" in "".join(pieces)[-6:].upper()
                value = f"ARRAY[{several}]" if is_any else several
            pieces.append(value)
        text = "".join(pieces)
        if text not in found:
            found.append(text)
    return found


def opened(
    dialect: str, script: Sequence[str], request: pytest.FixtureRequest
) -> Engine:
    """Return a database of a dialect, until the test ends; its server is started if it has one."""
    engine: Engine
    if dialect in ("sqlite", "duckdb"):
        engine = (Sqlite if dialect == "sqlite" else Duckdb)(script)
    elif dialect == "postgres":
        engine = Postgres(script, request.getfixturevalue("postgres_socket"))
    else:
        engine = Mariadb(script, request.getfixturevalue("mariadb_socket"))
    request.addfinalizer(engine.close)
    return engine


class Sqlite:
    """SQLite, in memory."""

    dialect = "sqlite"

    def __init__(self, script: Sequence[str]) -> None:
        self._connection: Any = sqlite3.connect(":memory:", isolation_level=None)
        for each in script:
            self._connection.execute(each)

    def close(self) -> None:
        self._connection.close()

    def describe(self, sql: str) -> Sequence[str] | None:
        return None

    def run(self, sql: str, empty: Sequence[str]) -> Rows:
        self._connection.execute("BEGIN")
        try:
            for each in empty:
                self._connection.execute(f"DELETE FROM {each}")
            return self._connection.execute(sql).fetchall()
        finally:
            self._connection.execute("ROLLBACK")


class Duckdb(Sqlite):
    """DuckDB, in memory."""

    dialect = "duckdb"

    def __init__(self, script: Sequence[str]) -> None:
        import duckdb

        self._connection = duckdb.connect()
        for each in script:
            self._connection.execute(each)

    def describe(self, sql: str) -> Sequence[str] | None:
        first = sql.split()[0].upper()
        if first not in ("SELECT", "WITH"):
            return None
        return [
            row[1] for row in self._connection.execute(f"DESCRIBE {sql}").fetchall()
        ]


class Postgres:
    """PostgreSQL, in a schema of its own."""

    dialect = "postgres"

    def __init__(self, script: Sequence[str], socket: str) -> None:
        import psycopg

        self.connection = psycopg.connect(
            host=socket, user="tester", dbname="postgres", autocommit=True
        )
        self.connection.execute("DROP SCHEMA IF EXISTS shop CASCADE")
        self.connection.execute("CREATE SCHEMA shop")
        self.connection.execute("SET search_path = shop")
        for each in script:
            self.connection.execute(each)  # type: ignore[call-overload]

    def prepare(self, sql: str) -> tuple[list[str], list[str], str]:
        """The types of the columns and of the parameters; or why it is refused."""
        wire = self.connection.pgconn
        made = wire.prepare(b"", sql.encode())
        if made.status == 1:
            made = wire.describe_prepared(b"")
        if made.status != 1:
            said = made.error_field(ord("M")) or b"?"
            return [], [], said.decode()
        columns = [
            self._type(made.ftype(at), made.fmod(at)) for at in range(made.nfields)
        ]
        taken = [self._type(made.param_type(at), -1) for at in range(made.nparams)]
        return columns, taken, ""

    def _type(self, oid: int, modifier: int) -> str:
        row = self.connection.execute(
            "SELECT format_type(%s, %s)", (oid, modifier)
        ).fetchone()
        assert row is not None
        return row[0].removeprefix("shop.")

    def close(self) -> None:
        self.connection.close()

    def describe(self, sql: str) -> Sequence[str] | None:
        columns, _, refusal = self.prepare(sql)
        assert not refusal, (sql, refusal)
        return columns

    def run(self, sql: str, empty: Sequence[str]) -> Rows:
        self.connection.execute("BEGIN")
        try:
            for each in empty:
                self.connection.execute(f"DELETE FROM {each}")  # type: ignore[call-overload]
            cursor = self.connection.execute(sql)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []
        finally:
            self.connection.execute("ROLLBACK")


class Mariadb:
    """MariaDB, in a database of its own."""

    dialect = "mysql"

    def __init__(self, script: Sequence[str], socket: str) -> None:
        import pymysql

        self._connection = pymysql.connect(
            unix_socket=socket, user="root", charset="utf8mb4", autocommit=True
        )
        with self._connection.cursor() as cursor:
            cursor.execute("DROP DATABASE IF EXISTS inferred")
            cursor.execute("CREATE DATABASE inferred")
            cursor.execute("USE inferred")
            for each in script:
                cursor.execute(each)

    def close(self) -> None:
        if self._connection.open:
            self._connection.close()

    def describe(self, sql: str) -> Sequence[str] | None:
        from pymysql.constants import FIELD_TYPE

        names = {
            number: name
            for name, number in vars(FIELD_TYPE).items()
            if isinstance(number, int)
        }
        with self._connection.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(sql)
            fields = getattr(cursor._result, "fields", None)
            cursor.execute("ROLLBACK")
        if not fields:
            return None
        return [
            f"{names[each.type_code]} {each.length} {each.charsetnr}" for each in fields
        ]

    def run(self, sql: str, empty: Sequence[str]) -> Rows:
        with self._connection.cursor() as cursor:
            cursor.execute("BEGIN")
            try:
                for each in empty:
                    cursor.execute(f"DELETE FROM {each}")
                cursor.execute(sql)
                return list(cursor.fetchall())
            finally:
                cursor.execute("ROLLBACK")
