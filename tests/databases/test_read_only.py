"""Tools that promise to change nothing: the database itself refuses what they would write."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from databases.connections import DIALECTS, opens, place_of
from support.project import Built, build, connection_to
from support.served import answered

SPEC = (Path(__file__).parent / "read_only.yaml").read_text("utf-8")
PRICE = '{"amount": 12345678901234567890.123456789}'


def _sqlite(folder: Path, _: Any) -> tuple[str, list[str], Callable[[], Any]]:
    """SQLite calls functions of the program: this one writes by the connection that calls it."""

    @contextmanager
    def connect() -> Iterator[Any]:
        with closing(
            sqlite3.connect(folder / "visits.db", check_same_thread=False)
        ) as connection:

            def visited() -> int:
                connection.execute("INSERT INTO visits VALUES (1)")
                return 1

            connection.create_function("visited", 0, visited)
            yield connection

    return "sqlite", [], connect


def _duckdb(folder: Path, _: Any) -> tuple[str, list[str], Callable[[], Any]]:
    made = [
        "CREATE SEQUENCE numbers",
        "CREATE MACRO visited() AS nextval('numbers')",
    ]
    connect = opens("duckdb", folder)
    return "duckdb", made, lambda: closing(connect())


def _server(driver: str, *made: str, automatic: bool = False) -> Any:
    def opening(_: Path, request: pytest.FixtureRequest) -> Any:
        opened = opens(driver, place_of(DIALECTS[driver], request))

        @contextmanager
        def connect() -> Iterator[Any]:
            with closing(opened()) as connection:
                if driver != "pymysql":
                    connection.autocommit = automatic
                yield connection

        return DIALECTS[driver], [*made], connect

    return opening


POSTGRES = (
    "CREATE OR REPLACE FUNCTION visited() RETURNS int LANGUAGE sql AS"
    " 'INSERT INTO visits VALUES (1) RETURNING 1'"
)
MARIADB = (
    "DROP FUNCTION IF EXISTS visited",
    "CREATE FUNCTION visited() RETURNS int MODIFIES SQL DATA"
    " BEGIN INSERT INTO visits VALUES (1); RETURN 1; END",
)
OPENING = {
    "sqlite3": _sqlite,
    "duckdb": _duckdb,
    "psycopg": _server("psycopg", POSTGRES),
    "psycopg2": _server("psycopg2", POSTGRES),
    "psycopg-autocommit": _server("psycopg", POSTGRES, automatic=True),
    "psycopg2-autocommit": _server("psycopg2", POSTGRES, automatic=True),
    "pymysql": _server("pymysql", *MARIADB),
}


class Visits:
    """A package, and the database that its tools run on."""

    def __init__(self, built: Built, driver: str, connect: Any) -> None:
        self.built, self.driver, self.connect = built, driver, connect

    def run(self, sql: str) -> list[Any]:
        """Run a statement beside the server."""
        with self.connect() as connection, closing(connection.cursor()) as cursor:
            cursor.execute(sql)
            rows: list[Any] = cursor.fetchall() if cursor.description else []
            connection.commit()
            return rows

    def call(self, tool: str, *, read_only: bool) -> Any:
        """Call a tool of a server."""
        return answered(
            self.built.load("mcp_server"),
            tool,
            connections={"default": self.connect},
            read_only=read_only,
        )


@pytest.fixture(params=OPENING)
def visits(request: pytest.FixtureRequest, tmp_path: Path) -> Visits:
    dialect, made, connect = OPENING[request.param](tmp_path, request)
    driver = request.param.partition("-")[0]
    connections = {"default": connection_to(dialect, driver)}
    built = build(tmp_path, {"a.yaml": SPEC}, connections=connections)
    assert [] == built.errors
    built.load()
    found = Visits(built, driver, connect)
    json = "JSONB" if dialect == "postgres" else "JSON"
    for sql in (
        *("DROP TABLE IF EXISTS visits", "CREATE TABLE visits (n int)"),
        *("DROP TABLE IF EXISTS prices", f"CREATE TABLE prices (price {json})"),
        *(f"INSERT INTO prices VALUES ('{PRICE}')", *made),
    ):
        found.run(sql)
    return found


@pytest.mark.parametrize("read_only", [True, False])
def test_a_function_that_writes_is_refused_where_reading_is_promised(
    visits: Visits, read_only: bool, caplog: Any
) -> None:
    """The tool promises it by its hint, and the server does for all of its tools."""
    with caplog.at_level(logging.WARNING):
        result = visits.call("count_visit", read_only=read_only)
    assert result["isError"], result
    counted = visits.call("visits", read_only=read_only)
    assert {"result": 0} == counted["structuredContent"]


def test_a_connection_of_the_host_still_writes_afterwards(visits: Visits) -> None:
    """One connection for all calls, as a pool hands it out: a read leaves nothing behind."""
    connect = visits.connect
    with connect() as connection:

        @contextmanager
        def pooled() -> Iterator[Any]:
            yield connection

        visits.connect = pooled
        visits.call("visits", read_only=False)
        changed = visits.call("visit", read_only=False)
        assert {"changed": 1} == changed["structuredContent"], changed
        counted = visits.call("visits", read_only=False)
        assert {"result": 1} == counted["structuredContent"]


def test_decimals_in_json_keep_their_digits(visits: Visits) -> None:
    result = visits.call("price", read_only=False)
    assert "12345678901234567890.123456789" in result["content"][0]["text"]


def test_a_server_on_the_command_line_opens_databases_for_reading_only(
    visits: Visits, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Whatever runs on these connections, not only the statements of tools."""
    if visits.driver == "pymysql":
        return  # not a driver of the command line
    targets = {
        "sqlite3": str(tmp_path / "visits.db"),
        "duckdb": str(tmp_path / "duckdb.db"),
    }
    target = targets.get(visits.driver)
    if target is None:
        socket = request.getfixturevalue("postgres_socket")
        target = f"host={socket} user=tester dbname=postgres"
    databases = import_module("brimgen_runtime.service.databases")
    database = databases.open_database(target, [visits.driver], read_only=True)
    for connect in (database.read, database.write):
        with (
            connect() as connection,
            closing(connection.cursor()) as cursor,
            pytest.raises(Exception, match=r"(?i)read.?only"),
        ):
            cursor.execute("INSERT INTO visits VALUES (1)")
    assert visits.run("SELECT count(*) FROM visits")[0][0] == 0


@pytest.mark.parametrize("visits", ["psycopg", "psycopg2"], indirect=True)
def test_a_session_that_its_dsn_makes_read_only_stays_so(
    visits: Visits, request: pytest.FixtureRequest
) -> None:
    """A tool that may write runs on it, too; the operator has decided that it cannot."""
    socket = request.getfixturevalue("postgres_socket")
    options = "options='-c default_transaction_read_only=on'"
    target = f"host={socket} user=tester dbname=postgres {options}"
    databases = import_module("brimgen_runtime.service.databases")
    database = databases.open_database(target, [visits.driver])
    with (
        database.write() as connection,
        closing(connection.cursor()) as cursor,
        pytest.raises(Exception, match=r"(?i)read.?only"),
    ):
        cursor.execute("INSERT INTO visits VALUES (1)")
    assert visits.run("SELECT count(*) FROM visits")[0][0] == 0
