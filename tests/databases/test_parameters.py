"""Which parameters a statement has: our reading against PostgreSQL's own (issue 5).

SQLite and DuckDB tell the names themselves (tests/statements/test_properties.py); PostgreSQL
prepares what our text becomes with ``$1, $2 …`` and tells how many parameters it found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brimgen.sql import DIALECTS, scan
from brimgen.sql.drivers import DRIVERS
from brimgen.sql.kinds import SqlKind
from brimgen.sql.parameter_types import SqlType
from brimgen.sql.rewrite import rewrite
from brimgen.sql.uses import find_places

POSTGRES = DIALECTS["postgres"]
# An expression, and the parameters that it is made of to have.
PIECES: list[tuple[str, tuple[str, ...]]] = [
    (":x::int", ("x",)),
    (":y1 ::text", ("y1",)),
    ("(:x::int)", ("x",)),
    ("-:x::int", ("x",)),
    ("CAST(:_z AS date)", ("_z",)),
    ("'a:no'", ()),
    ("'it''s :no'", ()),
    ("E'\\':no'", ()),
    ("E'\\\\' || :y1::text || E'\\''", ("y1",)),
    ("'\\' || :y1::text", ("y1",)),
    ("$$ :no $$", ()),
    ("$t$ :no $$ :no $t$", ()),
    ("U&'\\0041:no'", ()),
    ("B'101'", ()),
    ("X'1F'", ()),
    ('"a:no"', ()),
    ("\"a:no\" || ':no' || :y1::text", ("y1",)),
    ("/* :no */ 2", ()),
    ("/* /* :no */ :no */ :x::int", ("x",)),
    ("-- :no\n3", ()),
    ("--:no '\n:x::int", ("x",)),
    ("ARRAY[:x::int, 2]", ("x",)),
    ("(ARRAY[1, 2, 3])[1:2]", ()),
    ("(ARRAY[1, 2, 3])[ :x::int : 3]", ("x",)),
    ("(ARRAY[1, 2, 3])[1: :hi::int]", ("hi",)),
    ("'{\"a\": 1}'::jsonb ? 'a'", ()),
    ("'{\"a\": 1}'::jsonb ? :y1::text", ("y1",)),
    ("'{\"a:no\": 1}'::jsonb -> :y1::text", ("y1",)),
    ("'[1]'::jsonb @> :j::jsonb", ("j",)),
    ("5 % 2", ()),
    ("@ :x::int", ("x",)),
    ("CASE WHEN :b::bool THEN ':no' ELSE :y1::text END", ("b", "y1")),
    ("1::int4", ()),
    ("now() - :x::int * interval '1:00'", ("x",)),
    ("substring('abc' FROM :x::int FOR 1)", ("x",)),
    ("extract(year FROM :_z::date)", ("_z",)),
    ("(SELECT :x::int)", ("x",)),
    ("concat_ws(':', :y1::text, 'no')", ("y1",)),
    ("1 <@ :r::int4range", ("r",)),
    ("null::text", ()),
]
STATEMENTS = st.tuples(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=8),
    st.sampled_from([", ", " ,", ",\n", ",/**/", ",\t--:no\n"]),
    st.sampled_from(["", "  ", "\n-- :no ' \" $$", " /* ' */", ";"]),
)
Parts = tuple[list[tuple[str, tuple[str, ...]]], str, str]


@pytest.fixture(scope="module")
def connection(postgres_socket: str) -> Iterator[Any]:
    psycopg = pytest.importorskip("psycopg")
    options = {"host": postgres_socket, "user": "tester", "dbname": "postgres"}
    with psycopg.connect(**options, autocommit=True) as made:
        made.execute("SET TIME ZONE 'Asia/Tokyo'")
        yield made


def _agrees(connection: Any, parts: Parts) -> None:
    pieces, comma, end = parts
    items = comma.join(text for text, _ in pieces)
    source = "(SELECT '' AS \"a:no\") AS s"
    statement = scan(f"SELECT {items}\nFROM {source}{end}", POSTGRES)
    made_of = tuple(dict.fromkeys(name for _, names in pieces for name in names))
    assert made_of == statement.names
    types = {name: SqlType(kind=SqlKind.TEXT) for name in statement.names}
    written = rewrite(statement, find_places(statement), types, DRIVERS["asyncpg"])
    assert made_of == tuple(each.key for each in written.order)
    connection.execute(f"PREPARE probe AS {written.text}")
    (count,) = connection.execute(
        "SELECT cardinality(parameter_types) FROM pg_prepared_statements"
        " WHERE name = 'probe'"
    ).fetchone()
    connection.execute("DEALLOCATE probe")
    assert len(made_of) == count


@given(parts=STATEMENTS)
@example(parts=(PIECES, ", ", ";"))
def test_postgres_finds_as_many(connection: Any, parts: Parts) -> None:
    _agrees(connection, parts)
