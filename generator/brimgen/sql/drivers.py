"""Describe the database drivers, one row each (sql.md, 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from brimgen.frozen import dataclass


class Style(StrEnum):
    """How a driver writes a placeholder."""

    NAMED = "named"
    DOLLAR = "dollar"
    NUMERIC = "numeric"
    PYFORMAT = "pyformat"
    FORMAT = "format"
    QMARK = "qmark"
    TEXT_CLAUSE = "text-clause"
    TYPED_PYFORMAT = "typed-pyformat"
    TYPED_BRACES = "typed-braces"


TYPED = frozenset({Style.TYPED_PYFORMAT, Style.TYPED_BRACES})
"""Styles whose placeholders carry a type, so that everything that is bound must have one."""
POSITIONAL = frozenset({Style.NUMERIC, Style.FORMAT, Style.QMARK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """One driver.

    ``percent`` drivers read ``%`` in the text as soon as arguments are given, so that other
    ones are doubled, and a statement without parameters is executed with None.
    ``unescapes``: it reads ``%%`` as ``%`` even without arguments.
    ``strips_comments``: its own scanner trips over apostrophes in comments.
    ``misreads``: a text that it takes for a placeholder also in strings and comments.
    ``cuts``: it cuts a value to the type of what stands beside it, unless the value is cast.
    ``untyped`` tells how a value is bound of which the server finds the type: as ``text``, or as
    a ``value`` that is right for every type; empty where there is no such way.
    """

    name: str
    style: Style
    dialects: tuple[str, ...]
    percent: bool = False
    unescapes: bool = False
    strips_comments: bool = False
    misreads: str = ""
    cuts: bool = False
    untyped: str = ""

    @property
    def writing(self) -> tuple[Style, bool, bool, bool, str, bool, str]:
        """The properties on which the text of a statement depends; drivers that agree share a
        text.
        """
        return (
            self.style,
            self.percent,
            self.unescapes,
            self.strips_comments,
            self.misreads,
            self.cuts,
            self.untyped,
        )

    @property
    def positional(self) -> bool:
        """Whether it takes a tuple; otherwise a dict."""
        return self.style in POSITIONAL


_ALL = ("sqlite", "postgres", "duckdb", "mysql", "oracle", "tsql")
_ROWS = (
    Driver(name="sqlite3", style=Style.NAMED, dialects=("sqlite",)),
    Driver(name="aiosqlite", style=Style.NAMED, dialects=("sqlite",)),
    Driver(name="apsw", style=Style.NAMED, dialects=("sqlite",)),
    Driver(name="duckdb", style=Style.DOLLAR, dialects=("duckdb",)),
    Driver(
        name="psycopg",
        style=Style.PYFORMAT,
        dialects=("postgres",),
        percent=True,
        untyped="text",
    ),
    Driver(
        name="psycopg2",
        style=Style.PYFORMAT,
        dialects=("postgres",),
        percent=True,
        untyped="text",
    ),
    Driver(
        name="asyncpg",
        style=Style.NUMERIC,
        dialects=("postgres",),
        cuts=True,
        untyped="value",
    ),
    Driver(name="pymysql", style=Style.PYFORMAT, dialects=("mysql",), percent=True),
    Driver(name="mysqlclient", style=Style.PYFORMAT, dialects=("mysql",), percent=True),
    Driver(
        name="mysql_connector", style=Style.FORMAT, dialects=("mysql",), misreads="%s"
    ),
    Driver(
        name="mariadb", style=Style.QMARK, dialects=("mysql",), strips_comments=True
    ),
    Driver(name="pyodbc", style=Style.QMARK, dialects=("tsql",)),
    Driver(name="oracledb", style=Style.NAMED, dialects=("oracle",)),
    Driver(name="snowflake", style=Style.QMARK, dialects=("snowflake",)),
    Driver(name="databricks", style=Style.NAMED, dialects=("databricks",)),
    Driver(
        name="bigquery",
        style=Style.TYPED_PYFORMAT,
        dialects=("bigquery",),
        unescapes=True,
    ),
    Driver(
        name="clickhouse_connect", style=Style.TYPED_BRACES, dialects=("clickhouse",)
    ),
    Driver(name="sqlalchemy", style=Style.TEXT_CLAUSE, dialects=_ALL, cuts=True),
)
DRIVERS: Mapping[str, Driver] = MappingProxyType({row.name: row for row in _ROWS})

_SYNONYMS = {
    "sqlite": "sqlite3",
    "psycopg3": "psycopg",
    "mysql_connector_python": "mysql_connector",
    "mysqldb": "mysqlclient",
    "cx_oracle": "oracledb",
    "snowflake_connector": "snowflake",
    "snowflake_connector_python": "snowflake",
    "databricks_sql": "databricks",
    "databricks_sql_connector": "databricks",
    "google_cloud_bigquery": "bigquery",
    "clickhouse": "clickhouse_connect",
}
USUAL_DRIVERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "sqlite": ("sqlite3",),
        "postgres": ("psycopg", "asyncpg"),
        "duckdb": ("duckdb",),
        "mysql": ("pymysql",),
        "tsql": ("pyodbc",),
        "oracle": ("oracledb",),
        "snowflake": ("snowflake",),
        "databricks": ("databricks",),
        "bigquery": ("bigquery",),
        "clickhouse": ("clickhouse_connect",),
    }
)
"""Those of a dialect whose connection names none."""


def find_driver(name: str) -> Driver | None:
    """Find a driver by its name (``mysql.connector`` too); None if it is unknown."""
    folded = name.casefold().replace(".", "_").replace("-", "_")
    return DRIVERS.get(_SYNONYMS.get(folded, folded))


def drivers_of(dialect: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the drivers that a connection writes text for: ``names``, or those usual for its
    dialect.
    """
    known_drivers = (
        find_driver(name) for name in names or USUAL_DRIVERS.get(dialect, ())
    )
    usable_names = (
        known_driver.name
        for known_driver in known_drivers
        if known_driver and dialect in known_driver.dialects
    )
    return tuple(dict.fromkeys(usable_names))
