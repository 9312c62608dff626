"""Places where a server cannot find the type of a parameter, or finds another than is bound.

A case of `places.cases` is a tool, and lines ``> what is given => the rows that come``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from brimgen_runtime.sql._json import read
from databases.connections import CONNECTIONS, place_of, running
from databases.shelf import Run, Shelf
from support.case_files import parts
from support.project import Built, build, connection_to

KEY = UUID("0198d0f0-0000-7000-8000-000000000001")
OTHER = UUID("0198d0f0-0000-7000-8000-000000000002")
DAY, MOMENT = date(2026, 1, 2), datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LATE = datetime(2024, 5, 6, 23, 8, 9, tzinfo=UTC)


class Place(NamedTuple):
    """A tool, and its calls: what each is given, and what comes."""

    name: str
    spec: str
    calls: list[tuple[dict[str, Any], list[Any]]]


def _places(dialect: str) -> Iterator[Place]:
    path = Path(__file__).with_name("places.cases")
    for part in parts(path, "both", "postgres", "duckdb"):
        if part.kind not in ("both", dialect):
            continue
        spec, *calls = part.text.split("\n> ")
        told = [call.strip().rpartition(" => ") for call in calls]
        yield Place(
            part.title,
            f"type: sql_function\nname: {part.title}\n{spec}\n",
            [(eval(f"dict({given})"), eval(found)) for given, _, found in told],
        )


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
    documents = [each.spec for each in _places(dialect)]
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
            connections={"default": connection_to(dialect, *names)},
        )
        assert [] == made[dialect].errors
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
    driver = name.partition("-")[0]
    with running(request.param, place_of(dialect, request)) as run:
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
    for place in _places(reached.dialect):
        if place.name in beyond:
            continue
        for given, expected in place.calls:
            try:
                found: Any = reached.shelf.call(place.name, **given)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"[:200]
            if found != expected:
                wrong.append(f"{place.name}: {found}")
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
