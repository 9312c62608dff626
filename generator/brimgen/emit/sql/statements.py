"""Statements: the tools of a sound catalog that have one, with all that is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from brimgen.emit.sql.drivers import sql_tools, wanted
from brimgen.emit.sql.rewrite import Rewritten, rewrite
from brimgen.emit.sql.types import SqlType, sql_type
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Context, Field, Host
from brimgen.sqltext import Dialect, Statement, scan
from brimgen.sqltext.drivers import Driver
from brimgen.sqltext.kind import Facts, facts_of
from brimgen.sqltext.places import places


@dataclass(frozen=True)
class Bound:
    """One statement with everything that is known about it, ready to be written out."""

    tool: Tool
    body: SqlBody
    catalog: Catalog
    dialect: Dialect
    drivers: tuple[Driver, ...]

    @cached_property
    def statement(self) -> Statement:
        """The scanned statement."""
        return scan(self.body.statement.text, self.dialect)

    @property
    def facts(self) -> Facts:
        """What the statement does."""
        return facts_of(self.statement)

    @cached_property
    def types(self) -> dict[str, SqlType]:
        """The types of all arguments, by name."""
        return {each.name: sql_type(each, self.catalog) for each in self.tool.fields}

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The arguments that the statement uses, in order of first use."""
        by_name = {each.name: each for each in self.tool.fields}
        return tuple(by_name[each] for each in self.statement.names)

    @cached_property
    def texts(self) -> dict[str, Rewritten]:
        """The text of each driver."""
        found = places(self.statement)
        return {
            driver.name: rewrite(self.statement, found, self.types, driver)
            for driver in self.drivers
        }


def statements(catalog: Catalog) -> tuple[Bound, ...]:
    """The statements of a sound catalog."""
    found: list[Bound] = []
    for tool, body in sql_tools(catalog):
        target = wanted(catalog, body)
        if target is not None:
            found.append(Bound(tool, body, catalog, target.dialect, target.drivers))
    return tuple(found)


def origin(field: Field) -> str:
    """Where a value comes from, in a word."""
    match field.origin:
        case Caller():
            return "caller"
        case Context(path=path):
            return f"context:{'.'.join(path)}"
        case Host():
            return "host"
