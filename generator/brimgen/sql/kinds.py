"""The scalars in SQL: one row per scalar, and one per kind of value that a database holds.

Several scalars can share a kind. Readers and encoders are functions of ``runtime/sql/_decode.py``
and ``runtime/sql/_encode.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from brimgen.frozen import dataclass, field
from brimgen.model.types import Scalar


class SqlKind(StrEnum):
    """What a database is asked to hold."""

    INT = "int"
    UINT64 = "uint64"
    FLOAT = "float"
    DECIMAL = "decimal"
    BOOL = "bool"
    TEXT = "string"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    DURATION = "duration"
    BYTES = "bytes"
    PRIMITIVE = "primitive"
    JSON = "json"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlCodec:
    """How a database holds the values of one scalar.

    - ``kind``: what the database is asked to hold.
    - ``reader``: the function that decodes a cell; that of an object or a list takes the reader
      of its members.
    - ``from_json``: the function that makes what is bound of JSON, where a leaf is bound as this
      scalar; empty where JSON is bound.
    """

    kind: SqlKind
    reader: str
    from_json: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """What is known of one kind of value.

    - ``names``: the type of a column by dialect; none where no type is sure.
    - ``encoder``: the function that encodes a parameter; ``encoders`` are those of dialects that
      need another, ``json_encoder`` that of an item of a list which is bound as JSON.
    - ``reads``: the families of column types that its reader takes.
    - ``unbound``: the dialects that take no parameter of it; ``unlisted``: those that take no list
      of it on the right of IN.
    - ``casts``: the families of PostgreSQL's types to which authors cast it, and as which drivers
      do not send it.
    """

    encoder: str
    reads: frozenset[str]
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    encoders: Mapping[str, str] = field(default_factory=dict[str, str])
    json_encoder: str = ""
    casts: tuple[str, ...] = ()
    unbound: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()


DIALECTS = (
    "sqlite",
    "postgres",
    "duckdb",
    "mysql",
    "oracle",
    "tsql",
    "snowflake",
    "databricks",
    "bigquery",
    "clickhouse",
)

SQL: Mapping[Scalar, SqlCodec] = {
    Scalar.INT: SqlCodec(kind=SqlKind.INT, reader="integer"),
    Scalar.UINT64: SqlCodec(kind=SqlKind.UINT64, reader="uint64"),
    Scalar.FLOAT: SqlCodec(kind=SqlKind.FLOAT, reader="double", from_json="float"),
    Scalar.DECIMAL: SqlCodec(
        kind=SqlKind.DECIMAL, reader="decimal", from_json="_leaf.to_decimal"
    ),
    Scalar.BOOL: SqlCodec(kind=SqlKind.BOOL, reader="boolean"),
    Scalar.STRING: SqlCodec(kind=SqlKind.TEXT, reader="text"),
    Scalar.DATE: SqlCodec(
        kind=SqlKind.DATE, reader="day", from_json="date.fromisoformat"
    ),
    Scalar.DATETIME: SqlCodec(
        kind=SqlKind.DATETIME, reader="timestamp", from_json="datetime.fromisoformat"
    ),
    Scalar.TIME: SqlCodec(
        kind=SqlKind.TIME, reader="clock", from_json="time.fromisoformat"
    ),
    Scalar.DURATION: SqlCodec(
        kind=SqlKind.DURATION, reader="span", from_json="_spans.read"
    ),
    Scalar.BYTES: SqlCodec(
        kind=SqlKind.BYTES, reader="blob", from_json="_spans.unpacked"
    ),
    Scalar.PRIMITIVE: SqlCodec(kind=SqlKind.PRIMITIVE, reader="primitive"),
    Scalar.OBJECT: SqlCodec(kind=SqlKind.JSON, reader="mapping"),
    Scalar.ARRAY: SqlCodec(kind=SqlKind.JSON, reader="array"),
    Scalar.SPLAT: SqlCodec(kind=SqlKind.TEXT, reader="text"),
}

_NUMBERS = frozenset({"int", "tiny", "decimal"})

KINDS: Mapping[SqlKind, KindRow] = {
    SqlKind.INT: KindRow(
        names={
            "sqlite": "INTEGER",
            "postgres": "bigint",
            "duckdb": "BIGINT",
            "mysql": "BIGINT",
            "oracle": "NUMBER(19)",
            "tsql": "bigint",
            "snowflake": "NUMBER(19,0)",
            "databricks": "BIGINT",
            "bigquery": "INT64",
            "clickhouse": "Int64",
        },
        encoder="int64",
        reads=_NUMBERS,
        casts=("text", "boolean"),
    ),
    SqlKind.UINT64: KindRow(
        names={
            "sqlite": "INTEGER",
            "postgres": "numeric(20)",
            "duckdb": "UBIGINT",
            "mysql": "BIGINT UNSIGNED",
            "oracle": "NUMBER(20)",
            "tsql": "decimal(20)",
            "snowflake": "NUMBER(20,0)",
            "databricks": "DECIMAL(20,0)",
            "bigquery": "NUMERIC",
            "clickhouse": "UInt64",
        },
        encoder="uint64",
        encoders={
            "sqlite": "uint63",
            "postgres": "uint64_decimal",
            "tsql": "uint64_decimal",
            "databricks": "uint64_decimal",
            "bigquery": "uint64_decimal",
        },
        reads=_NUMBERS,
        casts=("text", "boolean"),
    ),
    SqlKind.FLOAT: KindRow(
        names={
            "sqlite": "REAL",
            "postgres": "double precision",
            "duckdb": "DOUBLE",
            "mysql": "DOUBLE",
            "oracle": "BINARY_DOUBLE",
            "tsql": "float",
            "snowflake": "FLOAT",
            "databricks": "DOUBLE",
            "bigquery": "FLOAT64",
            "clickhouse": "Float64",
        },
        encoder="double",
        reads=_NUMBERS | {"float"},
        casts=("text", "integer"),
    ),
    SqlKind.DECIMAL: KindRow(
        names={
            "sqlite": "NUMERIC",
            "postgres": "numeric",
            "duckdb": "DECIMAL(38,9)",
            "mysql": "DECIMAL(65,30)",
            "oracle": "NUMBER",
            "tsql": "decimal(38,9)",
            "snowflake": "NUMBER(38,9)",
            "databricks": "DECIMAL(38,9)",
            "bigquery": "NUMERIC",
            "clickhouse": "Decimal(38,9)",
        },
        encoder="numeric",
        encoders={
            "sqlite": "real_decimal",
            "duckdb": "decimal38",
            "mysql": "decimal65",
            "oracle": "decimal38",
            "tsql": "decimal38",
            "snowflake": "decimal38",
            "databricks": "decimal38",
            "bigquery": "decimal9",
            "clickhouse": "decimal9",
        },
        reads=_NUMBERS | {"text"},
        casts=("text", "integer"),
    ),
    SqlKind.BOOL: KindRow(
        names={
            "sqlite": "INTEGER",
            "postgres": "boolean",
            "duckdb": "BOOLEAN",
            "mysql": "BOOLEAN",
            "oracle": "NUMBER(1)",
            "tsql": "bit",
            "snowflake": "BOOLEAN",
            "databricks": "BOOLEAN",
            "bigquery": "BOOL",
            "clickhouse": "Bool",
        },
        encoder="boolean",
        encoders={"sqlite": "bit", "oracle": "bit"},
        reads=frozenset({"bool", "tiny", "int"}),
        casts=("text",),
    ),
    SqlKind.TEXT: KindRow(
        names={
            "sqlite": "TEXT",
            "postgres": "text",
            "duckdb": "VARCHAR",
            "mysql": "LONGTEXT",
            "oracle": "VARCHAR2(4000)",
            "tsql": "nvarchar(max)",
            "snowflake": "VARCHAR",
            "databricks": "STRING",
            "bigquery": "STRING",
            "clickhouse": "String",
        },
        encoder="text",
        encoders={"oracle": "filled_text"},
        reads=frozenset({"text", "uuid", "json", "time", "inet"}),
        casts=("integer", "boolean", "fraction", "moment"),
    ),
    SqlKind.DATE: KindRow(
        names={
            "sqlite": "TEXT",
            "postgres": "date",
            "duckdb": "DATE",
            "mysql": "DATE",
            "oracle": "DATE",
            "tsql": "date",
            "snowflake": "DATE",
            "databricks": "DATE",
            "bigquery": "DATE",
            "clickhouse": "Date32",
        },
        encoder="day",
        encoders={"sqlite": "day_text", "clickhouse": "day_text"},
        json_encoder="day_text",
        reads=frozenset({"date", "text"}),
        casts=("text",),
    ),
    SqlKind.DATETIME: KindRow(
        names={
            "sqlite": "TEXT",
            "postgres": "timestamp",
            "duckdb": "TIMESTAMP",
            "mysql": "DATETIME(6)",
            "oracle": "TIMESTAMP(6)",
            "tsql": "datetime2(6)",
            "snowflake": "TIMESTAMP_NTZ",
            "databricks": "TIMESTAMP_NTZ",
            "bigquery": "DATETIME",
            "clickhouse": "DateTime64(6, 'UTC')",
        },
        encoder="timestamp",
        encoders={"sqlite": "timestamp_text", "clickhouse": "timestamp_text"},
        json_encoder="timestamp_text",
        reads=frozenset({"datetime", "text"}),
        casts=("text",),
    ),
    SqlKind.TIME: KindRow(
        names={
            "sqlite": "TEXT",
            "postgres": "time",
            "duckdb": "TIME",
            "mysql": "TIME(6)",
            "oracle": "VARCHAR2(15)",
            "tsql": "time(6)",
            "snowflake": "TIME",
            "databricks": "STRING",
            "bigquery": "TIME",
            "clickhouse": "String",
        },
        encoder="clock",
        encoders=dict.fromkeys(
            ("sqlite", "mysql", "oracle", "tsql", "databricks", "clickhouse"),
            "clock_text",
        ),
        json_encoder="clock_text",
        reads=frozenset({"time", "text"}),
        casts=("text",),
    ),
    SqlKind.DURATION: KindRow(
        names={
            "sqlite": "REAL",
            "postgres": "interval",
            "duckdb": "INTERVAL",
            "mysql": "TIME(6)",
            "oracle": "INTERVAL DAY(9) TO SECOND(6)",
            "tsql": "decimal(20,6)",
            "snowflake": "NUMBER(20,6)",
            "databricks": "DECIMAL(20,6)",
            "bigquery": "NUMERIC",
            "clickhouse": "Decimal(20,6)",
        },
        encoder="span",
        encoders={
            "sqlite": "span_seconds",
            "mysql": "span_text",
            **dict.fromkeys(
                ("tsql", "snowflake", "databricks", "bigquery", "clickhouse"),
                "span_decimal",
            ),
        },
        reads=_NUMBERS | {"float", "interval", "time", "text"},
        casts=("text",),
    ),
    SqlKind.BYTES: KindRow(
        names={
            "sqlite": "BLOB",
            "postgres": "bytea",
            "duckdb": "BLOB",
            "mysql": "LONGBLOB",
            "oracle": "BLOB",
            "tsql": "varbinary(max)",
            "snowflake": "BINARY",
            "databricks": "BINARY",
            "bigquery": "BYTES",
            "clickhouse": "String",
        },
        encoder="blob",
        reads=frozenset({"bytes"}),
        unbound=frozenset({"databricks", "clickhouse"}),
        unlisted=frozenset({"sqlite", "tsql"}),
    ),
    SqlKind.PRIMITIVE: KindRow(
        encoder="primitive",
        reads=_NUMBERS | {"float", "bool", "text", "uuid"},
    ),
    SqlKind.JSON: KindRow(
        names={
            "sqlite": "TEXT",
            "postgres": "jsonb",
            "duckdb": "JSON",
            "mysql": "JSON",
            "oracle": "CLOB",
            "tsql": "nvarchar(max)",
            "snowflake": "VARIANT",
            "databricks": "STRING",
            "bigquery": "JSON",
            "clickhouse": "String",
        },
        encoder="json",
        reads=frozenset({"json", "text", "array"}),
    ),
    SqlKind.ENTITY: KindRow(
        encoder="json",
        reads=frozenset({"json", "text", "array"}),
    ),
}
