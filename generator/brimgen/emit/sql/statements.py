"""Collect the statements of tools with all that is known about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from brimgen.emit.account import once_per_catalog
from brimgen.emit.sql.driver_text import DriverText
from brimgen.emit.sql.drivers import ConnectionDrivers, connection_drivers, sql_tools
from brimgen.emit.sql.module.decode_function import Decodings
from brimgen.emit.sql.module.parameter_text import ParamText, param_text
from brimgen.emit.sql.rewrite import rewrite
from brimgen.emit.sql.types import SqlType, sql_type
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Context, Host
from brimgen.model.types import Field
from brimgen.sqltext import Dialect, Statement, scan
from brimgen.sqltext.drivers import Driver
from brimgen.sqltext.parameter_uses import find_places
from brimgen.sqltext.statement_kind import Facts, facts_of


class Param(NamedTuple):
    """An argument that a statement uses, its type there, and its text."""

    field: Field
    type: SqlType
    text: ParamText


class Types:
    """The types of the arguments of tools, computed on first use."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._found: dict[str, Mapping[str, SqlType]] = {}

    def of(self, tool: Tool) -> Mapping[str, SqlType]:
        """Return the types by the names of the arguments."""
        found = self._found.get(tool.name)
        if found is None:
            found = {
                field.name: sql_type(field, self._catalog) for field in tool.fields
            }
            self._found[tool.name] = found
        return found


@once_per_catalog
def types_of(catalog: Catalog) -> Types:
    """Return the types for ``catalog``; its check and its statements share them."""
    return Types(catalog)


@dataclass(frozen=True)
class Bound:
    """One statement with everything that is known about it, ready to be written out."""

    tool: Tool
    body: SqlBody
    statement: Statement
    catalog: Catalog
    wanted: ConnectionDrivers
    decodings: Decodings
    known: Types

    @property
    def dialect(self) -> Dialect:
        """The dialect of the statement."""
        return self.wanted.dialect

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """The drivers to write the statement for."""
        return self.wanted.drivers

    @property
    def facts(self) -> Facts:
        """What the statement does."""
        return facts_of(self.statement)

    @cached_property
    def params(self) -> Mapping[str, Param]:
        """The arguments that the statement uses by name, in order of first use."""
        by_name = {each.name: each for each in self.tool.fields}
        types, dialect = self.types, self.dialect.name
        return {
            name: Param(
                field := by_name[name],
                type := types[name],
                param_text(name, type, origin(field), dialect),
            )
            for name in self.statement.names
        }

    @property
    def types(self) -> Mapping[str, SqlType]:
        """The types of the arguments of the tool, by name."""
        return self.known.of(self.tool)

    @cached_property
    def texts(self) -> dict[str, DriverText]:
        """The text of each driver; drivers that write alike share one."""
        found, made = find_places(self.statement), dict[str, DriverText]()
        for name, writer in self.wanted.writers.items():
            if writer.name not in made:
                made[writer.name] = rewrite(self.statement, found, self.types, writer)
            made[name] = made[writer.name]
        return made


def statements(catalog: Catalog) -> Iterator[Bound]:
    """Yield the statements of a catalog one by one, so that each can be freed after use."""
    targets = {
        name: connection_drivers(catalog, name) for name in catalog.project.connections
    }
    decodings, known = Decodings(catalog), types_of(catalog)
    for tool, body in sql_tools(catalog):
        target = targets.get(body.connection)
        if target is not None:
            statement = scan(body.statement.text, target.dialect)
            yield Bound(tool, body, statement, catalog, target, decodings, known)


def origin(field: Field) -> str:
    """Return in a word where a value comes from."""
    match field.origin:
        case Caller():
            return "caller"
        case Context(path=path):
            return f"context:{'.'.join(path)}"
        case Host():
            return "host"
