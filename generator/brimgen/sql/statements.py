"""Collect the statements of tools with all that is known about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import NamedTuple

from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.fields import Caller, Context, Host
from brimgen.model.types import Field
from brimgen.sql import Dialect, Statement, find_dialect, scan
from brimgen.sql.drivers import USUAL_DRIVERS, Driver, find_driver
from brimgen.sql.effects import Facts, facts_of, gravest
from brimgen.sql.filters import optional_filters, without_guards
from brimgen.sql.parameter_types import SqlType, sql_type
from brimgen.sql.rewrite import DriverText, rewrite
from brimgen.sql.uses import find_places


class Param(NamedTuple):
    """An argument that a statement uses, and its type there."""

    field: Field
    type: SqlType


class Types:
    """The types of the arguments of tools, computed on first use."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._types: dict[str, Mapping[str, SqlType]] = {}

    def of(self, tool: Tool) -> Mapping[str, SqlType]:
        """Return the types by the names of the arguments."""
        types = self._types.get(tool.name)
        if types is None:
            types = {
                field.name: sql_type(field, self._catalog) for field in tool.fields
            }
            self._types[tool.name] = types
        return types


@dataclass(frozen=True)
class Bound:
    """One statement with everything that is known about it, ready to be written out."""

    tool: Tool
    body: SqlBody
    statement: Statement
    catalog: Catalog
    target: ConnectionDrivers
    argument_types: Types

    @property
    def dialect(self) -> Dialect:
        """The dialect of the statement."""
        return self.target.dialect

    @property
    def drivers(self) -> tuple[Driver, ...]:
        """The drivers to write the statement for."""
        return self.target.drivers

    @cached_property
    def facts(self) -> Facts:
        """What the statement does, in the variant that does most."""
        return gravest(facts_of(bound.statement) for bound in self.chosen)

    @cached_property
    def chosen(self) -> tuple[Bound, ...]:
        """The statement with each text that its choices make; filters keep their guards."""
        variants = self.body.variants
        if not variants:
            return (self,)
        return tuple(
            replace(
                self,
                body=replace(self.body, statement=variant.statement, variants=()),
                statement=scan(variant.statement.text, self.dialect),
            )
            for variant in variants
        )

    @cached_property
    def compiled(self) -> tuple[str, ...]:
        """The arguments whose filters are left out of the text while they are absent."""
        declared = self.body.compiled
        if declared is None:
            return ()
        filters = dict.fromkeys(
            optional_filter.name
            for chosen in self.chosen
            for optional_filter in optional_filters(chosen.statement)
        )
        types = self.types
        return tuple(
            name
            for name in filters
            if (not declared or name in declared)
            and name in types
            and types[name].nullable
        )

    @cached_property
    def variants(self) -> Mapping[tuple[str | bool, ...], Bound]:
        """The statement of each variant by its key: labels, and which filters are given.

        It is empty for a statement that has one text.
        """
        if not self.body.variants and not self.compiled:
            return {}
        labels = [variant.labels for variant in self.body.variants] or [()]
        bounds: dict[tuple[str | bool, ...], Bound] = {}
        for key, chosen in zip(labels, self.chosen, strict=True):
            for presence in product((True, False), repeat=len(self.compiled)):
                flags = dict(zip(self.compiled, presence, strict=True))
                text = without_guards(chosen.statement, flags)
                body = replace(chosen.body, compiled=None)
                statement = scan(text, self.dialect)
                bounds[*key, *presence] = replace(
                    chosen, body=body, statement=statement
                )
        return bounds

    @cached_property
    def params(self) -> Mapping[str, Param]:
        """The arguments that the statement uses by name, in order of first use.

        Those of a statement with choices are those of all its texts.
        """
        if len(self.chosen) > 1:
            return {
                name: value
                for chosen in self.chosen
                for name, value in chosen.params.items()
            }
        by_name = {field.name: field for field in self.tool.fields}
        return {
            name: Param(by_name[name], self.types[name])
            for name in self.statement.names
        }

    @property
    def types(self) -> Mapping[str, SqlType]:
        """The types of the arguments of the tool, by name."""
        return self.argument_types.of(self.tool)

    @cached_property
    def texts(self) -> dict[str, DriverText]:
        """The text of each driver; drivers that write alike share one."""
        places, driver_texts = find_places(self.statement), dict[str, DriverText]()
        for name, writer in self.target.writers.items():
            if writer.name not in driver_texts:
                driver_texts[writer.name] = rewrite(
                    self.statement, places, self.types, writer
                )
            driver_texts[name] = driver_texts[writer.name]
        return driver_texts


def statements(catalog: Catalog) -> Iterator[Bound]:
    """Yield the statements of a catalog one by one, so that each can be freed after use."""
    targets = {
        name: connection_drivers(catalog, name) for name in catalog.project.connections
    }
    types = Types(catalog)
    for tool, body in sql_tools(catalog):
        target = targets.get(body.connection)
        if target is not None:
            statement = scan(body.statement.text, target.dialect)
            yield Bound(tool, body, statement, catalog, target, types)


def origin(field: Field) -> str:
    """Return in a word where a value comes from."""
    match field.origin:
        case Caller():
            return "caller"
        case Context(path=path):
            return f"context:{'.'.join(path)}"
        case Host():
            return "host"


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
