"""Every driver, session zone, type of argument, type of column and operation: 0 wrong.

What is expected is told by Python, of what is stored; nothing is read from the database that its
session's time zone could change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from databases.connections import CONNECTIONS, place_of, running
from databases.shelf import Run, Shelf
from support.project import Built, build, connection_to

pytestmark = pytest.mark.filterwarnings("error")

FOLD = datetime(2024, 11, 3, 4, 15, 30, 123456, tzinfo=UTC)
"""In St. John's this hour of the clock comes twice."""
NOON = datetime(2024, 5, 6, 12, tzinfo=timezone(timedelta(hours=-8)))
MIDNIGHT = datetime(2024, 5, 6, tzinfo=UTC)

_COLUMNS = {
    "postgres": "whole integer|exact numeric|broken double precision|naive timestamp"
    "|zoned timestamptz|day date",
    "duckdb": "whole INTEGER|exact DECIMAL(18, 8)|broken DOUBLE|naive TIMESTAMP"
    "|zoned TIMESTAMPTZ|day DATE",
    "mysql": "whole INTEGER|exact DECIMAL(18, 8)|broken DOUBLE|naive DATETIME(6)|day DATE",
    "sqlite": "whole INTEGER|exact NUMERIC|broken REAL|naive TEXT",
}
COLUMNS: dict[str, dict[str, str]] = {
    dialect: dict(each.split(" ", 1) for each in columns.split("|"))
    for dialect, columns in _COLUMNS.items()
}
ARGUMENTS: dict[str, tuple[str, list[Any]]] = {
    "float": ("whole exact broken", [0.1, 3.5, 3.0, 1e-7, 2.5]),
    "decimal": ("whole exact broken", [Decimal("0.1"), Decimal("3.5"), Decimal(3)]),
    "datetime": ("naive zoned day", [FOLD, NOON, MIDNIGHT, FOLD + timedelta(hours=1)]),
}
STORED: dict[str, list[Any]] = {
    "whole": [3, 4],
    "exact": [Decimal("0.1"), Decimal("3.5"), Decimal(3)],
    "broken": [0.1, 3.5, 3.0],
    "naive": [FOLD, NOON.astimezone(UTC), FOLD + timedelta(microseconds=1)],
    "zoned": [FOLD, NOON.astimezone(UTC), FOLD + timedelta(hours=1)],
    "day": [date(2024, 5, 6), date(2024, 11, 3)],
}

Oracle = Callable[[Any, Any], bool]
COMPARED: dict[str, tuple[str, Oracle]] = {
    "equal": ("{c} = :v", lambda cell, v: cell == v),
    "at_least": ("{c} >= :v", lambda cell, v: cell >= v),
    "turned": (":v < {c}", lambda cell, v: v < cell),
    "guarded": ("(:v IS NULL OR {c} <= :v)", lambda cell, v: cell <= v),
    "among_one": ("{c} IN (:v)", lambda cell, v: cell == v),
    "between": ("{c} BETWEEN :v AND :v", lambda cell, v: cell == v),
    "coalesced": ("{c} = COALESCE(:v, {c})", lambda cell, v: cell == v),
    "not_equal": ("NOT ({c} = :v)", lambda cell, v: cell != v),
}
LISTS: dict[str, tuple[str, Oracle]] = {
    "listed": ("{c} IN (:v)", lambda cell, v: cell == v),
    "guarded_list": ("(:v IS NULL OR {c} IN :v)", lambda cell, v: cell == v),
    "unlisted": ("{c} NOT IN (:v)", lambda cell, v: cell != v),
}
CHANGES = {
    "put": "INSERT INTO {t} (id, {c}) VALUES (1, :v)",
    "put_selected": "INSERT INTO {t} (id, {c}) SELECT 1, :v",
    "set_given": "UPDATE {t} SET {c} = COALESCE(:v, {c}) WHERE id = 9",
    "set_plain": "UPDATE {t} SET {c} = :v WHERE id = 9",
}
POSTGRES_ONLY = {
    "distinct": ("{c} IS NOT DISTINCT FROM :v", lambda cell, v: cell == v),
    "any_of": ("{c} = ANY(ARRAY[{c}]) AND {c} = :v", lambda cell, v: cell == v),
}


@dataclass(frozen=True)
class Case:
    """A tool that compares a column with an argument, or stores an argument in it."""

    tool: str
    sql: str
    word: str
    column: str
    values: list[Any]
    holds: Oracle | None = None
    is_list: bool = False


def _cases(dialect: str) -> Iterator[Case]:
    columns = COLUMNS[dialect]
    compared = {**COMPARED, **(POSTGRES_ONLY if dialect == "postgres" else {})}
    for word, (names, values) in ARGUMENTS.items():
        for column in (each for each in names.split() if each in columns):
            place = {"c": f"m.{column}", "t": "matrix"}
            start = f"{word}_{column}"
            lists = {} if dialect == "duckdb" and column == "zoned" else LISTS
            for name, (condition, holds) in (compared | lists).items():
                where = condition.format(**place)
                sql = f"SELECT m.id FROM matrix m WHERE {where} ORDER BY m.id"
                is_list = name in lists
                tool = f"{start}_{name}"
                yield Case(tool, sql, word, column, values, holds, is_list)
            for name, change in CHANGES.items():
                sql = change.format(c=column, t="matrix")
                yield Case(f"{start}_{name}", sql, word, column, values)


def _spec(case: Case, *, declares: bool) -> str:
    word = f"{case.word}[]" if case.is_list else case.word
    optional = "" if case.holds is None else ", required: false"
    option = ", x-sql-type: timestamptz" if declares and case.column == "zoned" else ""
    returns = "returns: 'int[]'\n" if case.holds else ""
    return (
        f"type: sql_function\nname: {case.tool}\n"
        f"arguments: {{ inline: {{ v: {{ type: '{word}'{optional}{option} }} }} }}\n"
        f"{returns}sql: |\n  {case.sql}\n"
    )


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Built]:
    made: dict[tuple[str, str], Built] = {}

    def package(dialect: str, driver: str) -> Built:
        """SQLAlchemy has drivers below it that want the type of an instant declared."""
        declares = dialect == "postgres" and driver == "sqlalchemy"
        if (dialect, driver) not in made:
            specs = (_spec(each, declares=declares) for each in _cases(dialect))
            made[dialect, driver] = build(
                tmp_path_factory.mktemp(dialect),
                {"matrix.yaml": "---\n".join(specs)},
                targets=("python", "sql"),
                connections={"default": connection_to(dialect, driver)},
            )
            assert [] == made[dialect, driver].errors
        return made[dialect, driver]

    return package


def _literal(value: Any, dialect: str, column: str) -> str:
    if not isinstance(value, date):
        return f"{value}"
    if not isinstance(value, datetime):
        return f"'{value}'"
    text = value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
    return f"'{text}+00'" if column == "zoned" else f"'{text}'"


def _meant(value: Any) -> Any:
    """What is compared: a day is its midnight in UTC."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return float(value) if isinstance(value, Decimal | float) else value


def _expected(value: Any, column: str, dialect: str) -> list[Any]:
    """What a column may hold that a value was stored in."""
    if dialect == "sqlite":
        return [_meant(value)]
    if column == "day":
        return [value.astimezone(UTC).date()]
    if column == "whole":
        return [round(value), int(value + type(value)("0.5"))]
    return [_meant(value)]


def _held(run: Run, dialect: str, column: str) -> Any:
    shown = column
    if column == "zoned":
        shown = "zoned AT TIME ZONE 'UTC'"
    ((row, _),) = run(f"SELECT {shown} FROM matrix WHERE id IN (1, 9)", None)
    (cell,) = row
    if column in ("naive", "zoned"):
        cell = datetime.fromisoformat(cell) if isinstance(cell, str) else cell
        return cell.replace(tzinfo=UTC)
    return _meant(cell) if column != "day" else cell


def _wrong_finds(shelf: Shelf, dialect: str, cases: list[Case]) -> Iterator[str]:
    for column in COLUMNS[dialect]:
        shelf.run("DELETE FROM matrix", None)
        for at, cell in enumerate(STORED[column]):
            literal = _literal(cell, dialect, column)
            sql = f"INSERT INTO matrix (id, {column}) VALUES ({at}, {literal})"
            shelf.run(sql, None)
        for case in (each for each in cases if each.column == column and each.holds):
            assert case.holds is not None
            for value in case.values:
                cells = enumerate(STORED[column])
                meant = _meant(value)
                expected = [at for at, c in cells if case.holds(_meant(c), meant)]
                found = shelf.call(case.tool, v=[value] if case.is_list else value)
                if found != expected:
                    yield f"{case.tool} {value}: {found}, not {expected}"


def _wrong_changes(shelf: Shelf, dialect: str, cases: list[Case]) -> Iterator[str]:
    for case in (each for each in cases if not each.holds):
        for value in case.values:
            shelf.run("DELETE FROM matrix", None)
            if "WHERE id = 9" in case.sql:
                shelf.run("INSERT INTO matrix (id) VALUES (9)", None)
            shelf.call(case.tool, v=value)
            held = _held(shelf.run, dialect, case.column)
            if held not in _expected(value, case.column, dialect):
                yield f"{case.tool} {value}: {held}"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/St_Johns"])
@pytest.mark.parametrize(("dialect", "name"), CONNECTIONS)
def test_nothing_is_found_or_stored_that_was_not_meant(
    dialect: str,
    name: str,
    zone: str,
    packages: Callable[[str, str], Built],
    request: pytest.FixtureRequest,
) -> None:
    cases = list(_cases(dialect))
    driver = name.partition("-")[0]
    with running((dialect, name), place_of(dialect, request), zone) as run:
        run("DROP TABLE IF EXISTS matrix", None)
        columns = ", ".join(f"{each} {type}" for each, type in COLUMNS[dialect].items())
        run(f"CREATE TABLE matrix (id integer, {columns})", None)
        shelf = Shelf(packages(dialect, driver), driver, run)
        wrong = [
            *_wrong_finds(shelf, dialect, cases),
            *_wrong_changes(shelf, dialect, cases),
        ]
    assert not wrong, "\n".join(wrong)
