"""Lower a catalog to the list of how its tools run."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.names import module_name
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.protocol.annotations import statement_of
from brimgen.emit.protocol.lists import TARGET, listed
from brimgen.emit.server.view import Entries, Entry, RunStatement
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.http import HttpBody
from brimgen.model.scalars import SCALARS
from brimgen.model.types import ListType, NullableType, ScalarType
from brimgen.sqltext.drivers import drivers_of


def entries(catalog: Catalog) -> Entries:
    """Return how the tools that MCP lists run, by name."""
    wraps = {tool.name: tool.is_wrapped for tool in listed(catalog).tools}
    tools = target_tools(catalog, TARGET, CALLABLE)
    return Entries([_entry(catalog, tool, wraps[tool.name]) for tool in tools])


def _entry(catalog: Catalog, tool: Tool, wraps: bool) -> Entry:
    module = module_name(tool.name)
    if isinstance(tool.body, SqlBody):
        return Entry(
            name=tool.name,
            runs="sql",
            module=f".sql.{module}",
            statement=RunStatement(
                connection=tool.body.connection,
                drivers=_drivers(catalog, tool.body),
                rows=_rows(catalog, tool),
            ),
            wraps=wraps,
        )
    if isinstance(tool.body, HttpBody):
        return Entry(name=tool.name, runs="http", module=f".http.{module}", wraps=wraps)
    return Entry(name=tool.name, runs="function", wraps=wraps)


def _drivers(catalog: Catalog, body: SqlBody) -> Sequence[str]:
    connection = catalog.project.connections.get(body.connection)
    if connection is None:
        return ()
    return drivers_of(connection.dialect, connection.drivers)


def _rows(catalog: Catalog, tool: Tool) -> str:
    if tool.returns is None:
        return "none"
    match tool.returns.type:
        case ScalarType(scalar) if SCALARS[scalar].is_integer and _counts(
            catalog, tool
        ):
            return "count"
        case ListType() | NullableType(inner=ListType()):
            return "many"
        case NullableType():
            return "maybe"
        case _:
            return "one"


def _counts(catalog: Catalog, tool: Tool) -> bool:
    facts = statement_of(catalog, tool)
    return facts is not None and facts.counts
