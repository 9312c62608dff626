"""Names of column types, as DDL writes them and as databases print them."""

from __future__ import annotations

import pytest

from brimgen.model.types import Scalar
from brimgen.sql.kinds import KINDS, SqlKind
from brimgen.sql.model import SCALAR_OF, Base, Schema, Table, key
from brimgen.sql.rules.native_types import column_type, rows_of_types, type_of

READ = [
    ("postgres", "varchar(40)", Base.TEXT, "character varying(40)"),
    ("postgres", "TIMESTAMP (3) WITH TIME ZONE", Base.INSTANT, None),
    ("postgres", "timestamp(3)", Base.DATETIME, "timestamp(3) without time zone"),
    ("postgres", "float(10)", Base.FLOAT4, "real"),
    ("postgres", "numeric(10, 2)", Base.DECIMAL, "numeric(10,2)"),
    ("postgres", "inet", Base.OTHER, "inet"),
    ("mysql", "INT(11) UNSIGNED", Base.INT8, "int(11) unsigned"),
    ("mysql", "tinyint(1)", Base.BOOL, "tinyint(1)"),
    ("mysql", "tinyint(4)", Base.INT2, "tinyint(4)"),
    ("mysql", "varchar(9) CHARACTER SET utf8mb4", Base.TEXT, "varchar(9)"),
    ("sqlite", "VARCHAR(20)", Base.TEXT, "TEXT"),
    ("sqlite", "bigint unsigned", Base.INT8, "INTEGER"),
    ("sqlite", "STRING", Base.OTHER, "STRING"),
    ("duckdb", "DECIMAL(18,3)", Base.DECIMAL, "DECIMAL(18,3)"),
    ("duckdb", "STRUCT(a INTEGER)", Base.OTHER, "STRUCT(a INTEGER)"),
    ("tsql", "BIT", Base.BOOL, "bit"),
    ("tsql", "UNIQUEIDENTIFIER", Base.UUID, "uniqueidentifier"),
    ("tsql", "DATETIME2(6)", Base.DATETIME, "datetime2(6)"),
    ("tsql", "nvarchar(max)", Base.TEXT, "nvarchar(max)"),
    ("tsql", "timestamp", Base.BYTES, "rowversion"),
    ("oracle", "NUMBER(10)", Base.INT16, "NUMBER(10)"),
    ("oracle", "NUMBER(10,2)", Base.DECIMAL, "NUMBER(10,2)"),
    ("oracle", "NUMBER", Base.DECIMAL, "NUMBER"),
    ("oracle", "DATE", Base.OTHER, "DATE"),
    ("snowflake", "NUMBER", Base.INT16, "NUMBER"),
    ("snowflake", "NUMBER(9, 3)", Base.DECIMAL, "NUMBER(9,3)"),
    ("bigquery", "TIMESTAMP", Base.INSTANT, "TIMESTAMP"),
    ("databricks", "STRING", Base.TEXT, "STRING"),
    ("clickhouse", "LowCardinality(Nullable(String))", Base.TEXT, "String"),
    ("clickhouse", "DateTime64(6)", Base.INSTANT, "DateTime64(6)"),
]

_UNSURE = {(SqlKind.DATE, "oracle")}


@pytest.mark.parametrize(("dialect", "written", "base", "native"), READ)
def test_a_type_is_read_whatever_its_spelling(
    dialect: str, written: str, base: Base, native: str | None
) -> None:
    found = column_type(dialect, written)
    assert found is not None
    assert found.base is base
    assert found.native == (native or "timestamp(3) with time zone")


def test_lists_and_enums_know_what_is_in_them() -> None:
    numbers = column_type("postgres", "int[][]")
    assert numbers is not None and numbers.item is not None
    assert (numbers.native, numbers.item.scalar) == ("integer[]", Scalar.INT)
    mood = column_type("postgres", "mood", {"mood": ("sad", "ok")})
    assert mood is not None and mood.labels == ("sad", "ok")
    size = column_type("mysql", "enum('s','it''s')")
    assert size is not None and size.labels == ("s", "it's")
    assert column_type("sqlite", "") is None


def test_every_base_has_its_scalar_and_every_dialect_names_for_it() -> None:
    assert set(Base) == SCALAR_OF.keys()
    for dialect, rows in rows_of_types().items():
        for printed, base, _ in rows:
            digits = "(9,2)" if base is Base.DECIMAL else ""
            found = column_type(dialect, f"{printed}{digits}")
            assert found is not None and found.base is base, (dialect, printed)
            assert type_of(dialect, base).base is base


def test_the_types_that_brimgen_binds_are_types_of_their_dialect() -> None:
    for kind, row in KINDS.items():
        for dialect, written in row.names.items():
            found = column_type(dialect, written)
            known = found is not None and found.base is not Base.OTHER
            assert known or (kind, dialect) in _UNSURE, (kind, dialect, written)


def test_only_postgres_tells_names_apart_by_case() -> None:
    tables = [Table(name="Users", columns=(), namespace="app")]
    assert Schema.of("postgres", tables).tables.keys() == {"app.Users"}
    assert Schema.of("sqlite", tables).tables.keys() == {"app.users"}
    assert key("mysql", "Users") == "users"
