"""Places where a server cannot find the type of a parameter, or finds another than is bound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from brimgen.model.project import Connection
from brimgen_runtime.sql._json import read
from databases.connections import CONNECTIONS
from databases.shelf import Run, Shelf
from support.project import Built, build

KEY = UUID("0198d0f0-0000-7000-8000-000000000001")
OTHER = UUID("0198d0f0-0000-7000-8000-000000000002")
DAY, MOMENT = date(2026, 1, 2), datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SHARED = [
    # name, arguments, statement, what is given, what comes
    ("keys", "vs: 'uuid[]'", "id FROM rows WHERE key IN (:vs)", {"vs": [KEY]}, [1]),
    ("no_keys", "vs: 'uuid[]'", "id FROM rows WHERE key IN (:vs)", {"vs": []}, []),
    (
        *("not_keys", "vs: 'uuid[]'", "id FROM rows WHERE key NOT IN (:vs)"),
        *({"vs": [OTHER]}, [1]),
    ),
    (
        "moods",
        "vs: 'string[]'",
        "id FROM rows WHERE mood IN (:vs)",
        {"vs": ["ok"]},
        [1],
    ),
    (
        "any_mood",
        "vs: 'string[]'",
        "id FROM rows WHERE mood = ANY(:vs)",
        {"vs": ["ok"]},
        [1],
    ),
    (
        *("names", "vs: 'string[]'", "id FROM rows WHERE name IN (:vs)"),
        *({"vs": ['a"\\,{}', "NULL", "it's", ""]}, [1]),
    ),
    ("one_key", "v: uuid", "id FROM rows WHERE key IN (:v)", {"v": KEY}, [1]),
    (
        "chosen",
        "a: 'int?', b: int",
        "COALESCE(:a, :b) AS v",
        {"a": None, "b": 2**40},
        [2**40],
    ),
    (
        "largest",
        "a: int, b: int",
        "GREATEST(:a, :b) AS v",
        {"a": 2**40, "b": 7},
        [2**40],
    ),
    ("rest", "a: int, b: int", "mod(:a, :b) AS v", {"a": 2**40 + 1, "b": 2**40}, [1]),
    (
        *("differs", "a: int, b: int", "1 WHERE :a IS DISTINCT FROM :b"),
        *({"a": 2**40, "b": 1}, [1]),
    ),
    (
        *("rows_of", "a: int, b: int", "v FROM (VALUES (:a), (:b)) AS s(v)"),
        *({"a": 1, "b": 2**40}, [1, 2**40]),
    ),
    ("later", "d: date, n: int", "1 WHERE :d::date + :n > :d", {"d": DAY, "n": 3}, [1]),
    ("next_day", "n: int", "1 WHERE current_date + :n > current_date", {"n": 1}, [1]),
]
POSTGRES = [
    ("item", "i: int", "('[5, 6]'::jsonb ->> :i)::int AS v", {"i": 1}, [6]),
    ("nested", "i: int", "('[5, 6]'::jsonb -> :i)::int AS v", {"i": 0}, [5]),
    (
        "array",
        "a: int, b: int",
        "unnest(ARRAY[:a, :b]) AS v",
        {"a": 2**40, "b": 1},
        [2**40, 1],
    ),
    ("sum_of", "d: date, n: int", "1 WHERE :d + :n > :d", {"d": DAY, "n": 1}, [1]),
    (
        *("floats", "f: float", "1 WHERE :f::numeric = 0.1 AND :f = 0.1::numeric"),
        *({"f": 0.1}, [1]),
    ),
    (
        *("zoned", "t: datetime", "1 WHERE :t::timestamptz = '2026-01-02 03:04:05+00'"),
        *({"t": MOMENT}, [1]),
    ),
    (
        *("zoned_at_length", "t: datetime"),
        "1 WHERE CAST(:t AS timestamp with time zone) = '2026-01-02 03:04:05+00'"
        " AND date_trunc('second', :t::timestamptz) = '2026-01-02 03:04:05+00'",
        *({"t": MOMENT}, [1]),
    ),
    (
        *("day_of", "t: datetime"),
        "1 WHERE :t::date = '2026-01-02' AND date '2026-01-02' < :t AND :t > '2026-01-02'::date",
        *({"t": MOMENT}, [1]),
    ),
    (
        # The server gives a numbered parameter the type of its first use.
        *("in_two_columns", "t: datetime"),
        "id FROM rows WHERE naive = :t AND zoned = :t AND :t::date = day AND day < :t",
        *({"t": MOMENT}, [1]),
    ),
]
UNTYPED = {
    "sqlalchemy-psycopg": ("in_two_columns",),
    "sqlalchemy-asyncpg": ("in_two_columns",),
    "sqlalchemy-psycopg2": (
        *("in_two_columns", "keys", "no_keys", "not_keys", "moods", "any_mood"),
    ),
}
"""What has no type that is right with every driver below SQLAlchemy; the page says so."""
STORED = [
    ("key", "v: uuid", KEY, f"{KEY}"),
    ("mood", "v: string", "ok", "ok"),
    ("name", "v: string", "x", "x"),
    ("amount", "v: decimal", Decimal("0.10"), "0.10"),
    ("amount", "v: float", 0.1, "0.1"),
    ("whole", "v: int", 2**31 - 1, f"{2**31 - 1}"),
    ("data", "v: object", {"a": 1}, '{"a": 1}'),
]
COLUMNS = {
    "postgres": "id int, key uuid, mood feeling, name text, amount numeric, whole int, data jsonb,"
    " naive timestamp, zoned timestamptz, day date",
    "duckdb": "id int, key uuid, mood feeling, name text, amount decimal(9, 2), whole int,"
    " data json, naive timestamp, zoned timestamptz, day date",
}
CHANGES = {
    "select": "INSERT INTO rows (id, {c}) SELECT 2, :v",
    "select_from": "INSERT INTO rows (id, {c}) SELECT 2, :v FROM (SELECT 1) AS s WHERE 1 = 1",
    "values": "INSERT INTO rows (id, {c}) VALUES (2, :v)",
}


def _specs(dialect: str) -> str:
    places = SHARED + (POSTGRES if dialect == "postgres" else [])
    documents = [
        f"type: sql_function\nname: {name}\narguments: {{ inline: {{ {arguments} }} }}\n"
        f"returns: 'int[]'\nsql: |\n  SELECT {statement}\n"
        for name, arguments, statement, *_ in places
    ]
    documents.append(
        "type: sql_function\nname: details\nreturns: object\n"
        "sql: SELECT data FROM rows WHERE id = 3\n"
    )
    documents += [
        f"type: sql_function\nname: {_tool(column, argument, change)}\n"
        f"arguments: {{ inline: {{ {argument} }} }}\nsql: {sql.format(c=column)}\n"
        for column, argument, *_ in STORED
        for change, sql in CHANGES.items()
    ]
    return "---\n".join(documents)


def _tool(column: str, argument: str, change: str) -> str:
    return f"{change}_{column}_{argument[3:]}"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Built]:
    """The packages by dialect."""
    drivers = {
        "postgres": ("psycopg", "psycopg2", "asyncpg", "pg8000", "sqlalchemy"),
        "duckdb": ("duckdb",),
    }
    made = {}
    for dialect, names in drivers.items():
        made[dialect] = build(
            tmp_path_factory.mktemp(dialect),
            {"places.yaml": _specs(dialect)},
            targets=("python", "sql"),
            connections={"default": Connection(dialect, names)},
        )
        diagnostics = made[dialect].diagnostics
        assert [] == [e.message for e in diagnostics if e.rule.severity == "error"]
    return made


@dataclass(frozen=True)
class Reached:
    """The table, by a driver."""

    shelf: Shelf
    run: Run
    dialect: str
    name: str


@pytest.fixture(
    params=[each for each in CONNECTIONS if each[0] in COLUMNS], ids="-".join
)
def reached(
    request: pytest.FixtureRequest, packages: dict[str, Built]
) -> Iterator[Reached]:
    dialect, name = request.param
    is_postgres = dialect == "postgres"
    socket = request.getfixturevalue("postgres_socket") if is_postgres else ""
    driver = name.partition("-")[0]
    with CONNECTIONS[dialect, name](socket, "Asia/Tokyo") as run:
        for sql in (
            "DROP TABLE IF EXISTS rows",
            "DROP TYPE IF EXISTS feeling",
            "CREATE TYPE feeling AS ENUM ('sad', 'ok')",
            f"CREATE TABLE rows ({COLUMNS[dialect]})",
            "INSERT INTO rows (id, key, mood, name, naive, zoned, day) VALUES"
            f" (1, '{KEY}', 'ok', 'a\"\\,{{}}', '2026-01-02 03:04:05',"
            " '2026-01-02 03:04:05+00', '2026-01-02')",
        ):
            run(sql.replace("%", "%%"), None)
        yield Reached(Shelf(packages[dialect], driver, run), run, dialect, name)


def test_a_parameter_is_taken_for_what_it_is_wherever_it_stands(
    reached: Reached,
) -> None:
    wrong = []
    beyond = UNTYPED.get(reached.name, ())
    for name, _, _, given, expected in SHARED + (
        POSTGRES if reached.dialect == "postgres" else []
    ):
        if name in beyond:
            continue
        try:
            found: Any = reached.shelf.call(name, **given)
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        if found != expected:
            wrong.append(
                f"{name}: {found:.200}"
                if isinstance(found, str)
                else f"{name}: {found}"
            )
    assert not wrong, "\n".join(wrong)


def test_insert_select_stores_in_columns_of_every_type(reached: Reached) -> None:
    """A uuid and an enum are no text, whatever the driver sends."""
    wrong = []
    for column, argument, value, expected in STORED:
        for change in CHANGES:
            tool = _tool(column, argument, change)
            try:
                reached.shelf.call(tool, v=value)
                ((row, _),) = reached.run(
                    f"SELECT CAST({column} AS varchar) FROM rows WHERE id = 2", None
                )
                found = str(row[0]).replace(" ", "")
            except Exception as error:
                found = f"{type(error).__name__}: {error}"[:200]
            if found.rstrip("0") != expected.replace(" ", "").rstrip("0"):
                wrong.append(f"{tool}: {found}")
            reached.run("DELETE FROM rows WHERE id = 2", None)
    assert not wrong, "\n".join(wrong)


def test_numbers_in_json_keep_every_digit(reached: Reached) -> None:
    digits = ("12345678901234567890.123456789", "0.1000000000000000055", "1.50")
    text = f'{{"a": {digits[0]}, "b": [{digits[1]}, {{"c": {digits[2]}}}]}}'
    reached.run(
        (
            f"INSERT INTO rows (id, data) VALUES (3, '{text}')".replace(":", "\\:")
            if reached.name.startswith("sqlalchemy")
            else f"INSERT INTO rows (id, data) VALUES (3, '{text}')"
        ),
        None,
    )
    (found,) = reached.shelf.call("details")
    data = found["data"]
    data = read(data) if isinstance(data, str) else data
    a, b, c = (Decimal(each) for each in digits)
    assert {"a": a, "b": [b, {"c": c}]} == data
    assert "1.50" == str(data["b"][1]["c"])
