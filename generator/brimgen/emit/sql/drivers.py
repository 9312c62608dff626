"""The dialect, the drivers and the tools of a connection."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.sql import Dialect, find_dialect
from brimgen.sql.drivers import USUAL_DRIVERS, Driver, find_driver


class Lists(StrEnum):
    """How a list stands on the right of IN.

    A `TYPED` list is an array whose type stands in its placeholder, and that is never NULL.
    """

    ARRAY = "array"
    JSON = "json"
    EXPAND = "expand"
    TYPED = "typed"


_LISTS = {
    "sqlite": Lists.JSON,
    "tsql": Lists.JSON,
    "postgres": Lists.ARRAY,
    "duckdb": Lists.ARRAY,
    "bigquery": Lists.TYPED,
    "clickhouse": Lists.TYPED,
}


def lists_of(dialect: str) -> Lists:
    """Return how lists are bound in a dialect."""
    return _LISTS.get(dialect, Lists.EXPAND)


@dataclass(frozen=True, slots=True)
class ConnectionDrivers:
    """What a connection asks for: a dialect, and the drivers to write text for.

    ``writers`` maps the name of each driver to one of them that writes the same text.
    """

    dialect: Dialect
    drivers: tuple[Driver, ...]
    writers: Mapping[str, Driver]


def connection_drivers(catalog: Catalog, name: str) -> ConnectionDrivers | None:
    """Return the dialect and drivers of a connection; None where it is not valid."""
    connection = catalog.project.connections.get(name)
    dialect = find_dialect(connection.dialect) if connection else None
    if connection is None or dialect is None:
        return None
    names = connection.drivers or USUAL_DRIVERS.get(dialect.name, ())
    drivers = (find_driver(name) for name in names)
    rows = {
        driver.name: driver
        for driver in drivers
        if driver and dialect.name in driver.dialects
    }
    by_writing = {row.writing: row for row in rows.values()}
    writers = {name: by_writing[value.writing] for name, value in rows.items()}
    return ConnectionDrivers(dialect, tuple(rows.values()), writers)


def sql_tools(catalog: Catalog) -> tuple[tuple[Tool, SqlBody], ...]:
    """Return the tools of the catalog that are enabled and have a statement."""
    return tuple(
        (tool, tool.body)
        for tool in catalog.tools
        if tool.enabled and isinstance(tool.body, SqlBody)
    )
