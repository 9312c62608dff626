"""Drivers: one row each of what a database driver takes (sql.md 1.2, 1.3, 1.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.sqltext import Dialect, find_dialect


class Style(Enum):
    """How a driver writes a placeholder."""

    NAMED = "named"
    DOLLAR = "dollar"
    NUMERIC = "numeric"
    PYFORMAT = "pyformat"
    FORMAT = "format"
    QMARK = "qmark"
    TEXT_CLAUSE = "text-clause"


class Lists(Enum):
    """How a list stands on the right of IN."""

    ARRAY = "array"
    JSON = "json"
    EXPAND = "expand"


POSITIONAL = frozenset({Style.NUMERIC, Style.FORMAT, Style.QMARK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """One driver.

    ``percent`` drivers read ``%`` in the text as soon as arguments are given, so that other
    ones are doubled, and a statement without parameters is executed with None.
    ``strips_comments``: its own scanner trips over apostrophes in comments.
    """

    name: str
    style: Style
    dialects: tuple[str, ...]
    percent: bool = False
    strips_comments: bool = False

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
    Driver(name="psycopg", style=Style.PYFORMAT, dialects=("postgres",), percent=True),
    Driver(name="psycopg2", style=Style.PYFORMAT, dialects=("postgres",), percent=True),
    Driver(name="asyncpg", style=Style.NUMERIC, dialects=("postgres",)),
    Driver(name="pymysql", style=Style.PYFORMAT, dialects=("mysql",), percent=True),
    Driver(name="mysqlclient", style=Style.PYFORMAT, dialects=("mysql",), percent=True),
    Driver(name="mysql_connector", style=Style.FORMAT, dialects=("mysql",)),
    Driver(
        name="mariadb", style=Style.QMARK, dialects=("mysql",), strips_comments=True
    ),
    Driver(name="pyodbc", style=Style.QMARK, dialects=("tsql",)),
    Driver(name="oracledb", style=Style.NAMED, dialects=("oracle",)),
    Driver(name="sqlalchemy", style=Style.TEXT_CLAUSE, dialects=_ALL),
)
DRIVERS: Mapping[str, Driver] = MappingProxyType({row.name: row for row in _ROWS})

_SYNONYMS = {
    "sqlite": "sqlite3",
    "psycopg3": "psycopg",
    "mysql_connector_python": "mysql_connector",
    "mysqldb": "mysqlclient",
    "cx_oracle": "oracledb",
}
_DEFAULTS = {
    "sqlite": ("sqlite3",),
    "postgres": ("psycopg", "asyncpg"),
    "duckdb": ("duckdb",),
    "mysql": ("pymysql",),
    "tsql": ("pyodbc",),
    "oracle": ("oracledb",),
}
_LISTS = {
    "sqlite": Lists.JSON,
    "tsql": Lists.JSON,
    "postgres": Lists.ARRAY,
    "duckdb": Lists.ARRAY,
}


def find_driver(name: str) -> Driver | None:
    """The driver called ``name`` (``mysql.connector`` too); None where unknown."""
    folded = name.casefold().replace(".", "_").replace("-", "_")
    return DRIVERS.get(_SYNONYMS.get(folded, folded))


def lists_of(dialect: Dialect) -> Lists:
    """How lists are bound in ``dialect``."""
    return _LISTS.get(dialect.name, Lists.EXPAND)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a connection asks for: a dialect, and the drivers to write text for."""

    dialect: Dialect
    drivers: tuple[Driver, ...]


def wanted(catalog: Catalog, body: SqlBody) -> Wanted | None:
    """The dialect and drivers of a statement; None where its connection is not sound."""
    connection = catalog.project.connections.get(body.connection)
    dialect = find_dialect(connection.dialect) if connection else None
    if connection is None or dialect is None:
        return None
    names = connection.drivers or _DEFAULTS.get(dialect.name, ())
    found = (find_driver(name) for name in names)
    rows = {each.name: each for each in found if each and dialect.name in each.dialects}
    return Wanted(dialect, tuple(rows.values()))


def sql_tools(catalog: Catalog) -> tuple[tuple[Tool, SqlBody], ...]:
    """The tools of the catalog that are enabled, have a statement and want this target."""
    return tuple(
        (tool, tool.body)
        for tool in catalog.tools
        if tool.enabled
        and isinstance(tool.body, SqlBody)
        and (tool.targets is None or "sql" in tool.targets)
    )
