"""PostgreSQL reads a list page by page, with the types of its own columns and by an index."""

from __future__ import annotations

import asyncio
from contextlib import closing

import pytest

from databases.connections import opens
from support.project import Built, build, connection_to

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.whole]
DRIVERS = ("psycopg", "psycopg2", "asyncpg")
SPEC = """\
type: sql_function
name: browse
arguments:
  inline:
    after_at: datetime?
    after_total: decimal?
    after_code: uuid?
returns: { type: "object[]", fields: { at: datetime, total: decimal, code: uuid } }
keyset: { after_at: p.at DESC, after_total: p.total, after_code: p.code DESC }
sql: SELECT at, total, code FROM paged AS p WHERE {after} ORDER BY {order} LIMIT 7
"""
FILL = (
    "DROP TABLE IF EXISTS paged",
    "CREATE TABLE paged AS SELECT"
    " timestamptz '2026-01-01 00:00:00.123456Z' + mod(g, 5) * interval '1 day' AS at,"
    " mod(g, 3) + 0.12345678901234567890 AS total, md5(g::text)::uuid AS code"
    " FROM generate_series(1, 100) AS g",
    "CREATE INDEX by_at ON paged (at DESC, total, code DESC)",
)
ALL = "SELECT code FROM paged ORDER BY at DESC, total, code DESC"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("keyset"),
        {"browse.yaml": SPEC},
        targets=("python", "sql"),
        connections={"default": connection_to("postgres", *DRIVERS)},
    )
    found = [each.message for each in made.diagnostics if each.rule.code[:1] != "L"]
    assert not found
    return made


@pytest.mark.parametrize("driver", ["psycopg", "psycopg2"])
def test_pages_have_every_row_once(
    driver: str, built: Built, postgres_socket: str
) -> None:
    sql, kind = built.load("sql.browse"), built.tool("browse").input_type
    with closing(opens(driver, postgres_socket)()) as connection:
        cursor = connection.cursor()
        for each in FILL:
            cursor.execute(each)
        cursor.execute(ALL)
        expected = [str(code) for (code,) in cursor.fetchall()]
        page = sql.page(connection, kind())
        found: list[str] = []
        while page.next_cursor is not None:
            found += [str(row["code"]) for row in page.rows]
            page = sql.page(connection, kind(), page.next_cursor)
        assert expected == found
        text, arguments = sql.render_psycopg(
            sql._after(kind(), sql.page(connection, kind()).rows[-1])
        )
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {text}", arguments)
        plan = " ".join(line for (line,) in cursor.fetchall())
        assert "Index Only Scan using by_at" in plan
        assert "Index Cond: (at <= " in plan
        cursor.execute("DROP TABLE paged")


def test_asyncpg_reads_pages(built: Built, postgres_socket: str) -> None:
    sql, kind = built.load("sql.browse"), built.tool("browse").input_type

    async def read() -> tuple[list[str], list[str]]:
        connection = await opens("asyncpg", postgres_socket)()
        for each in FILL:
            await connection.execute(each)
        expected = [str(row["code"]) for row in await connection.fetch(ALL)]
        page = await sql.page_async(connection, kind())
        found: list[str] = []
        while page.next_cursor is not None:
            found += [str(row["code"]) for row in page.rows]
            page = await sql.page_async(connection, kind(), page.next_cursor)
        await connection.execute("DROP TABLE paged")
        await connection.close()
        return expected, found

    expected, found = asyncio.run(read())
    assert expected == found
