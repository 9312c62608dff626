"""MariaDB, by each driver and SQLAlchemy, nine hours off UTC."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from databases import laws, refused
from databases.connections import CONNECTIONS
from databases.debian import NoPackage, unpacked
from databases.shelf import TABLES, Rows, Run, Shelf, generated
from support.project import build

pytestmark = pytest.mark.filterwarnings("error")
DRIVERS = (
    *("pymysql", "mysqlclient", "mysql_connector", "mariadb", "sqlalchemy"),
    *("aiomysql", "asyncmy"),
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return generated(tmp_path_factory.mktemp("mariadb"), "mysql", DRIVERS)


def _running(connection: Any) -> Run:
    """Execute with a cursor of a connection."""

    def run(sql: str, arguments: Any) -> Rows:
        with closing(connection.cursor()) as cursor:
            cursor.execute(sql, *(() if arguments is None else (arguments,)))
            names = [each[0] for each in cursor.description or ()]
            rows = cursor.fetchall() if names else ()
            connection.commit()
            return [(row, names) for row in rows]

    return run


def _mysqldb() -> Any:
    """The module of mysqlclient, of which PyPI has only the source, as Debian builds it."""
    try:
        root = unpacked("python3-mysqldb")
    except NoPackage as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
    tag = f"cpython-{sys.version_info.major}{sys.version_info.minor}-"
    (module,) = root.glob("usr/lib/python3/dist-packages/MySQLdb/_mysql.*.so")
    if tag not in module.name:
        pytest.skip(f"Debian's mysqlclient is {module.name}, and this is {tag}")
    for each in root.glob("usr/lib/*/libmariadb.so.*"):
        ctypes.CDLL(f"{each}", mode=ctypes.RTLD_GLOBAL)
    folder = f"{module.parents[1]}"
    sys.path.append(folder)
    try:
        return pytest.importorskip("MySQLdb")
    finally:
        sys.path.remove(folder)


@contextmanager
def _mysqlclient(socket: str) -> Iterator[Run]:
    made = _mysqldb().connect(
        unix_socket=socket, user="root", database="shelf", charset="utf8mb4"
    )
    with closing(made):
        yield _running(made)


@contextmanager
def _sqlalchemy(socket: str) -> Iterator[Run]:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(
        f"mysql+pymysql://root@localhost/shelf?unix_socket={socket}&charset=utf8mb4"
    )

    def run(sql: str, arguments: Any) -> Rows:
        with engine.begin() as connection:
            found = connection.execute(sqlalchemy.text(sql), arguments or {})
            if not found.returns_rows:
                return []
            return [(tuple(row), list(found.keys())) for row in found.fetchall()]

    yield run
    engine.dispose()


def _opened(driver: str, socket: str) -> AbstractContextManager[Run]:
    if driver == "mysqlclient":
        return _mysqlclient(socket)
    if driver == "sqlalchemy":
        return _sqlalchemy(socket)
    return CONNECTIONS["mysql", driver](socket, "Asia/Tokyo")


@pytest.fixture(params=DRIVERS)
def shelf(
    request: pytest.FixtureRequest, built: Any, mariadb_socket: str
) -> Iterator[Shelf]:
    with _opened(request.param, mariadb_socket) as run:
        assert [("+09:00",)] == [
            tuple(row) for row, _ in run("SELECT @@time_zone", None)
        ]
        run("DROP TABLE IF EXISTS things", None)
        run(f"CREATE TABLE things ({TABLES['mysql']})", None)
        yield Shelf(built, request.param, run)


class TestLaws(laws.Laws):
    """The laws of every driver."""


def test_columns_are_called_as_is_told(shelf: Shelf) -> None:
    laws.names_columns(shelf.run, "mysql")


def test_a_decimal_of_more_digits_than_a_column_has_is_refused(shelf: Shelf) -> None:
    for text in ("1" * 66, "0." + "1" * 31, "1E-40"):
        with pytest.raises(ValueError, match="more digits than the database keeps"):
            shelf.bind("put", id=1, amount=Decimal(text))


def test_what_the_database_refuses_can_be_told(shelf: Shelf) -> None:
    refused.can_be_told(shelf.run, "mysql")


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
FLAGS = {"mysql_connector": {"client_flags": [2]}}


@pytest.fixture
def counted(
    request: pytest.FixtureRequest, tmp_path: Path, mariadb_socket: str
) -> Iterator[tuple[Any, Callable[..., Any]]]:
    """A package that updates a table of one row, and what opens a connection of a driver."""
    driver = request.param
    connections = {"default": Connection("mysql", (driver,))}
    built = build(tmp_path, {"a.yaml": UPDATE}, connections=connections)
    module = _mysqldb() if driver == "mysqlclient" else import_module(MODULES[driver])
    opened = []

    def connect(**options: Any) -> Any:
        opened.append(
            module.connect(
                unix_socket=mariadb_socket, user="root", database="shelf", **options
            )
        )
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


MODULES = {
    "pymysql": "pymysql",
    "mysql_connector": "mysql.connector",
    "mariadb": "mariadb",
}


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
    driver = request.node.callspec.params["counted"]
    assert [2, 2, 4] == _counts(built, connect(**FLAGS.get(driver, {"client_flag": 2})))
    assert [-1, -1, -1] == _counts(built, connect())
    service = built.load("service").Service(connections={"default": connect()})
    outcome = service.outcome("grow", {"size": 9})
    assert "unavailable" == outcome.code
    assert "client_flag=2 (FOUND_ROWS)" in caplog.text
    reader = connect().cursor()
    reader.execute("SELECT DISTINCT size FROM counted")
    assert [(7,)] == [tuple(row) for row in reader.fetchall()]


@pytest.mark.parametrize("counted", [*MODULES, "mysqlclient"], indirect=True)
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
    module = pytest.importorskip(driver)
    connections = {"default": Connection("mysql", (driver,))}
    built = build(tmp_path, {"a.yaml": UPDATE}, connections=connections)
    built.load()
    grow, add = built.load("sql.grow"), built.load("sql.add_size")
    call = built.load().GrowInput(size=7)

    async def run() -> list[int]:
        options = {"unix_socket": mariadb_socket, "user": "root", "db": "shelf"}
        connection = await module.connect(**options)
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
