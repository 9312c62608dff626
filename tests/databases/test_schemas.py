"""What is read of DDL without a database is what databases make of it."""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from mysql import connector

from brimgen.api import Diagnostics
from brimgen.model.project import SchemaFile
from brimgen.sql.ddl.read_ddl import read_ddl
from brimgen.sql.ddl.split_statements import statements_of
from brimgen.sql.model import Schema

Tables = dict[str, list[tuple[str, bool]]]
"""The columns of each table: their names, and whether they may be NULL."""

COMMON, OF_POSTGRES, OF_MYSQL, OF_DUCKDB, OF_SQLITE = re.split(
    r"^-- .+\n", (Path(__file__).parent / "schemas.sql").read_text("utf-8"), flags=re.M
)[1:]


def _read(text: str, dialect: str) -> Schema:
    found = Diagnostics()
    schema = read_ddl([SchemaFile("schema.sql", text)], dialect, found)
    assert not [*found]
    return schema


def _ours(schema: Schema) -> Tables:
    return {
        ".".join(filter(None, (each.namespace, each.name))): [
            (column.name, bool(column.nullable)) for column in each.columns
        ]
        for each in schema.tables.values()
        if not each.view
    }


def _theirs(rows: Iterable[Any]) -> Tables:
    found: Tables = {}
    for table, column, nullable in rows:
        found.setdefault(table, []).append((column, bool(nullable)))
    return found


def test_sqlite_has_the_tables_that_are_read() -> None:
    text = COMMON + OF_SQLITE
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(text)
        rows = connection.execute(
            "SELECT m.name, c.name, NOT c.\"notnull\" AND NOT (c.pk AND c.type = 'INTEGER' "
            "AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE pk > 1)) "
            "FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        ).fetchall()
    assert _theirs(rows) == _ours(_read(text, "sqlite"))


def test_duckdb_has_the_tables_that_are_read() -> None:
    # DuckDB changes no table that another one refers to, and none with an index.
    plain = COMMON.replace(" REFERENCES people (id)", "").replace(" UNIQUE", "")
    text = plain + OF_DUCKDB
    with closing(duckdb.connect()) as connection:
        connection.execute(text)
        rows = connection.execute(
            "SELECT table_name, column_name, is_nullable FROM duckdb_columns() "
            "WHERE NOT internal ORDER BY table_name, column_index"
        ).fetchall()
    assert _theirs(rows) == _ours(_read(text, "duckdb"))


_OF_SERVER = """
SELECT CASE n.nspname WHEN 'public' THEN '' ELSE n.nspname || '.' END || c.relname, a.attname,
  NOT a.attnotnull AND NOT t.typnotnull
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
  AND n.nspname NOT LIKE 'pg_temp%'
ORDER BY 1, a.attnum
"""


def _of_postgres(socket: str, name: str, text: str) -> Tables | None:
    """The tables in a database of their own; None where PostgreSQL refuses the text."""
    address = f"host={socket} user=tester dbname="
    with psycopg.connect(f"{address}postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE IF EXISTS {name}".encode())
        admin.execute(f"CREATE DATABASE {name}".encode())
    with psycopg.connect(f"{address}{name}", autocommit=True) as connection:
        try:
            connection.execute(text.encode())
        except psycopg.Error:
            return None
        return _theirs(connection.execute(_OF_SERVER).fetchall())


def test_postgres_has_the_tables_that_are_read(postgres_socket: str) -> None:
    text = COMMON + OF_POSTGRES
    theirs = _of_postgres(postgres_socket, "schemas", text)
    assert theirs is not None and theirs == _ours(_read(text, "postgres"))


@pytest.mark.skipif("BRIMGEN_CORPORA" not in os.environ, reason="there are no corpora")
def test_schemas_of_others_are_read_as_postgres_reads_them(
    postgres_socket: str,
) -> None:
    path = Path(os.environ["BRIMGEN_CORPORA"]) / "sql-annotated/sqlc_schemas.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        schemas = [json.loads(line) for line in lines]
    ours = [x for x in schemas if not {"mysql", "sqlite"} & {*x["path"].split("/")}]
    read = 0
    for number, each in enumerate(ours):
        theirs = _of_postgres(postgres_socket, "schemas", each["sql"])
        if theirs is not None:
            read += 1
            assert theirs == _ours(_read(each["sql"], "postgres")), (
                number,
                each["path"],
            )
    assert read > 200


def test_mariadb_has_the_tables_that_are_read(mariadb_socket: str) -> None:
    text = COMMON.replace('"when"', "`when`").replace("note TEXT", "note VARCHAR(9)")
    text += OF_MYSQL
    made = connector.connect(unix_socket=mariadb_socket, user="root", use_pure=True)
    with closing(made) as connection, closing(connection.cursor()) as cursor:
        cursor.execute("DROP DATABASE IF EXISTS schemas_read")
        cursor.execute("CREATE DATABASE schemas_read")
        cursor.execute("USE schemas_read")
        for each in statements_of(SchemaFile("schema.sql", text), "mysql"):
            cursor.execute(each.text)
        cursor.execute(
            "SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns "
            "WHERE table_schema = 'schemas_read' ORDER BY table_name, ordinal_position"
        )
        theirs = _theirs(cursor.fetchall())
        cursor.execute("DROP DATABASE schemas_read")
    assert theirs == _ours(_read(text, "mysql"))
