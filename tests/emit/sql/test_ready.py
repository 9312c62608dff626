"""Ready-made tools: what tables there are, and one guarded SELECT over them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.project import Built, build, connection_to

SPEC = """\
type: sql_function
name: tables
description: Tell the columns of the tables.
kind: describe_tables
tables: [orders, customers]
---
type: sql_function
name: ask
description: Run a query.
kind: query
tables: [orders, customers]
max_rows: 3
"""
TABLES = """
CREATE TABLE orders (id INTEGER NOT NULL, buyer INTEGER, total REAL);
CREATE TABLE customers (id INTEGER NOT NULL, name TEXT);
CREATE TABLE secrets (word TEXT);
INSERT INTO secrets VALUES ('hunter2');
INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bob; -- no');
INSERT INTO orders VALUES (1, 1, 2.5), (2, 1, 3), (3, 2, 4), (4, NULL, 5);
"""


def _sqlite(path: Path) -> Any:
    return sqlite3.connect(path / "shop.db")


def _duckdb(path: Path) -> Any:
    return duckdb.connect(str(path / "shop.duckdb"))


DRIVERS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "sqlite3": ("sqlite", _sqlite),
    "duckdb": ("duckdb", _duckdb),
}


@pytest.fixture(scope="module", params=DRIVERS)
def service(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Any]:
    dialect, connect = DRIVERS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    with closing(connect(folder)) as connection:
        for statement in TABLES.strip().split(";\n"):
            connection.execute(statement)
        connection.commit()
    built = _built(folder, dialect, request.param)
    opens = lambda: closing(connect(folder))  # noqa: E731
    with built.load("service").Service(connections={"default": opens}) as made:
        yield made


def _built(folder: Path, dialect: str, driver: str) -> Built:
    connections = {"default": connection_to(dialect, driver)}
    built = build(folder, {"a.yaml": SPEC}, connections=connections)
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    built.load()
    return built


def test_the_columns_of_the_allowed_tables_are_told(service: Any) -> None:
    told = service.call("tables")
    assert ["customers", "customers", "orders", "orders", "orders"] == [
        row["table"] for row in told
    ]
    assert ["id", "name"] == [row["column"] for row in told[:2]]
    assert [False, True] == [row["nullable"] for row in told[:2]]
    assert "INTEGER" == told[0]["type"]


ALLOWED = {
    "SELECT name FROM customers ORDER BY name LIMIT 1;": [{"name": "Ada"}],
    "SELECT count(*) AS n FROM orders WHERE total BETWEEN 2 AND 4": [{"n": 3}],
    "SELECT name FROM customers WHERE name = 'Bob; -- no'": [{"name": "Bob; -- no"}],
    """WITH big (b, n) AS (SELECT buyer, sum(total) FROM orders GROUP BY buyer
      HAVING sum(total) > 4)
    SELECT c.name, n FROM big JOIN customers AS c ON c.id = b
    WHERE NOT EXISTS (SELECT 1 FROM orders WHERE buyer = c.id AND total IN (9, 8))""": [
        {"name": "Ada", "n": 5.5}
    ],
    "SELECT id FROM orders WHERE id = 1 UNION ALL SELECT id FROM customers WHERE id = 2": [
        {"id": 1},
        {"id": 2},
    ],
    "SELECT id, row_number() OVER (ORDER BY id DESC) AS place FROM customers WHERE id < 2": [
        {"id": 1, "place": 1}
    ],
    "SELECT CASE WHEN id = 1 THEN upper(name) ELSE 'x' END AS n, CAST(id AS TEXT) AS t, id AS t"
    " FROM customers ORDER BY id LIMIT 1": [{"n": "ADA", "t": "1", "t_3": 1}],
    """WITH a AS MATERIALIZED (SELECT id FROM customers), b (n) AS (SELECT id FROM a)
    SELECT a.id AS "the id", CAST(n AS decimal(9, 2)) > -1 AS t FROM a JOIN b ON (n = a.id)
    WHERE id IN (SELECT id FROM a) AND n = 1 UNION ALL SELECT 7, 1 = 1 FROM Orders
    WHERE id = 1""": [
        {"the id": 1, "t": 1},
        {"the id": 7, "t": 1},
    ],
    "SELECT count(*) FILTER (WHERE id>=2) AS n, sum(id*-1) AS s FROM customers": [
        {"n": 1, "s": -3}
    ],
}


@pytest.mark.parametrize("query", ALLOWED)
def test_a_select_over_the_tables_is_run(service: Any, query: str) -> None:
    assert ALLOWED[query] == service.call("ask", {"sql": query})


def test_no_more_rows_come_back_than_are_allowed(service: Any) -> None:
    assert 3 == len(service.call("ask", {"sql": "SELECT * FROM orders"}))
    for ending in ("LIMIT 4", "LIMIT 1 + 1", "LIMIT -1", "LIMIT '1'", "OFFSET 1"):
        outcome = service.outcome("ask", {"sql": f"SELECT * FROM orders {ending}"})
        assert "LIMIT of at most 3" in outcome.text, ending


REFUSED = {
    "other tables": [
        "SELECT * FROM secrets",
        "SELECT id, (SELECT word FROM secrets) AS w FROM orders",
        "SELECT * FROM orders JOIN secrets ON true",
        "SELECT * FROM orders, secrets",
        "SELECT id FROM orders UNION SELECT word FROM secrets",
        "WITH secrets AS (SELECT * FROM secrets) SELECT * FROM secrets",
        "WITH a AS (SELECT * FROM secrets), secrets AS (SELECT 1) SELECT * FROM a",
        "SELECT * FROM (WITH secrets AS (SELECT 1) SELECT * FROM secrets) AS x, secrets",
        "SELECT * FROM main.secrets",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM information_schema.tables",
        'SELECT * FROM "secrets"',
        'SELECT * FROM "ORDERS"',
        "SELECT * FROM `secrets`",
        "TABLE secrets",
        "FROM secrets",
    ],
    "other statements": [
        "DELETE FROM orders",
        "INSERT INTO orders VALUES (9, 9, 9)",
        "WITH x AS (DELETE FROM orders RETURNING *) SELECT * FROM x",
        "SELECT 1; DROP TABLE orders",
        "SELECT 1 INTO copied FROM orders",
        "SELECT * FROM orders FOR UPDATE",
        "PRAGMA query_only = OFF",
        "ATTACH 'x.db' AS x",
        "EXPLAIN SELECT * FROM orders",
        "COPY orders TO 'x.csv'",
        "SET threads = 1",
        "VALUES (1)",
        "",
        ";",
        "no sql at all",
    ],
    "functions": [
        "SELECT pg_sleep(9) FROM orders",
        "SELECT load_extension('x') FROM orders",
        "SELECT readfile('/etc/passwd') FROM orders",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM pragma_table_info('secrets')",
        "SELECT * FROM orders, json_each('[1]')",
        "SELECT * FROM generate_series(1, 9)",
        "SELECT randomblob(1000000000) FROM orders",
        "SELECT pg_catalog.pg_read_file('x') FROM orders",
        'SELECT "pg_sleep"(9) FROM orders',
        "SELECT sleep (9) FROM orders",
        "SELECT sleep\n(9) FROM orders",
        "SELECT current_user FROM orders",
        "SELECT 'secrets'::regclass FROM orders",
        "SELECT query_to_xml('SELECT 1', true, true, '') FROM orders",
        "WITH sleep (a) AS (SELECT 1) SELECT sleep(9) FROM sleep",
        "WITH p AS (SELECT 'x.so' AS q) SELECT (1), load_extension(q) AS x FROM p",
        "WITH p AS (SELECT 1), setseed(q) AS (SELECT 1) SELECT (1), setseed(0) AS x FROM p",
        "SELECT count(id), setseed(0) AS (SELECT 1) FROM orders",
        "SELECT join(1) FROM orders",
        "SELECT by(1) FROM orders",
        "SELECT over(1) FROM orders",
        "SELECT filter(1) FROM orders",
        "SELECT materialized(1) FROM orders",
        "SELECT varchar(9) FROM orders",
        "SELECT date_format(id, 'x') FROM orders",
        "SELECT (o).peek FROM orders AS o",
        "SELECT ('x').upper FROM orders",
        "SELECT 'x'.upper() FROM orders",
        "SELECT id.upper() FROM orders",
        "SELECT 1. secrets FROM orders",
        "SELECT id ||/ 2 FROM orders",
        "SELECT regclass 'secrets' FROM orders",
        "SELECT \"regclass\" 'secrets' FROM orders",
        "SELECT CAST('secrets' AS regclass) FROM orders",
    ],
    "common tables": [
        "WITH \u017fecrets AS (SELECT 1) SELECT * FROM secrets",
        'WITH "\u017fecrets" AS (SELECT 1) SELECT * FROM secrets',
        'WITH "a.csv" AS (SELECT 1) SELECT * FROM "a.csv"',
        'WITH "SECRETS" AS (SELECT 1) SELECT * FROM secrets',
        "WITH SECRETS AS (SELECT 1) SELECT * FROM secrets",
        'WITH secrets AS (SELECT 1) SELECT * FROM "secrets"',
        "WITH RECURSIVE secrets AS (SELECT * FROM secrets) SELECT * FROM secrets",
        "WITH RECURSIVE secrets AS (SELECT word FROM secrets UNION SELECT 'x')"
        " SELECT * FROM secrets",
        "WITH secrets AS (SELECT * FROM (SELECT * FROM secrets) AS q) SELECT * FROM secrets",
        "WITH a AS (SELECT word FROM secrets), secrets AS (SELECT 1) SELECT * FROM a",
        "WITH orders AS (SELECT 1) SELECT * FROM orders",
        "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a",
        "WITH a AS (SELECT 1) SELECT * FROM (WITH a AS (SELECT 2) SELECT * FROM a) AS q",
        "WITH a (b, lower(1)) AS (SELECT 1) SELECT * FROM a",
        "WITH a AS (SELECT 1) (SELECT * FROM a)",
        "WITH a AS (SELECT 1",
        "WITH a",
        "WITH",
        "SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) AS q",
        "WITH a AS (SELECT 1 AS x) SELECT 1 IN (WITH b AS (SELECT x FROM a) SELECT x FROM b)",
        "SELECT 1 UNION WITH a AS (SELECT 1) SELECT * FROM a",
    ],
    "tables without FROM": [
        "SELECT 'hunter2' IN secrets",
        "SELECT 'hunter2' IN main.secrets",
        "SELECT 'hunter2' NOT IN \"secrets\"",
        "SELECT (TABLE secrets)",
        "SELECT * FROM (SUMMARIZE secrets)",
        "SELECT * FROM (SHOW secrets)",
    ],
    "hidden texts": [
        "SELECT * FROM orders -- x",
        "SELECT * /* x */ FROM orders",
        "SELECT /*! sleep(9) */ 1 FROM orders",
        "SELECT 'a\\' FROM orders, secrets WHERE 'b' = ' OR 1'",
        "SELECT E'a\\'' FROM orders",
        "SELECT $$x$$ FROM orders",
        "SELECT :x FROM orders",
        "SELECT ? FROM orders",
        "SELECT @@version FROM orders",
        "SELECT N'x' FROM orders",
        "SELECT '\0' || word FROM secrets",
        "SELECT {{ x }} FROM orders",
        "SELECT #x\n 1 FROM orders",
        "SELECT 1 FROM orders" + " " * 10_001 + "x",
        "SELECT " + "(" * 3000 + "1" + ")" * 3000 + " FROM orders",
    ],
}


@pytest.mark.parametrize(
    ("kind", "query"),
    [(kind, query) for kind, queries in REFUSED.items() for query in queries],
)
def test_everything_else_is_refused_before_the_database_sees_it(
    service: Any, kind: str, query: str
) -> None:
    outcome = service.outcome("ask", {"sql": query})
    assert outcome.is_error, f"{kind}: {query}"
    assert "invalid_arguments" == outcome.code, outcome.text
    assert "hunter2" not in outcome.text


def test_a_query_runs_where_the_database_refuses_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If both readers were wrong, nothing is changed."""
    with closing(_sqlite(tmp_path)) as connection:
        connection.executescript(TABLES)
    built = _built(tmp_path, "sqlite", "sqlite3")
    from brimgen_runtime.sql import _query

    monkeypatch.setattr(_query, "checked", lambda text, *_: text)
    opens = lambda: closing(_sqlite(tmp_path))  # noqa: E731
    service = built.load("service").Service(connections={"default": opens})
    assert service.outcome("ask", {"sql": "DELETE FROM orders"}).is_error
    with closing(_duckdb(tmp_path)) as given:
        service = _built(tmp_path, "duckdb", "duckdb").load("service")
        outcome = service.Service(connections={"default": given}).outcome(
            "ask", {"sql": "SELECT 1 FROM orders"}
        )
        assert "unavailable" == outcome.code
    with closing(_sqlite(tmp_path)) as connection:
        assert (4,) == connection.execute("SELECT count(*) FROM orders").fetchone()


ENDLESS = """\
SELECT count(*) AS c FROM """ + ", ".join(f"orders AS o{n}" for n in range(20))


def test_a_query_ends_when_its_time_is_up(tmp_path: Path) -> None:
    with closing(_sqlite(tmp_path)) as connection:
        connection.executescript(TABLES)
    spec = SPEC.replace("max_rows: 3", "max_rows: 3\nlimits: {timeout: 0.2}")
    built = build(tmp_path, {"a.yaml": spec})
    opens = lambda: closing(  # noqa: E731
        sqlite3.connect(tmp_path / "shop.db", check_same_thread=False)
    )
    with built.load("service").Service(connections={"default": opens}) as service:
        assert "timeout" == service.outcome("ask", {"sql": ENDLESS}).code
    default = build(tmp_path / "b", {"a.yaml": SPEC}).catalog
    (ask,) = (tool for tool in default.tools if tool.name == "ask")
    assert 30 == ask.limits.timeout
