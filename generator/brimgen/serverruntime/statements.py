"""Statements: a bound input in, what its statement gives back out, decoded."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from importlib import import_module
from typing import Any, cast

from ._package import ToolError
from .databases import Database
from .entries import Sql

_AUTOMATIC = ("duckdb",)
"""Drivers that commit each statement by themselves, and refuse to be told to."""


class Unbound(ValueError):
    """An argument that the driver would not carry as it is; the text is the binding's own."""


class Changed(int):
    """How many rows a statement without a result has changed; -1 where nobody counts."""


def run_statement(package: str, entry: Sql, database: Database, bound: Any) -> Any:
    """Execute a statement and return what its rows are, or `Changed`.

    Raises Unbound for an argument that cannot be bound, ToolError where one row is wanted and
    there is none, and whatever the driver raises. Nothing is committed unless all went well.
    """
    module = import_module(entry.module, package)
    text, arguments = _bound(module, database.driver, bound)
    connect = database.read if module.KIND == "read" else database.write
    with connect() as connection, closing(connection.cursor()) as cursor:
        if arguments is None:
            cursor.execute(text)
        else:
            cursor.execute(text, arguments)
        result = _result(module, entry, cursor)
        if database.driver not in _AUTOMATIC:
            connection.commit()
        return result


def _bound(module: Any, driver: str, bound: Any) -> tuple[str, Any]:
    try:
        if hasattr(module, f"render_{driver}"):
            text, arguments = getattr(module, f"render_{driver}")(bound)
            return str(text), arguments
        arguments = getattr(module, f"bind_{driver}")(bound)
    except ValueError as problem:
        raise Unbound(str(problem)) from problem
    return str(getattr(module, f"SQL_{driver.upper()}")), arguments


def _result(module: Any, entry: Sql, cursor: Any) -> Any:
    decode = getattr(module, "decode", None)
    if entry.rows == "none" or decode is None:
        return Changed(cursor.rowcount)
    columns = [str(each[0]) for each in cursor.description or ()]
    if entry.rows == "many":
        return [decode(_row(each), columns) for each in cursor.fetchall()]
    found = cursor.fetchmany(2)
    if len(found) > 1:
        raise ValueError("the statement gave more than one row, and one is wanted")
    if found:
        return decode(_row(found[0]), columns)
    if entry.rows == "maybe":
        return None
    raise ToolError("nothing was found")


def _row(row: Any) -> Any:
    """Return a row as the decoder takes it: a mapping, or the plain sequence of its cells."""
    return cast("Any", row) if isinstance(row, Mapping) else tuple(row)
