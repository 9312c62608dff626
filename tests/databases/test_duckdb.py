"""DuckDB: every type, there and back."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from brimgen.model.project import Connection
from databases import laws, refused
from databases.shelf import TABLES, Rows, Shelf, generated
from support.project import build

duckdb = pytest.importorskip("duckdb")
pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return generated(tmp_path_factory.mktemp("duckdb"), "duckdb", ("duckdb",))


@pytest.fixture
def shelf(built: Any, tmp_path: Path) -> Shelf:
    connection = duckdb.connect()

    def run(sql: str, arguments: Any) -> Rows:
        cursor = connection.execute(sql, arguments)
        names = [each[0] for each in cursor.description]
        return [(row, names) for row in cursor.fetchall()]

    run(f"CREATE TABLE things ({TABLES['duckdb']})", {})
    return Shelf(built, "duckdb", run)


class TestLaws(laws.Laws):
    """The laws of every driver."""


def test_columns_are_called_as_is_told(shelf: Shelf) -> None:
    laws.names_columns(shelf.run, "duckdb")


def test_a_decimal_that_would_become_a_float_is_refused(shelf: Shelf) -> None:
    for text in ("1" * 39, "0." + "1" * 39, "1E-40"):
        with pytest.raises(ValueError, match="more digits than the database keeps"):
            shelf.bind("put", id=1, amount=Decimal(text))


SPECS = """\
type: sql_function
name: first
arguments: { inline: { ids: "int[]" } }
returns: int
sql: SELECT :ids[1] + :ids[2]
---
type: sql_function
name: counted
arguments: { inline: { ids: "int[]" } }
returns: int
sql: SELECT 5 IN (:ids)::INT
---
type: sql_function
name: apart
arguments: { inline: { a: int, A: int, a_1: int } }
returns: string
sql: SELECT concat(:a, ',', :A, ',', :a_1)
"""


def test_a_list_is_subscripted_and_a_verdict_cast(tmp_path: Path) -> None:
    built = build(
        tmp_path,
        {"lists.yaml": SPECS},
        targets=("python", "sql"),
        connections={"default": Connection("duckdb", ())},
    )
    assert [] == [each.message for each in built.diagnostics]
    connection = duckdb.connect()

    def run(sql: str, arguments: Any) -> Rows:
        cursor = connection.execute(sql, arguments)
        return [(row, [cursor.description[0][0]]) for row in cursor.fetchall()]

    shelf = Shelf(built, "duckdb", run)
    assert [12] == shelf.call("first", ids=[5, 7])
    assert [1] == shelf.call("counted", ids=[5])
    assert [0] == shelf.call("counted", ids=[6])
    assert ["1,2,3"] == shelf.call("apart", a=1, A=2, a_1=3)


def test_what_the_database_refuses_can_be_told(shelf: Shelf) -> None:
    refused.can_be_told(lambda sql, _: shelf.run(sql, {}), "duckdb")
