"""PostgreSQL, by psycopg, psycopg2, asyncpg and pg8000, in a session whose time zone is not UTC."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from brimgen.model.project import Connection
from databases import laws, refused
from databases.connections import CONNECTIONS
from databases.shelf import TABLES, Run, Shelf, generated
from support.project import Built, build

pytestmark = pytest.mark.filterwarnings("error")
DRIVERS = ("psycopg", "psycopg2", "asyncpg", "pg8000")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return generated(tmp_path_factory.mktemp("postgres"), "postgres", DRIVERS)


@pytest.fixture(params=DRIVERS)
def run(request: pytest.FixtureRequest, postgres_socket: str) -> Iterator[Run]:
    with CONNECTIONS["postgres", request.param](postgres_socket, "Asia/Tokyo") as run:
        assert [("Asia/Tokyo",)] == [
            tuple(row) for row, _ in run("SHOW timezone", None)
        ]
        yield run


@pytest.fixture
def shelf(request: pytest.FixtureRequest, built: Any, run: Run) -> Iterator[Shelf]:
    run("DROP TABLE IF EXISTS things", None)
    run(f"CREATE TABLE things ({TABLES['postgres']})", None)
    yield Shelf(built, request.node.callspec.params["run"], run)


class TestLaws(laws.Laws):
    """The laws of every driver."""


def test_columns_are_called_as_is_told(run: Run) -> None:
    laws.names_columns(run, "postgres")


def test_numeric_keeps_every_digit(shelf: Shelf) -> None:
    amount = Decimal("1" * 60 + "." + "2" * 60)
    shelf.call("put", id=1, amount=amount)
    (found,) = shelf.call("get", id=1)
    assert amount == found.amount


SPECS = """\
type: sql_function
name: filtered
arguments:
  inline:
    mood: string?
    key: string?
    moods: "string[]?"
    since: { type: datetime, x-sql-type: timestamptz, required: false }
returns: int[]
sql: |
  SELECT id FROM people
  WHERE (:mood IS NULL OR mood = :mood)
    AND (:key IS NULL OR key = :key)
    AND (:moods IS NULL OR mood IN (:moods))
    AND (:since IS NULL OR seen >= :since)
  ORDER BY id
---
type: sql_function
name: shown
arguments: { inline: { a: int, b: string, c: datetime, d: "int[]" } }
returns: object
sql: SELECT :a AS a, :b AS b, :c AS c, :d AS d, concat(:b, '%', '\\:a') AS e, true = 1 IN :d AS f
---
type: sql_function
name: clean
arguments: { inline: { days: int } }
sql: DELETE FROM people WHERE seen < now() - CAST(:days AS bigint) * interval '1 day'
---
type: sql_function
name: beside
arguments: { inline: { d: decimal, t: datetime } }
returns: object
sql: |
  SELECT :d * 2 AS twice, 1 = :d AS same, :d::int AS rounded,
    CAST(:d AS int) AS also, date '2024-05-06' >= :t AS later, :t::date AS day
"""


MISTAKEN = """\
---
type: sql_function
name: product
arguments: { inline: { page: int, size: int, first: date, last: date } }
returns: int[]
sql: |
  SELECT g FROM generate_series(1, 90000) AS s(g)
  WHERE g <= :page * :size AND -:page < g AND :first <= :last
  ORDER BY g OFFSET :page * :size - 1
---
type: sql_function
name: from_texts
arguments:
  inline: { d: string, i: string, f: string, n: string, j: string, u: string, a: string }
returns: { inline: { d: date, f: bool, n: int, j: int, u: uuid, a: "int[]" } }
sql: |
  SELECT (:d::date + :i::interval)::date AS d, :f::bool AS f, CAST(:n AS numeric) * 2 AS n,
    (:j::jsonb ->> 'a')::int AS j, :u::uuid AS u, :a::int[] AS a
---
type: sql_function
name: to_texts
arguments: { inline: { n: int, d: date, f: bool, x: decimal } }
returns: string
sql: "SELECT :n::text || CAST(:d AS varchar) || :f::text || :x::text AS s"
---
type: sql_function
name: found_by_path
arguments: { inline: { v: string } }
returns: int[]
sql: |
  SELECT 1 AS x WHERE '{"b": [1, 3]}'::jsonb @? '$.b[*] ? (@ > 2)' AND 'x' = :v
---
type: sql_function
name: days
arguments: { inline: { n: int, m: int } }
returns: date
sql: SELECT date '2026-01-01' + (:n * 1) - (:m - 1) AS d
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Built:
    built = build(
        tmp_path_factory.mktemp("people"),
        {"people.yaml": SPECS + MISTAKEN},
        targets=("python", "sql"),
        connections={"default": Connection("postgres", DRIVERS)},
    )
    assert [] == [
        each.message for each in built.diagnostics if each.rule.severity == "error"
    ]
    return built


def test_filters_that_count_only_when_given(
    people: Built, run: Run, request: pytest.FixtureRequest
) -> None:
    """Enums and uuids too: the test for NULL and the comparison have parameters of their own."""
    run("DROP TABLE IF EXISTS people", None)
    run("DROP TYPE IF EXISTS mood", None)
    run("CREATE TYPE mood AS ENUM ('sad', 'ok')", None)
    run("CREATE TABLE people (id int, mood mood, key uuid, seen timestamptz)", None)
    run(
        "INSERT INTO people VALUES"
        " (1, 'sad', '00000000-0000-0000-0000-000000000001', '2024-01-01T00:00:00Z'),"
        " (2, 'ok', '00000000-0000-0000-0000-000000000002', '2024-06-01T00:00:00Z')",
        None,
    )
    driver = request.node.callspec.params["run"]
    shelf = Shelf(people, driver, run)
    assert [1, 2] == shelf.call("filtered")
    assert [2] == shelf.call("filtered", mood="ok")
    assert [1] == shelf.call("filtered", key="00000000-0000-0000-0000-000000000001")
    assert [2] == shelf.call("filtered", since=datetime(2024, 6, 1, tzinfo=UTC))
    assert [] == shelf.call("filtered", since=datetime(2024, 6, 1, 0, 0, 1, tzinfo=UTC))
    assert [1] == shelf.call("filtered", moods=["sad"])
    assert [] == shelf.call("filtered", moods=[])
    assert [] == shelf.call("clean", days=1)
    assert [] == shelf.call("filtered")


def test_untyped_positions_are_cast(
    people: Built, run: Run, request: pytest.FixtureRequest
) -> None:
    shelf = Shelf(people, request.node.callspec.params["run"], run)
    moment = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    (row,) = shelf.call("shown", a=2**40, b="x", c=moment, d=[1, 2**62])
    expected = {"a": 2**40, "b": "x", "d": [1, 2**62], "e": "x%:a", "f": True}
    assert expected == {key: each for key, each in row.items() if key != "c"}
    assert moment == row["c"]


def test_a_value_keeps_its_type_beside_another(
    people: Built, run: Run, request: pytest.FixtureRequest
) -> None:
    """A server gives a lone `$1` the type of its neighbour, and asyncpg cuts the value to it."""
    shelf = Shelf(people, request.node.callspec.params["run"], run)
    moment = datetime(2024, 5, 6, 23, 8, 9, tzinfo=UTC)
    (row,) = shelf.call("beside", d=Decimal("1.75"), t=moment)
    expected = {
        "twice": Decimal("3.50"),
        "same": False,
        "rounded": 2,
        "also": 2,
        "later": False,
        "day": date(2024, 5, 6),
    }
    assert expected == row


def test_what_the_database_refuses_can_be_told(run: Run) -> None:
    refused.can_be_told(run, "postgres")


def test_what_a_server_would_take_for_another_type_is_cast(
    people: Built, run: Run, request: pytest.FixtureRequest
) -> None:
    """Two small integers have no large product; a text cast to a date is no date of a driver."""
    shelf = Shelf(people, request.node.callspec.params["run"], run)
    span = {"first": date(2026, 1, 1), "last": date(2026, 2, 1)}
    assert [90000] == shelf.call("product", page=300, size=300, **span)
    (row,) = shelf.call(
        "from_texts",
        d="2026-01-02",
        i="1 day",
        f="yes",
        n="21",
        j='{"a": 3}',
        u="0198d0f0-0000-7000-8000-000000000001",
        a="{1,2}",
    )
    assert (date(2026, 1, 3), True, 42, 3, [1, 2]) == (
        *(row["d"], row["f"], row["n"], row["j"], row["a"]),
    )
    said = {"n": 5, "d": date(2026, 1, 2), "f": True, "x": Decimal("1.50")}
    assert ["52026-01-02true1.50"] == shelf.call("to_texts", **said)
    assert [1] == shelf.call("found_by_path", v="x")
    assert [date(2026, 1, 2)] == shelf.call("days", n=2, m=2)
