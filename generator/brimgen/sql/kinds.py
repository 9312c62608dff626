"""The scalars in SQL: one row per scalar, and one per kind of value that a database holds.

Several scalars can share a kind. Readers and encoders are functions of ``runtime/sql/_decode.py``
and ``runtime/sql/_encode.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path

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


def _rows() -> Iterator[tuple[SqlKind, KindRow]]:
    """Read `kinds.txt`."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="ascii")
    for section in text.split("\n[")[1:]:
        kind, _, lines = section.partition("]\n")
        said = dict(line.split(" ", 1) for line in lines.splitlines())
        names = said["names"].split(" | ") if "names" in said else []
        pairs = (pair.split("=") for pair in said.get("encoders", "").split())
        yield SqlKind(kind), KindRow(
            encoder=said["encoder"],
            reads=frozenset(said["reads"].split()),
            names=dict(zip(DIALECTS, names, strict=False)),
            encoders={pair[0]: pair[1] for pair in pairs},
            json_encoder=said.get("json_encoder", ""),
            casts=tuple(said.get("casts", "").split()),
            unbound=frozenset(said.get("unbound", "").split()),
            unlisted=frozenset(said.get("unlisted", "").split()),
        )


KINDS: Mapping[SqlKind, KindRow] = dict(_rows())
"""The kinds of values, as `kinds.txt` lists them."""
