"""PostgreSQL: filters that count only when given, by columns of its own types."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from databases.connections import running
from databases.shelf import Shelf
from support.project import build, connection_to

pytestmark = pytest.mark.filterwarnings("error")
SPECS = (Path(__file__).parent / "postgres.yaml").read_text("utf-8")


@pytest.mark.parametrize("driver", ["psycopg", "psycopg2", "asyncpg", "pg8000"])
def test_filters_that_count_only_when_given(
    driver: str, postgres_socket: str, tmp_path: Path
) -> None:
    """Enums and uuids too: the test for NULL and the comparison have parameters of their own."""
    connections = {"default": connection_to("postgres", driver)}
    targets = ("python", "sql")
    people = build(
        tmp_path, {"a.yaml": SPECS}, targets=targets, connections=connections
    )
    assert [] == people.errors
    with running(("postgres", driver), postgres_socket) as run:
        _check(Shelf(people, driver, run))


def _check(shelf: Shelf) -> None:
    run = shelf.run
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
    assert [1, 2] == shelf.call("filtered")
    assert [2] == shelf.call("filtered", mood="ok")
    assert [1] == shelf.call("filtered", key="00000000-0000-0000-0000-000000000001")
    assert [2] == shelf.call("filtered", since=datetime(2024, 6, 1, tzinfo=UTC))
    assert [] == shelf.call("filtered", since=datetime(2024, 6, 1, 0, 0, 1, tzinfo=UTC))
    assert [1] == shelf.call("filtered", moods=["sad"])
    assert [] == shelf.call("filtered", moods=[])
    assert [] == shelf.call("clean", days=1)
    assert [] == shelf.call("filtered")
