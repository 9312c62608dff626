"""Each driver and its database: every type, there and back, and what is told of it.

The engines of `elsewhere` are behind `make fuzz`, because they are hundreds of megabytes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from typing import Any

import pytest

from brimgen.sql import DIALECTS, scan
from brimgen.sql.result_columns import columns
from databases import elsewhere, refused
from databases.connections import place_of, running
from databases.shelf import (
    AFTER,
    EXACT,
    TABLES,
    UNCARRIED,
    UNLISTED,
    UNSENT,
    VALUES,
    Run,
    Shelf,
    columns_of,
    generated,
)
from support.project import Built

pytestmark = pytest.mark.filterwarnings("error")
REACHED = {
    "sqlite": ("sqlite3", "aiosqlite", "apsw", "sqlalchemy"),
    "duckdb": ("duckdb",),
    "postgres": ("psycopg", "psycopg2", "asyncpg", "pg8000"),
    "mysql": (
        *("pymysql", "mysqlclient", "mysql_connector", "mariadb", "sqlalchemy"),
        *("aiomysql", "asyncmy"),
    ),
}
ELSEWHERE = {
    "clickhouse": ("clickhouse_connect",),
    "databricks": ("databricks",),
    "snowflake": ("snowflake",),
}
CONNECTIONS = [(dialect, each) for dialect in REACHED for each in REACHED[dialect]]
ALL = [
    *CONNECTIONS,
    *(
        pytest.param((dialect, driver), marks=pytest.mark.fuzz)
        for dialect, (driver,) in ELSEWHERE.items()
    ),
]
ZONES = {
    "postgres": ("SHOW timezone", "Asia/Tokyo"),
    "mysql": ("SELECT @@time_zone", "+09:00"),
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Built]:
    made: dict[str, Built] = {}

    def package(dialect: str) -> Built:
        if dialect not in made:
            drivers = (REACHED | ELSEWHERE)[dialect]
            made[dialect] = generated(
                tmp_path_factory.mktemp(dialect), dialect, drivers
            )
        return made[dialect]

    return package


@pytest.fixture(scope="module")
def engines() -> Iterator[Callable[[str], Run]]:
    """The engines in processes of their own, each started once."""
    made: dict[str, Run] = {}
    with ExitStack() as stack:

        def started(driver: str) -> Run:
            if driver not in made:
                made[driver] = stack.enter_context(elsewhere.running(driver))
            return made[driver]

        yield started


@pytest.fixture(params=ALL, ids="-".join)
def shelf(
    request: pytest.FixtureRequest,
    packages: Callable[[str], Built],
    engines: Callable[[str], Run],
) -> Iterator[Shelf]:
    dialect, driver = request.param
    with ExitStack() as stack:
        if dialect in ELSEWHERE:
            run = engines(driver)
        else:
            place = place_of(dialect, request)
            run = stack.enter_context(running((dialect, driver), place))
        if dialect in ZONES:
            sql, zone = ZONES[dialect]
            assert [(zone,)] == [tuple(row) for row, _ in run(sql, None)]
        run("DROP TABLE IF EXISTS things", None)
        run(f"CREATE TABLE things ({TABLES[dialect]}){AFTER.get(dialect, '')}", None)
        yield Shelf(packages(dialect), driver, run)


def _of(*dialects: str) -> pytest.MarkDecorator:
    """Only the drivers of some dialects."""
    chosen = [each for each in CONNECTIONS if each[0] in dialects]
    return pytest.mark.parametrize("shelf", chosen, ids="-".join, indirect=True)


def test_every_value_comes_back(shelf: Shelf) -> None:
    """Every boundary value comes back equal, and is found by itself, alone and in a list."""
    unsent = UNSENT.get(shelf.driver, set())
    names = [name for name in columns_of(shelf.dialect) if name not in unsent]
    values = {name: VALUES[name] for name in names}
    if shelf.dialect != "sqlite":  # which keeps decimals as floats
        values["amount"] = [*VALUES["amount"], *EXACT]
        values["large"] = [*VALUES["large"], 2**64 - 1]
    number = 0
    kept: dict[str, dict[int, Any]] = {name: {} for name in names}
    for name, several in values.items():
        for value in several:
            number += 1
            shelf.call("put", id=number, **{name: value})
            kept[name][number] = value
            (found,) = shelf.call("get", id=number)
            assert getattr(found, name) == value
            assert type(getattr(found, name)) is type(value)
            assert [number] == shelf.call(f"find_{name}", v=value)
    for name in kept.keys() - UNLISTED.get(shelf.dialect, set()):
        _lists(shelf, name, kept[name])
    everything = list(range(1, number + 1))
    assert everything == shelf.call("find_name", v=None)


def test_null_is_none(shelf: Shelf) -> None:
    """None is NULL in every column, and comes back as None."""
    shelf.call("put", id=1)
    (found,) = shelf.call("get", id=1)
    listed = columns_of(shelf.dialect)
    assert [None] * len(listed) == [getattr(found, name) for name in listed]
    assert (None, None) == (found.data, found.names)


def test_json_comes_back(shelf: Shelf) -> None:
    """JSON goes in as text and comes back as it was, whatever the driver makes of it."""
    data = {"a": [1, 2.5, "ü'\\", None, True], "b": {"c": "x" * 5000}}
    names = ["it's", "", 'q"uote']
    shelf.call("put", id=1, data=data, names=names)
    (found,) = shelf.call("get", id=1)
    assert data == {**found.data, "a": [*map(_plain, found.data["a"])]}
    assert names == found.names


def test_strings_and_comments_stay_as_they_are(shelf: Shelf) -> None:
    """Strings and comments reach the database as they are written, beside a bound value."""
    shelf.call("put", id=1, name="a%xyz")
    (found,) = shelf.call("awkward", v="a%xyz", vs=[1])
    expected = {"a": "5%% of :no", "b": "it's %(x) ? $1 @x {y}", "c": "a%xyz"}
    assert expected == found
    assert [] == shelf.call("awkward", v="a%xyz", vs=[2])


def test_a_statement_without_parameters(shelf: Shelf) -> None:
    """A statement without parameters is executed as it is written."""
    shelf.call("put", id=1)
    assert ["100%"] == shelf.call("constant")


def test_what_cannot_be_carried_is_refused(shelf: Shelf) -> None:
    """What cannot be carried raises ValueError before the database is touched."""
    listed = columns_of(shelf.dialect)
    for name, several in UNCARRIED.items():
        if name not in listed:
            continue
        unlisted = name in UNLISTED.get(shelf.dialect, ())
        for value in several:
            with pytest.raises(ValueError, match=f"parameter '{name}'"):
                shelf.bind("put", id=1, **{name: value})
            if unlisted:
                continue
            with pytest.raises(ValueError, match="parameter 'vs/1'"):
                shelf.call(f"in_{name}", vs=[VALUES[name][0], value])
        if not unlisted:
            with pytest.raises(ValueError, match="cannot hold None"):
                shelf.call(f"in_{name}", vs=[None])


def _lists(shelf: Shelf, name: str, known: dict[int, Any]) -> None:
    ids, values = list(known), list(known.values())
    assert ids == shelf.call(f"in_{name}", vs=values)
    assert ids[:1] == shelf.call(f"in_{name}", vs=values[:1])
    assert [] == shelf.call(f"in_{name}", vs=[])
    assert [] == shelf.call(f"in_{name}", vs=None)
    assert ids[1:] == shelf.call(f"not_in_{name}", vs=values[:1])
    everything = shelf.call(f"not_in_{name}", vs=[])
    assert set(ids) <= set(everything)
    assert ids[:1] == shelf.call(f"in_{name}", vs=values[:1] * 3000)


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


EXPRESSIONS = (
    *("count(*)", "max(a)", "a + b", "a - 1", "2 * a", "a % b", "coalesce(a, b)"),
    *("count(*) + 1", "sum(a) OVER (ORDER BY b)", "max(abs(a))", "CAST(a AS decimal)"),
    *("(a)", "a", "-a", "a IS NULL", "CASE WHEN a = 1 THEN b END", "nullif(a, b)"),
    *("concat('x', a)", "NOT (a = b)", "(SELECT 7)", "'x'", "7", "greatest(a, b)"),
)


@_of("postgres", "duckdb", "mysql")
def test_columns_are_called_as_is_told(shelf: Shelf) -> None:
    """A name that is told is that of the database; what is unnamed has no plain one."""
    for each in EXPRESSIONS:
        sql = f"SELECT {each} FROM (SELECT 1 AS a, 2 AS b) AS t GROUP BY a, b"
        (column,) = columns(scan(sql, DIALECTS[shelf.dialect])) or ()
        ((_, (theirs,)),) = shelf.run(sql, None)
        assert column.name in (None, theirs), each
        assert not (column.unnamed and theirs.isidentifier()), each


@_of(*REACHED)
def test_what_the_database_refuses_can_be_told(shelf: Shelf) -> None:
    if shelf.dialect == "sqlite":
        shelf.run("PRAGMA foreign_keys = ON", None)
    refused.can_be_told(shelf.run, shelf.dialect)


BEYOND = {
    "sqlite": ("12345678901234567.89", "0.1234567890123456789", "1E+400"),
    "duckdb": ("1" * 39, "0." + "1" * 39, "1E-40"),
    "mysql": ("1" * 66, "0." + "1" * 31, "1E-40"),
}


@_of(*BEYOND)
def test_a_decimal_that_the_database_cannot_keep_is_refused(shelf: Shelf) -> None:
    is_float = shelf.dialect == "sqlite"
    told = "parameter 'amount'" if is_float else "more digits than the database keeps"
    for text in BEYOND[shelf.dialect]:
        with pytest.raises(ValueError, match=told):
            shelf.bind("put", id=1, amount=Decimal(text))


@_of("postgres")
def test_numeric_keeps_every_digit(shelf: Shelf) -> None:
    amount = Decimal("1" * 60 + "." + "2" * 60)
    shelf.call("put", id=1, amount=amount)
    (found,) = shelf.call("get", id=1)
    assert amount == found.amount


@_of("sqlite")
def test_datetimes_sort_as_text(shelf: Shelf) -> None:
    texts = [
        shelf.bind("find_moment", v=value)["v"]
        for value in VALUES["moment"]
        if value.year == 2024
    ]
    assert [26] * 3 == [len(each) for each in texts]
    assert "2024-05-06 01:38:09.000000" == texts[0]


def test_rows_that_know_their_columns(packages: Callable[[str], Built]) -> None:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    connection.execute(f"CREATE TABLE things ({TABLES['sqlite']})")
    connection.execute("INSERT INTO things (id, flag, day) VALUES (1, 1, '2024-02-29')")
    module = packages("sqlite").load("sql.get")
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
