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
from brimgen.settings.values import CONNECTION, SettingsReader
from brimgen.source.nodes import ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.reader import Section
from brimgen.syntax.shapes import Block

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


def take_connections(
    reader: SettingsReader, settings: Section, base: Base
) -> Mapping[str, Connection]:
    """Read ``connections``, by name."""
    node = settings.node("connections")
    if not isinstance(node, MapNode):
        return DEFAULT_CONNECTIONS
    inner = reader.within("connections")
    connections: dict[str, Connection] = {}
    for key, value in node.entries:
        name = key.text
        if not _NAME.fullmatch(name):
            reader.refuse("connections", key, expected="a mapping with plain names")
        elif _BLOCK(inner, name, value):
            connections[name] = _connection(inner.within(name), name, value, base)
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
                name=f"`--verify-db {name}".strip() + "`",
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
        name="`--verify-db`",
        expected="a URL, alone or behind the name of a connection",
        got=f"behind `{name}=`: no connection is named `{name}`",
    )


def _connection(
    reader: SettingsReader, name: str, node: Node, base: Base
) -> Connection:
    section = reader.read(node, CONNECTION)
    if "dialect" not in section.written:
        CONNECTION.shapes["dialect"](reader, "dialect", node)
    dialect = _dialect(section.node("dialect"))
    written = section.node("drivers")
    drivers = [
        driver
        for driver in (written.items if isinstance(written, ListNode) else ())
        if isinstance(driver, ScalarNode)
    ]
    for driver in drivers if dialect else ():
        _check_driver(name, dialect, driver, reader.diagnostics)
    target = section.text("target")
    return Connection(
        dialect or "sqlite",
        tuple(driver.text for driver in drivers),
        take_schema(reader, section.node("schema"), base.folder, base.specs.parent),
        target=target.value.strip() or None if target else None,
    )


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


def _dialect(node: Node | None) -> str:
    from brimgen.sql import find_dialect

    dialect = find_dialect(node.text) if isinstance(node, ScalarNode) else None
    return dialect.name if dialect else ""


def _intended(text: str) -> str:
    dialect = _dialect(ScalarNode(Span.at_file(""), text, text))
    return f"{{dialect: {dialect}}}" if dialect else ""


_BLOCK = Block(_intended)
