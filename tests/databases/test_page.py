"""The page docs/sql.md: its specs are built, and its code is run with the driver it is about."""

from __future__ import annotations

import asyncio
import inspect
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from databases.connections import DIALECTS, opens, place_of
from support.project import CONNECTIONS, Built, build, connection_to

pytestmark = pytest.mark.filterwarnings("error")
PAGE = (Path(__file__).parents[2] / "docs" / "sql.md").read_text("utf-8")
SPECS = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)
CODE: dict[str, str] = dict(
    re.findall(r"^```python (\w+)\n(.*?)^```", PAGE, re.M | re.S)
)
DRIVERS = [
    *("sqlite3", "aiosqlite", "apsw", "sqlalchemy", "duckdb", "psycopg", "psycopg2"),
    *("asyncpg", "pymysql", "mysql_connector", "mariadb"),
]
MOMENT = {
    "sqlite": "TEXT",
    "duckdb": "TIMESTAMP",
    "postgres": "timestamp",
    "mysql": "DATETIME(6)",
}
ROWS = [
    "(1, 'open', 10.5, '2024-01-01 00:00:00.000000')",
    "(2, 'open', 20, '2024-06-01 00:00:00.000000')",
    "(3, 'sent', 30, '2024-09-01 12:30:00.000000')",
]


def _fill(execute: Callable[[str], Any], dialect: str) -> None:
    execute("DROP TABLE IF EXISTS orders")
    execute(
        "CREATE TABLE orders (id BIGINT, status VARCHAR(9), total DECIMAL(10, 2),"
        f" placed_at {MOMENT[dialect]})"
    )
    execute(f"INSERT INTO orders VALUES {', '.join(ROWS)}")


Find = Callable[..., list[Any]]
Runner = Callable[[Find, Any], list[Any]]


@contextmanager
def _opened(driver: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """How to call the code of the page with a connection of ``driver``."""
    dialect = DIALECTS.get(driver, "sqlite")
    place = place_of(dialect, request)
    if driver == "asyncpg":
        with asyncio.Runner() as runner:
            made = runner.run(opens(driver, place)())
            _fill(lambda sql: runner.run(made.execute(sql)), dialect)
            yield lambda find, bound: runner.run(find(made, bound))
            runner.run(made.close())
        return
    is_file = driver in ("aiosqlite", "apsw", "sqlalchemy")
    with closing(opens("sqlite3" if is_file else driver, place)()) as made:
        cursor = made.cursor()
        _fill(cursor.execute, dialect)
        cursor.close()
        if is_file:
            made.commit()
            yield _sqlite_runner(driver, pytest.importorskip(driver), place)
        else:
            yield lambda find, bound: find(made, bound)


def _sqlite_runner(driver: str, imported: Any, folder: str) -> Runner:
    file = f"{folder}/sqlite.db"
    if driver == "apsw":
        return lambda find, bound: find(imported.Connection(file), bound)
    if driver == "sqlalchemy":
        return lambda find, bound: _by_engine(imported, file, find, bound)

    async def found(find: Any, bound: Any) -> list[Any]:
        async with imported.connect(file) as connection:
            listed: list[Any] = await find(connection, bound)
            return listed

    return lambda find, bound: asyncio.run(found(find, bound))


def _by_engine(imported: Any, file: str, find: Find, bound: Any) -> list[Any]:
    engine = imported.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        listed = find(connection, bound)
    engine.dispose()
    return listed


def _built(folder: Path, dialect: str, driver: str, *more: str) -> Built:
    built = build(
        folder,
        {f"{number}.yaml": text for number, text in enumerate(SPECS)},
        targets=("python", "sql", *more),
        connections={**CONNECTIONS, "default": connection_to(dialect, driver)},
    )
    assert [] == [each.message for each in built.diagnostics]
    return built


def test_every_driver_with_a_server_is_on_the_page() -> None:
    assert {"call", "pages", "refused", *DRIVERS} == CODE.keys()


def test_a_call_becomes_what_is_bound(tmp_path: Path) -> None:
    built = _built(tmp_path, "sqlite", "sqlite3")
    built.load()
    space: dict[str, Any] = {}
    exec(CODE["call"].replace("from shop", f"from {built.package}"), space)
    assert ("open", [1, 2, 3], None, 50) == (
        space["bound"].status,
        space["bound"].ids,
        space["bound"].since,
        space["bound"].limit,
    )


def test_what_is_refused_is_told(tmp_path: Path) -> None:
    """The code of the page holds what is told against what it says."""
    built = _built(tmp_path, "sqlite", "sqlite3", "service")
    built.load()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE people (email TEXT UNIQUE)")
        connection.execute("INSERT INTO people VALUES ('a@example.com')")
        space: dict[str, Any] = {"connection": connection}
        exec(CODE["refused"].replace("from shop", f"from {built.package}"), space)
        with pytest.raises(sqlite3.IntegrityError) as caught:
            connection.execute("INSERT INTO people (email) VALUES ('a@example.com')")
    assert "there is a row with this email already" == space["told"](
        caught.value, ["email"]
    )


def test_a_list_is_read_page_by_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = _built(tmp_path, "sqlite", "sqlite3")
    built.load()
    with closing(sqlite3.connect(":memory:")) as connection:
        _fill(connection.execute, "sqlite")
        space: dict[str, Any] = {"connection": connection}
        exec(CODE["pages"].replace("from shop", f"from {built.package}"), space)
    assert "[3, 2]\n[1]\n" == capsys.readouterr().out


# what is given, and the orders that are found
FILTERS: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [1, 2, 3]),
    ({"status": "open"}, [1, 2]),
    ({"ids": [3, 1, 9]}, [1, 3]),
    ({"ids": []}, []),
    ({"since": datetime(2024, 6, 1, tzinfo=UTC)}, [2, 3]),
    ({"since": datetime(2024, 6, 1, 0, 0, 0, 1, tzinfo=UTC)}, [3]),
    ({"status": "open", "ids": [2, 3], "limit": 1}, [2]),
    ({"limit": 2}, [1, 2]),
]


@pytest.mark.parametrize("driver", DRIVERS)
def test_filters_count_only_when_given(
    driver: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """The code of the page, on a real database, whose session is not in UTC where it has one."""
    built = _built(tmp_path, DIALECTS.get(driver, "sqlite"), driver)
    space: dict[str, Any] = {"find_orders": built.load("sql.find_orders")}
    with _opened(driver, request) as run:
        exec(CODE[driver].replace("from shop", f"from {built.package}"), space)
        bound_type = built.load().TOOLS["find_orders"].bound_type
        for given, expected in FILTERS:
            found = run(space["find"], bound_type(**given))
            assert expected == [each.id for each in found]
        (row,) = run(space["find"], bound_type(ids=[3]))
    moment = datetime(2024, 9, 1, 12, 30, tzinfo=UTC)
    assert ("sent", Decimal(30), moment) == (row.status, row.total, row.placed_at)
    assert inspect.iscoroutinefunction(space["find"]) is (
        driver in ("aiosqlite", "asyncpg")
    )
