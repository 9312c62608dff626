"""A target on the command line opens a database with any driver, async ones too."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from brimgen_runtime.service.databases import NoDatabase, open_database, target_options
from support.project import build, connection_to
from support.served import offered

SPEC = """\
type: sql_function
name: sum
description: Add.
sql: SELECT CAST(:a AS INTEGER) + 1 AS total
arguments: { inline: { a: int } }
returns: int
"""
UPDATE = """\
type: sql_function
name: grow
description: Grow all. Writes to counted.
arguments: {inline: {size: int}}
returns: {type: integer, minimum: 1}
sql: UPDATE counted SET size = :size WHERE size > 0
"""
POSTGRES = ("psycopg", "psycopg2", "asyncpg")
MYSQL = ("pymysql", "mysql_connector", "mariadb")


def _sum(folder: Path, dialect: str, driver: str, target: str) -> Any:
    """What a server answers whose database is at a target."""
    spec = SPEC.replace("INTEGER", "SIGNED" if dialect == "mysql" else "INT")
    connections = {"default": connection_to(dialect, driver)}
    built = build(folder, {"a.yaml": spec}, connections=connections)
    assert not built.diagnostics.has_errors
    server = built.load("mcp_server")
    opened = open_database(target, [driver])
    given = import_module("brimgen_runtime.service.databases").open_database(
        target, [driver]
    )
    assert opened.is_async == given.is_async == (driver == "asyncpg")

    async def call() -> Any:
        offer = offered(server, connections={"default": given})
        return await offer.call("sum", {"a": 4}, server.CallContext("sum"))

    return asyncio.run(call())


@pytest.mark.whole
@pytest.mark.parametrize("driver", POSTGRES)
def test_a_dsn_opens_postgres(
    tmp_path: Path, postgres_socket: str, driver: str
) -> None:
    target = f"postgresql:///postgres?host={postgres_socket}&user=tester"
    result = _sum(tmp_path, "postgres", driver, target)
    assert {"result": 5} == result["structuredContent"]


@pytest.mark.whole
@pytest.mark.parametrize("driver", MYSQL)
def test_a_url_opens_mysql(tmp_path: Path, mariadb_socket: str, driver: str) -> None:
    target = f"mysql://root@localhost/shelf?unix_socket={mariadb_socket}"
    result = _sum(tmp_path, "mysql", driver, target)
    assert {"result": 5} == result["structuredContent"]


@pytest.mark.whole
@pytest.mark.parametrize("driver", MYSQL)
def test_a_row_that_an_update_leaves_as_it_was_counts_with_a_url_of_mysql(
    tmp_path: Path, mariadb_socket: str, driver: str
) -> None:
    connections = {"default": connection_to("mysql", driver)}
    built = build(tmp_path, {"a.yaml": UPDATE}, connections=connections)
    built.load()
    target = f"mysql://root@localhost/shelf?unix_socket={mariadb_socket}"
    with open_database(target, [driver]).write() as connection:
        cursor = connection.cursor()
        cursor.execute("DROP TABLE IF EXISTS counted")
        cursor.execute("CREATE TABLE counted (size INTEGER)")
        cursor.execute("INSERT INTO counted VALUES (1)")
        connection.commit()
    service = built.load("service").Service(connections={"default": target})
    assert [1, 1] == [service.call("grow", {"size": 7}) for _ in range(2)]


def test_a_url_of_mysql_has_every_option() -> None:
    expected = {
        "host": "db.example",
        "port": 3307,
        "user": "ann@x",
        "password": "p:w",
        "database": "shop",
        "charset": "utf8mb4",
    }
    target = "mysql://ann%40x:p%3Aw@db.example:3307/shop?charset=utf8mb4"
    assert expected == target_options(target)


@pytest.mark.parametrize(
    "target", ["shop", "mysql://host", "postgres://u:secret@h/d", "mysql://h:x/d"]
)
def test_a_target_that_is_no_url_of_mysql_is_told_without_its_password(
    target: str,
) -> None:
    with pytest.raises(NoDatabase) as caught:
        open_database(target, ["pymysql"])
    assert "secret" not in str(caught.value)
