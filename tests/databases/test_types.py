"""Types that only some databases have: read as text, calculated with, the same by every driver."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta

import pytest

from databases.connections import CONNECTIONS, place_of, running
from databases.shelf import Shelf
from support.project import Built, build, connection_to

pytestmark = [pytest.mark.filterwarnings("error"), pytest.mark.whole]
SPECS = """\
type: sql_function
name: shown
arguments: { inline: { id: int } }
returns: { inline: { opens: string, box: string, tags: string, host: string? } }
sql: SELECT * FROM odd WHERE id = :id
---
type: sql_function
name: inside
description: Read values of a JSON cell.
arguments: { inline: { id: int } }
returns:
  inline:
    box: { type: object, fields: { at: time, size: duration, raw: bytes, n: uint64 } }
sql: SELECT box FROM odd WHERE id = :id
"""
MOMENTS = """\
---
type: sql_function
name: calculated
arguments: { inline: { at: datetime, size: duration, from: time } }
returns: { inline: { a: datetime, b: duration, c: bool } }
sql: |
  SELECT :at - :size AS a, :size * 2 AS b, moment > :at - :size AND clock >= :from AS c
  FROM odd
"""
TABLES = {
    "postgres": "id int, opens time, box jsonb, tags jsonb, host inet, moment timestamp,"
    " clock time",
    "duckdb": "id INTEGER, opens TIME, box JSON, tags JSON, host VARCHAR,"
    " moment TIMESTAMP, clock TIME",
    "sqlite": "id INTEGER, opens TEXT, box TEXT, tags TEXT, host TEXT",
    "mysql": "id INTEGER, opens TIME, box JSON, tags JSON, host VARCHAR(50)",
}
BOX = '{"n": 18446744073709551615, "at": "09:30:00", "raw": "AP8=", "size": "1 day 02:00:00"}'
TAGS = '["ü", 1.50, null, {"a": [], "b": {}}]'


@pytest.fixture(params=[*CONNECTIONS], ids="-".join)
def shelf(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shelf]:
    dialect, name = request.param
    driver = name.partition("-")[0]
    built = _built(dialect, driver, tmp_path_factory)
    with running(request.param, place_of(dialect, request)) as run:
        run("DROP TABLE IF EXISTS odd", None)
        run(f"CREATE TABLE odd ({TABLES[dialect]})", None)
        values = f"1, '09:30:00', '{BOX}', '{TAGS}', '10.0.0.1/24'"
        if dialect in ("postgres", "duckdb"):
            values += ", '2024-05-06 07:00:00', '09:30:00'"
        escaped = values.replace(":", "\\:") if name != driver else values
        run(f"INSERT INTO odd VALUES ({escaped})", None)
        yield Shelf(built, driver, run)


def _built(dialect: str, driver: str, factory: pytest.TempPathFactory) -> Built:
    specs = SPECS + (MOMENTS if dialect in ("postgres", "duckdb") else "")
    built = build(
        factory.mktemp(dialect),
        {"odd.yaml": specs},
        targets=("python", "sql"),
        connections={"default": connection_to(dialect, driver)},
    )
    assert [] == built.errors
    return built


def test_a_string_is_the_same_text_whichever_driver_read_it(shelf: Shelf) -> None:
    (row,) = shelf.call("shown", id=1)
    expected = {"opens": "09:30:00", "box": BOX, "tags": TAGS, "host": "10.0.0.1/24"}
    assert expected == row


def test_values_of_a_json_cell_have_their_types(shelf: Shelf) -> None:
    (row,) = shelf.call("inside", id=1)
    expected = {
        "at": time(9, 30),
        "size": timedelta(days=1, hours=2),
        "raw": b"\0\xff",
        "n": 2**64 - 1,
    }
    assert {"box": expected} == row


@pytest.mark.parametrize(
    "shelf",
    [each for each in CONNECTIONS if each[0] in ("postgres", "duckdb")],
    ids="-".join,
    indirect=True,
)
def test_a_duration_is_one_where_it_is_calculated_with(shelf: Shelf) -> None:
    at = datetime(2024, 5, 6, 8, tzinfo=UTC)
    size = timedelta(hours=1, minutes=30)
    given = {"at": at, "size": size, "from": time(9)}
    (row,) = shelf.call("calculated", **{"from_": given.pop("from"), **given})
    assert {"a": at - size, "b": 2 * size, "c": True} == row
