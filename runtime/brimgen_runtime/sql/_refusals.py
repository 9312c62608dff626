"""Explain errors of a driver in a sentence that the caller of the tool may read.

Drivers classify refusals by SQLSTATE, or by a number of the database's own. Their messages are
never shown, because they contain values and SQL; only names of columns that are names of arguments
are, which the caller knows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast

Kind: TypeAlias = Literal[
    "unique",
    "missing",
    "referenced",
    "foreign",
    "null",
    "check",
    "long",
    "range",
    "form",
    "overlap",
    "rule",
    "busy",
    "slow",
]
"""What a database refuses. ``missing``: what a row refers to is not there; ``referenced``: other
rows refer to it; ``foreign``: one of both; ``rule``: one that the database's author wrote."""

_SENTENCES: Final[dict[Kind, tuple[str, str]]] = {
    "unique": (
        "there is a row with these values already, where they must be unique",
        "there is a row with this {} already",
    ),
    "missing": (
        "it refers to something that is not there",
        "there is nothing with this {}",
    ),
    "referenced": ("something else still refers to it", ""),
    "foreign": (
        "it refers to something that is not there, or something still refers to it",
        "there is nothing with this {}, or something still refers to it",
    ),
    "null": ("a value is missing that must be given", "{} must be given"),
    "check": (
        "the database does not allow one of these values, or not together",
        "the database does not allow this {}",
    ),
    "long": ("a text is too long", "{} is too long"),
    "range": ("a number or date is out of range", "{} is out of range"),
    "form": (
        "a value is not of the form that the database wants",
        "{} is not of the form that the database wants",
    ),
    "overlap": ("it overlaps with what is there already", ""),
    "rule": ("a rule of the database forbids it", ""),
    "busy": ("the database was busy; the same call may go through later", ""),
    "slow": ("it took too long; ask for less", ""),
}
_STATES: Final[dict[str, Kind]] = {
    "23505": "unique",
    "23503": "foreign",
    "23001": "referenced",
    "23502": "null",
    "23514": "check",
    "23513": "check",
    "23P01": "overlap",
    "22001": "long",
    "22003": "range",
    "22008": "range",
    "22007": "form",
    "22P02": "form",
    "22018": "form",
    "22023": "form",
    "P0001": "rule",
    "45000": "rule",
    "40001": "busy",
    "40P01": "busy",
    "55P03": "busy",
    "57014": "slow",
}
_SQLITE: Final[dict[int, Kind]] = {
    275: "check",
    787: "foreign",
    1299: "null",
    1555: "unique",
    1811: "rule",
    2067: "unique",
    2579: "unique",
    3091: "form",
    5: "busy",
    6: "busy",
    18: "long",
    20: "form",
}
_MYSQL: Final[dict[int, Kind]] = {
    1062: "unique",
    1586: "unique",
    1048: "null",
    1364: "null",
    1216: "missing",
    1452: "missing",
    1217: "referenced",
    1451: "referenced",
    3819: "check",
    4025: "check",
    1406: "long",
    1264: "range",
    1690: "range",
    1265: "form",
    1292: "form",
    1366: "form",
    1644: "rule",
    1205: "busy",
    1213: "busy",
    1969: "slow",
    3024: "slow",
}
_ORACLE: Final[dict[int, Kind]] = {
    1: "unique",
    1400: "null",
    1407: "null",
    2290: "check",
    2291: "missing",
    2292: "referenced",
    12899: "long",
    1438: "range",
    1722: "form",
    1830: "form",
    1858: "form",
    1861: "form",
    20000: "rule",
    54: "busy",
    60: "busy",
    8177: "busy",
    1013: "slow",
}
_TSQL: Final[dict[int, Kind]] = {
    2601: "unique",
    2627: "unique",
    515: "null",
    547: "foreign",
    2628: "long",
    8152: "long",
    220: "range",
    242: "range",
    8115: "range",
    241: "form",
    245: "form",
    8114: "form",
    50000: "rule",
    1205: "busy",
    1222: "busy",
}
_DUCKDB: Final[dict[str, Kind]] = {
    "does not exist in the referenced table": "missing",
    "still referenced": "referenced",
    "Duplicate key": "unique",
    "duplicate key": "unique",
    "NOT NULL constraint": "null",
    "CHECK constraint": "check",
    "out of range": "range",
    "ConversionException": "form",
    "OutOfRangeException": "range",
    "TransactionException": "busy",
}
"""What DuckDB says, which has no numbers: its words, and the classes of its exceptions."""

_HINTS: Final = re.compile(
    r"""constraint\ failed:\ (?P<sqlite>.+)
    | \ column\ (?P<stored>[\w.]+)\Z
    | \AKey\ \((?P<detail>.+?)\)=\(
    | \bkey\ "(?P<duckdb>\w+):\ 
    | expression\ CHECK\((?P<expression>.+)\)
    | \bfor\ key\ '(?P<mysql>[^']+)'\Z
    | FOREIGN\ KEY\ \(`(?P<reference>[^)]+)`\)
    | \b[Cc]olumn\ ['"`](?P<column>[^'"`]+)
    | \b(?i:constraint|index)\ ['"`](?P<constraint>[^'"`]+)
    | \AORA-\d+:[^(]*\((?P<oracle>[^)]+)\)
    """,
    re.VERBOSE,
)
"""Where drivers name columns, keys and constraints in what they write."""

_DRIVERS: Final = frozenset(
    [
        *("sqlite3", "apsw", "psycopg", "psycopg2", "asyncpg", "pg8000", "_duckdb"),
        *("aiomysql", "asyncmy"),
        *("pymysql", "MySQLdb", "mysql", "mariadb", "oracledb", "pyodbc"),
        *("databricks", "snowflake", "sqlalchemy"),
    ]
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a database refused; ``hints`` are names of columns and constraints, never shown."""

    kind: Kind
    hints: str = ""

    def told(
        self, arguments: Collection[str] = (), hidden: Collection[str] = ()
    ) -> str:
        """Return the sentence for a caller. It names those of ``arguments`` that are concerned.

        ``hidden`` are arguments that callers do not know: where only these are concerned, it says
        that others would not help.
        """
        plain, named = _SENTENCES[self.kind]
        names = self._concerned(arguments)
        if names and named:
            return named.format(" and ".join(names))
        is_hidden = bool(named and self._concerned(hidden))
        return f"{plain}; other arguments would not change that" if is_hidden else plain

    def _concerned(self, arguments: Collection[str]) -> list[str]:
        folded = self.hints.casefold()
        return [
            argument
            for argument in arguments
            if re.search(
                rf"(?<![^\W_]){re.escape(argument.casefold())}(?![^\W_])", folded
            )
        ]


def refusal_of(error: BaseException) -> Refusal | None:
    """Return what a driver's exception says of a call; None where callers can do nothing about it.

    Exceptions of SQLAlchemy stand for those that they are about.
    """
    problem: Any = getattr(error, "orig", None) or error
    homes = {base.__module__.partition(".")[0] for base in type(problem).__mro__}
    if not homes & _DRIVERS:
        return None
    kind = next(_kinds(problem, homes), None)
    if kind is None:
        return None
    kind = _side(kind, str(problem))
    # The key that DuckDB misses is that of the other table.
    is_foreign = kind == "missing" and "_duckdb" in homes
    return Refusal(kind, "" if is_foreign else " ".join(_hints(problem)))


def _kinds(problem: Any, homes: set[str]) -> Iterator[Kind]:
    """Yield what the numbers of an exception say, those of the database first."""
    first: Any = problem.args[0] if problem.args else None
    text = str(problem)
    if homes & {"sqlite3", "apsw"}:
        code = getattr(problem, "sqlite_errorcode", None)
        code = getattr(problem, "extendedresult", code)
        if isinstance(code, int):
            yield from _kinds_of_numbers(_SQLITE, code, code & 0xFF)
    elif "_duckdb" in homes:
        if type(problem).__name__ == "ConstraintException" or "out of range" in text:
            yield from _kinds_of_numbers(
                _DUCKDB, *(words for words in _DUCKDB if words in text)
            )
        yield from _kinds_of_numbers(_DUCKDB, type(problem).__name__)
    elif homes & {"pymysql", "MySQLdb", "aiomysql", "asyncmy", "mysql", "mariadb"}:
        yield from _kinds_of_numbers(_MYSQL, getattr(problem, "errno", None), first)
    elif "oracledb" in homes:
        yield from _kinds_of_numbers(_ORACLE, getattr(first, "code", None))
    elif "pyodbc" in homes:
        yield from _kinds_of_numbers(
            _TSQL, *map(int, re.findall(r"\((\d{3,5})\)", text))
        )
    states = [getattr(problem, name, None) for name in ("sqlstate", "pgcode")]
    states += [_fields(problem).get("C"), *re.findall(r"SQLSTATE: (\w{5})", text)]
    yield from _kinds_of_numbers(_STATES, *states, first)


def _fields(problem: Any) -> Mapping[str, str]:
    """Return the fields of an error of PostgreSQL by their letters, as pg8000 has them."""
    first: Any = problem.args[0] if problem.args else None
    return cast("Mapping[str, str]", first) if isinstance(first, dict) else {}


def _kinds_of_numbers(table: Mapping[Any, Kind], *numbers: object) -> Iterator[Kind]:
    for number in numbers:
        if isinstance(number, int | str) and number in table:
            yield table[number]


def _side(kind: Kind, text: str) -> Kind:
    """Return which side of a reference is meant, where the text says it."""
    if kind != "foreign":
        return kind
    if "CHECK constraint" in text:
        return "check"
    if "is not present" in text:
        return "missing"
    is_parent = "still referenced" in text or "REFERENCE constraint" in text
    return "referenced" if is_parent else kind


def _hints(problem: Any) -> Iterator[str]:
    """Yield the names of columns and constraints that an exception has."""
    diagnostics = getattr(problem, "diag", problem)
    for name in ("column_name", "constraint_name"):
        yield str(getattr(diagnostics, name, None) or "")
    details = [
        getattr(diagnostics, "message_detail", None),
        getattr(problem, "detail", None),
        *_fields(problem).values(),
    ]
    for text in [str(problem), *problem.args, *details]:
        for match in _HINTS.finditer(text if isinstance(text, str) else ""):
            yield from (group for group in match.groups() if group)
