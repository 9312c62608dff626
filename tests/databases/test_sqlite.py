"""SQLite, by sqlite3, aiosqlite, apsw and SQLAlchemy: every type, there and back."""

from __future__ import annotations

import asyncio
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from databases import laws, refused
from databases.shelf import TABLES, Rows, Run, Shelf, generated

pytestmark = pytest.mark.filterwarnings("error")
DRIVERS = ("sqlite3", "aiosqlite", "apsw", "sqlalchemy")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return generated(tmp_path_factory.mktemp("sqlite"), "sqlite", DRIVERS)


def _sqlite3(folder: Path) -> Run:
    connection = sqlite3.connect(folder / "a.db")

    def run(sql: str, arguments: Any) -> Rows:
        cursor = connection.execute(sql, arguments)
        names = [each[0] for each in cursor.description or ()]
        return [(row, names) for row in cursor.fetchall()]

    return run


def _aiosqlite(folder: Path) -> Run:
    aiosqlite = pytest.importorskip("aiosqlite")

    async def run_once(sql: str, arguments: Any) -> Rows:
        async with aiosqlite.connect(folder / "a.db") as connection:
            cursor = await connection.execute(sql, arguments)
            names = [each[0] for each in cursor.description or ()]
            rows = [(row, names) for row in await cursor.fetchall()]
            await connection.commit()
            return rows

    return lambda sql, arguments: asyncio.run(run_once(sql, arguments))


def _apsw(folder: Path) -> Run:
    apsw = pytest.importorskip("apsw")
    connection = apsw.Connection(f"{folder / 'a.db'}")

    def run(sql: str, arguments: Any) -> Rows:
        cursor = connection.execute(sql, arguments)
        return [(row, [each[0] for each in cursor.description]) for row in cursor]

    return run


def _sqlalchemy(folder: Path) -> Run:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(f"sqlite:///{folder / 'a.db'}")

    def run(sql: str, arguments: Any) -> Rows:
        with engine.begin() as connection:
            found = connection.execute(sqlalchemy.text(sql), arguments)
            if not found.returns_rows:
                return []
            return [(tuple(row), list(found.keys())) for row in found.fetchall()]

    return run


OPEN = {
    "sqlite3": _sqlite3,
    "aiosqlite": _aiosqlite,
    "apsw": _apsw,
    "sqlalchemy": _sqlalchemy,
}


@pytest.fixture(params=DRIVERS)
def shelf(request: pytest.FixtureRequest, built: Any, tmp_path: Path) -> Shelf:
    run = OPEN[request.param](tmp_path)
    run(f"CREATE TABLE things ({TABLES['sqlite']})", {})
    return Shelf(built, request.param, run)


class TestLaws(laws.Laws):
    """The laws of every driver; a decimal is a float here."""

    exact = False


def test_a_decimal_beyond_a_float_is_refused(shelf: Shelf) -> None:
    for text in ("12345678901234567.89", "0.1234567890123456789", "1E+400"):
        with pytest.raises(ValueError, match="parameter 'amount'"):
            shelf.bind("put", id=1, amount=Decimal(text))


def test_datetimes_sort_as_text(shelf: Shelf) -> None:
    texts = [
        shelf.bind("find_moment", v=value)["v"]
        for value in laws.VALUES["moment"]
        if value.year == 2024
    ]
    assert [26] * 3 == [len(each) for each in texts]
    assert "2024-05-06 01:38:09.000000" == texts[0]


def test_rows_that_know_their_columns(built: Any) -> None:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.execute(f"CREATE TABLE things ({TABLES['sqlite']})")
    connection.execute("INSERT INTO things (id, flag, day) VALUES (1, 1, '2024-02-29')")
    module = built.load("sql.get")
    row = connection.execute("SELECT * FROM things").fetchone()
    assert 1 == module.decode(row).id
    assert module.decode(dict(row)) == module.decode(row)
    with pytest.raises(ValueError, match="no column names"):
        module.decode(tuple(row))
    with pytest.raises(ValueError, match="no column 'id'"):
        module.decode({"x": 1})
    with pytest.raises(ValueError, match="column 'flag': expected bool, got int 2"):
        module.decode({**dict(row), "flag": 2})
    with pytest.raises(ValueError, match="column 'id': expected int, got NoneType"):
        module.decode({**dict(row), "id": None})


def test_what_the_database_refuses_can_be_told(shelf: Shelf) -> None:
    keeps = shelf.driver in ("sqlite3", "apsw")  # the others connect for each statement
    if keeps:
        shelf.run("PRAGMA foreign_keys = ON", ())
    refused.can_be_told(
        lambda sql, _: shelf.run(sql, () if keeps else {}), "sqlite", foreign=keeps
    )
