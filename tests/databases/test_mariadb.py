"""MariaDB: how many rows a change counts, and the ids of new rows, by each driver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from databases.connections import opens
from support.project import build, connection_to

pytestmark = pytest.mark.filterwarnings("error")
UPDATE = """\
type: sql_function
name: grow
description: Grow all. Writes to counted.
arguments: {inline: {size: int}}
returns: {type: integer, minimum: 1}
sql: UPDATE counted SET size = :size WHERE size > 0
---
type: sql_function
name: add_size
arguments: {inline: {size: int}}
returns: last_id
sql: INSERT IGNORE INTO counted (size) VALUES (:size)
"""


@pytest.fixture
def counted(
    request: pytest.FixtureRequest, tmp_path: Path, mariadb_socket: str
) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """A package that updates a table of one row, and what opens a connection of a driver."""
    connections = {"default": connection_to("mysql", request.param)}
    built = build(tmp_path, {"a.yaml": UPDATE}, connections=connections)
    opened = []

    def connect(**options: Any) -> Any:
        opened.append(opens(request.param, mariadb_socket, **options)())
        return opened[-1]

    cursor = connect().cursor()
    cursor.execute("DROP TABLE IF EXISTS counted")
    cursor.execute("CREATE TABLE counted (size INTEGER)")
    cursor.execute("INSERT INTO counted VALUES (7), (1)")
    opened[-1].commit()
    built.load()
    yield built, connect
    for connection in opened:
        connection.close()


def _counts(built: Any, connection: Any) -> list[int]:
    """What the statement of a package counts, alone and several times at once."""
    sql, call = built.load("sql.grow"), built.load().GrowInput(size=7)
    alone = [sql.run(connection, call) for _ in range(2)]
    many = sql.run_many(connection, [call, call])
    connection.commit()
    return [*alone, many]


@pytest.mark.parametrize("counted", ["pymysql", "mysqlclient"], indirect=True)
def test_a_row_that_an_update_leaves_as_it_was_counts_on_a_given_connection(
    counted: Any,
) -> None:
    built, connect = counted
    assert [2, 2, 4] == _counts(built, connect())
    service = built.load("service").Service(connections={"default": connect()})
    assert [2, 2] == [service.call("grow", {"size": 8}) for _ in range(2)]


@pytest.mark.parametrize("counted", ["mysql_connector", "mariadb"], indirect=True)
def test_a_count_that_a_driver_does_not_know_is_told_and_not_wrong(
    counted: Any, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    built, connect = counted
    is_oracle = request.node.callspec.params["counted"] == "mysql_connector"
    flags = {"client_flags": [2]} if is_oracle else {"client_flag": 2}
    assert [2, 2, 4] == _counts(built, connect(**flags))
    assert [-1, -1, -1] == _counts(built, connect())
    service = built.load("service").Service(connections={"default": connect()})
    outcome = service.outcome("grow", {"size": 9})
    assert "unavailable" == outcome.code
    assert "client_flag=2 (FOUND_ROWS)" in caplog.text
    reader = connect().cursor()
    reader.execute("SELECT DISTINCT size FROM counted")
    assert [(7,)] == [tuple(row) for row in reader.fetchall()]


@pytest.mark.parametrize(
    "counted", ["pymysql", "mysql_connector", "mariadb", "mysqlclient"], indirect=True
)
def test_the_id_of_a_new_row_comes_back(counted: Any) -> None:
    built, connect = counted
    connection, add = connect(), built.load("sql.add_size")
    connection.cursor().execute("DROP TABLE counted")
    connection.cursor().execute(
        "CREATE TABLE counted (id INTEGER AUTO_INCREMENT PRIMARY KEY, size INTEGER UNIQUE)"
    )
    assert [1, 2] == [add.run(connection, size=size) for size in (7, 8)]
    with pytest.raises(LookupError, match="added no row"):
        add.run(connection, size=8)
    service = built.load("service").Service(connections={"default": connection})
    assert (
        "add_size: nothing was changed" in service.outcome("add_size", {"size": 8}).text
    )
    assert service.call("add_size", {"size": 9}) > 2


@pytest.mark.parametrize("driver", ["aiomysql", "asyncmy"])
def test_async_drivers_count_and_tell_ids(
    tmp_path: Path, mariadb_socket: str, driver: str
) -> None:
    connections = {"default": connection_to("mysql", driver)}
    built = build(tmp_path, {"a.yaml": UPDATE}, connections=connections)
    built.load()
    grow, add = built.load("sql.grow"), built.load("sql.add_size")
    call = built.load().GrowInput(size=7)

    async def run() -> list[int]:
        connection = await opens(driver, mariadb_socket)()
        async with connection.cursor() as cursor:
            await cursor.execute("SET sql_notes = 0")
            await cursor.execute("DROP TABLE IF EXISTS counted")
            await cursor.execute(
                "CREATE TABLE counted (id INTEGER AUTO_INCREMENT PRIMARY KEY, size INTEGER)"
            )
        ids = [await add.run_async(connection, size=size) for size in (7, 1)]
        alone = [await grow.run_async(connection, call) for _ in range(2)]
        many = await grow.run_many_async(connection, [call, call])
        connection.close()
        return [*ids, *alone, many]

    assert [1, 2, 2, 2, 4] == asyncio.run(run())
