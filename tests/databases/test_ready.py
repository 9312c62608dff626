"""Ready-made tools on servers: a query of the caller reads allowed tables, and changes nothing."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.sql import _query
from databases.connections import DIALECTS, opens, place_of
from support.project import build, connection_to

SPEC = (Path(__file__).parent / "ready.yaml").read_text("utf-8")
MAKE = (
    "DROP TABLE IF EXISTS ready_orders",
    "CREATE TABLE ready_orders (id INTEGER NOT NULL, total NUMERIC(9, 2), note VARCHAR(40))",
    "INSERT INTO ready_orders VALUES (1, 2.5, '50%'), (2, 3, 'it''s %s'), (3, 4, NULL)",
    "INSERT INTO ready_orders VALUES (4, 5, 'x')",
)
HIDDEN = (
    "DROP TABLE IF EXISTS ready_secrets",
    "CREATE TABLE ready_secrets (word VARCHAR(9))",
    "INSERT INTO ready_secrets VALUES ('hunter2')",
)
REFUSED = {
    "postgres": [
        "WITH p AS (SELECT '/etc/hostname' AS q) SELECT (1), pg_read_file(q) AS x FROM p",
        "SELECT (1), pg_terminate_backend(1) AS x FROM ready_orders",
        "WITH p AS (SELECT 1 AS q), pg_sleep(q) AS x FROM p",
        'WITH "READY_SECRETS" AS (SELECT 1) SELECT * FROM ready_secrets',
        "WITH ready_\u017fecrets AS (SELECT 1) SELECT * FROM ready_secrets",
        'SELECT * FROM "Ready_orders"',
        "SELECT instr(note, 'x') FROM ready_orders",
        "SELECT (o).lower FROM ready_orders AS o",
        "SELECT regclass 'ready_secrets' FROM ready_orders",
        "SELECT join(1) FROM ready_orders",
    ],
    "mysql": [
        "WITH p AS (SELECT '/etc/hostname' AS q) SELECT (1), load_file(q) AS x FROM p",
        "SELECT (1), sleep(1) AS x FROM ready_orders",
        "WITH ready_\u017fecrets AS (SELECT 1) SELECT * FROM ready_secrets",
        "WITH ready_secrets AS (SELECT 'x' AS word) SELECT * FROM ready_secrets WHERE 'x' IN"
        " (WITH b AS (SELECT word FROM ready_secrets) SELECT word FROM b)",
        "SELECT sum (id) FROM ready_orders",
        "SELECT _utf8 'x' FROM ready_orders",
        "SELECT trunc(id) FROM ready_orders",
        "SELECT filter(2) FROM ready_orders",
        "SELECT * FROM READY_ORDERS",
    ],
}
GIVEN = ["psycopg", "psycopg2", "pg8000", "asyncpg", "pymysql"]


@pytest.mark.parametrize("driver", GIVEN)
def test_queries_and_descriptions_on_servers(
    driver: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dialect = DIALECTS[driver]
    is_mysql, place = dialect == "mysql", place_of(dialect, request)
    connections = {"default": connection_to(dialect, driver)}
    built = build(tmp_path, {"a.yaml": SPEC}, connections=connections)
    assert [] == built.errors
    module = built.load("service")
    made = opens("pymysql" if is_mysql else "psycopg", place)
    with closing(made()) as connection, closing(connection.cursor()) as cursor:
        for statement in (*MAKE, *HIDDEN):
            cursor.execute(statement)
        connection.commit()
    connect = opens(driver, place)

    def outcome(tool: str, **arguments: Any) -> Any:
        if driver == "asyncpg":

            async def run() -> Any:
                connections = {"default": connect}
                async with module.AsyncService(connections=connections) as service:
                    return await service.outcome(tool, arguments)

            return asyncio.run(run())
        opens = lambda: closing(connect())  # noqa: E731
        with module.Service(connections={"default": opens}) as service:
            return service.outcome(tool, arguments)

    told = outcome("tables").value
    assert ["id", "total", "note"] == [row["column"] for row in told]
    assert [False, True, True] == [row["nullable"] for row in told]
    found = outcome("ask", sql="SELECT note FROM ready_orders WHERE note LIKE '%\\%%'")
    assert "invalid_arguments" == found.code
    query = "SELECT id, note FROM ready_orders WHERE note LIKE '%s' OR id % 2 = 0"
    assert [2, 4] == [row["id"] for row in outcome("ask", sql=query).value]
    assert 3 == len(outcome("ask", sql="SELECT * FROM ready_orders").value)
    refused = outcome("ask", sql="SELECT * FROM information_schema.tables")
    assert "invalid_arguments" == refused.code
    for query in REFUSED[dialect]:
        assert "invalid_arguments" == outcome("ask", sql=query).code, query
    plain = "SELECT sum(id) AS n, min(lower(note)) AS t FROM ready_orders"
    assert 10 == outcome("ask", sql=plain).value[0]["n"]
    monkeypatch.setattr(_query, "checked", lambda text, *_: text)
    assert outcome("ask", sql="DELETE FROM ready_orders").is_error
    if driver != "pg8000":
        sleep = "SLEEP(9)" if is_mysql else "pg_sleep(9)"
        assert "timeout" == outcome("ask", sql=f"SELECT {sleep} AS s").code
    monkeypatch.undo()
    (counted,) = outcome("ask", sql="SELECT count(*) AS n FROM ready_orders").value
    assert 4 == counted["n"]
