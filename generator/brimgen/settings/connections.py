"""Read the settings of connections: dialects, drivers and schemas.

::

    [tool.brimgen.connections.warehouse]
    dialect = "postgres"
    drivers = ["psycopg", "asyncpg"]    # without it, the usual ones of the dialect

    [tool.brimgen.connections.default]
    dialect = "sqlite"
    target = "shop.db"                  # what `python -m <package>` opens
    schema = "db/migrations"            # a DDL file, a dump, a folder of migrations, or a list
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules import UNKNOWN_DRIVER, WRONG_SETTING
from brimgen.frozen import dataclass, replace
from brimgen.model.project import Connection
from brimgen.settings.schema_files import take_schema
from brimgen.settings.values import SettingReader
from brimgen.source.nodes import MapNode, Node, ScalarNode

DEFAULT_CONNECTIONS: Mapping[str, Connection] = MappingProxyType(
    {"default": Connection("sqlite", ())}
)

_VERIFIED = ("postgres", "mysql", "sqlite", "duckdb")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Base:
    """Where paths begin: those of settings in ``folder``, those of messages beside ``specs``."""

    folder: Path
    specs: Path


def take_connections(reader: SettingReader, base: Base) -> Mapping[str, Connection]:
    """Read ``connections``, by name."""
    entry = reader.entry("connections")
    if entry is None:
        return DEFAULT_CONNECTIONS
    if not isinstance(entry.value, MapNode):
        reader.report_wrong(
            "connections", "a mapping of names to connections", entry.value
        )
        return DEFAULT_CONNECTIONS
    connections: dict[str, Connection] = {}
    for key, value in entry.value.entries:
        name = key.text
        if not _NAME.fullmatch(name):
            reader.report_wrong("connections", "a mapping with plain names", key)
        elif not isinstance(value, MapNode):
            dialect = _dialect(value)
            near = (f"{{dialect: {dialect}}}",) if dialect else ()
            expected = "a mapping with `dialect`"
            reader.report_wrong(f"connections.{name}", expected, value, near=near)
        else:
            connections[name] = _connection(name, value, base, reader.diagnostics)
    return MappingProxyType(dict(sorted(connections.items())))


def with_databases(
    connections: Mapping[str, Connection],
    databases: Sequence[tuple[str, str]],
    diagnostics: Diagnostics,
) -> Mapping[str, Connection]:
    """Return ``connections`` with the databases that ``--verify-db`` names.

    ``databases`` are pairs of a connection ("": all of the dialect) and a URL. A database that
    fits no connection is reported, without its URL, which is secret.
    """
    if not databases:
        return connections
    from brimgen.sql import find_dialect

    updated = dict(connections)
    for name, url in databases:
        if name and name not in connections:
            _report_unnamed(name, connections, diagnostics)
            continue
        scheme = url.partition("://")[0].partition("+")[0]
        dialect = find_dialect(scheme)
        verified = dialect.name if dialect and dialect.name in _VERIFIED else ""
        selected = [
            candidate
            for candidate, connection in connections.items()
            if connection.dialect == verified and name in ("", candidate)
        ]
        if not selected:
            listed = ", ".join(f"{key}://" for key in _VERIFIED)
            why = f"is none of {listed}" if not verified else "is not its dialect"
            diagnostics.add(
                WRONG_SETTING,
                Span.at_file("--verify-db"),
                name=f"--verify-db {name}".strip(),
                expected="the URL of a database that a connection is written for",
                got=f"`{scheme}://`, which {why}",
            )
        updated |= {key: replace(updated[key], database=url) for key in selected}
    return MappingProxyType(updated)


def _report_unnamed(
    name: str, connections: Mapping[str, Connection], diagnostics: Diagnostics
) -> None:
    diagnostics.add(
        WRONG_SETTING,
        Span.at_file("--verify-db"),
        suggestions=did_you_mean(name, connections),
        name="--verify-db",
        expected="a URL, alone or behind the name of a connection",
        got=f"behind `{name}=`: no connection is named `{name}`",
    )


def _connection(
    name: str, node: MapNode, base: Base, diagnostics: Diagnostics
) -> Connection:
    from brimgen.sql import DIALECTS

    reader = SettingReader(node, diagnostics, prefix=f"connections.{name}.")
    expected = f"one of {', '.join(f'`{dialect_name}`' for dialect_name in DIALECTS)}"
    if node.get("dialect") is None:
        reader.report_wrong("dialect", expected, node)
    dialect = reader.take("dialect", _dialect, expected, "", known=DIALECTS)
    expected = "a list of names of drivers"
    written = reader.value("drivers")
    drivers = reader.take_list("drivers", _text_node, expected)
    if drivers == () and written is not None:
        reader.report_wrong("drivers", expected, written)
    schema = take_schema(reader, base.folder, base.specs.parent)
    target = reader.take("target", _target, "a file, a DSN or `env:NAME`", "")
    reader.report_unknown()
    for driver in drivers or () if dialect else ():
        _check_driver(name, dialect, driver, diagnostics)
    names = tuple(driver.text for driver in drivers or ())
    return Connection(dialect or "sqlite", names, schema, target=target or None)


def _target(node: Node) -> str | None:
    """What the command line of the package opens for a connection."""
    return node.text.strip() or None if isinstance(node, ScalarNode) else None


def _check_driver(
    connection: str, dialect: str, node: ScalarNode, diagnostics: Diagnostics
) -> None:
    """Report a driver that is unknown, or that does not support the dialect."""
    from brimgen.sql.drivers import DRIVERS, find_driver

    driver = find_driver(node.text)
    if driver is not None and dialect in driver.dialects:
        return
    drivers = [name for name, row in DRIVERS.items() if dialect in row.dialects]
    if driver is None:
        why, near = "is unknown", did_you_mean(node.text, drivers or DRIVERS)
    else:
        why, near = f"does not speak {dialect}", ()
    diagnostics.add(
        UNKNOWN_DRIVER,
        node.span,
        suggestions=near,
        name=connection,
        driver=node.text,
        why=why,
    )


def _dialect(node: Node) -> str | None:
    from brimgen.sql import find_dialect

    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return None
    dialect = find_dialect(node.text)
    return dialect.name if dialect else None


def _text_node(node: Node) -> ScalarNode | None:
    if not isinstance(node, ScalarNode) or not isinstance(node.value, str):
        return None
    return node if node.value else None
