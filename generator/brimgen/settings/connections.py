"""Read the settings of connections: dialects, drivers and schema files.

::

    [tool.brimgen.connections.warehouse]
    dialect = "postgres"
    drivers = ["psycopg", "asyncpg"]    # without it, the usual ones of the dialect

    [tool.brimgen.connections.default]
    dialect = "sqlite"
    schema = "db/schema.sql"            # statements are verified by it
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span, did_you_mean
from brimgen.diagnostics.rules.output import (
    UNKNOWN_DRIVER,
    UNREADABLE_SCHEMA,
    WRONG_SETTING,
)
from brimgen.frozen import dataclass, replace
from brimgen.model.project import Connection, SchemaFile
from brimgen.settings.values import SettingReader
from brimgen.source.nodes import MapNode, Node, ScalarNode

DEFAULT_CONNECTIONS: Mapping[str, Connection] = MappingProxyType(
    {"default": Connection("sqlite", ())}
)

_VERIFIED = ("postgres", "mysql", "sqlite", "duckdb")
_BY_SCHEMA = ("sqlite", "duckdb")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Base:
    """Where paths begin: those of settings in ``folder``, those of messages beside ``specs``."""

    folder: Path
    specs: Path


def take_connections(reader: SettingReader, base: Base) -> Mapping[str, Connection]:
    """What stands under ``connections``, by name."""
    entry = reader.entry("connections")
    if entry is None:
        return DEFAULT_CONNECTIONS
    if not isinstance(entry.value, MapNode):
        reader.wrong("connections", "a mapping of names to connections", entry.value)
        return DEFAULT_CONNECTIONS
    connections: dict[str, Connection] = {}
    for each in entry.value.entries:
        name = each.key.text
        if not _NAME.fullmatch(name):
            reader.wrong("connections", "a mapping with plain names", each.key)
        elif not isinstance(each.value, MapNode):
            dialect = _dialect(each.value)
            near = (f"{{dialect: {dialect}}}",) if dialect else ()
            expected = "a mapping with `dialect`"
            reader.wrong(f"connections.{name}", expected, each.value, near=near)
        else:
            connections[name] = _connection(name, each.value, base, reader.diagnostics)
    return MappingProxyType(dict(sorted(connections.items())))


def with_databases(
    connections: Mapping[str, Connection],
    databases: Sequence[tuple[str, str]],
    diagnostics: Diagnostics,
) -> Mapping[str, Connection]:
    """``connections`` with the databases that ``--verify-db`` names, by connection ("": by
    dialect) and URL; one that fits no connection is reported, without its URL, which is secret.
    """
    if not databases:
        return connections
    from brimgen.sqltext import find_dialect

    known = dict(connections)
    for name, url in databases:
        if name and name not in connections:
            _report_unnamed(name, connections, diagnostics)
            continue
        scheme = url.partition("://")[0].partition("+")[0]
        dialect = find_dialect(scheme)
        verified = dialect.name if dialect and dialect.name in _VERIFIED else ""
        meant = [
            each
            for each, connection in connections.items()
            if connection.dialect == verified and name in ("", each)
        ]
        if not meant:
            listed = ", ".join(f"{key}://" for key in _VERIFIED)
            why = f"is none of {listed}" if not verified else "is not its dialect"
            diagnostics.add(
                WRONG_SETTING,
                Span.at_file("--verify-db"),
                name=f"--verify-db {name}".strip(),
                expected="the URL of a database that a connection is written for",
                got=f"`{scheme}://`, which {why}",
            )
        known |= {each: replace(known[each], database=url) for each in meant}
    return MappingProxyType(known)


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
    from brimgen.sqltext import DIALECTS

    reader = SettingReader(node, diagnostics, prefix=f"connections.{name}.")
    expected = f"one of {', '.join(f'`{each}`' for each in DIALECTS)}"
    if node.get("dialect") is None:
        reader.wrong("dialect", expected, node)
    dialect = reader.take("dialect", _dialect, expected, "", known=DIALECTS)
    expected = "a list of names of drivers"
    drivers = reader.take_list("drivers", _name, expected) or ()
    schema = _schema(reader, dialect, base)
    reader.report_unknown()
    for driver in drivers if dialect else ():
        _check_driver(name, dialect, driver, diagnostics)
    names = tuple(driver.text for driver in drivers)
    return Connection(dialect or "sqlite", names, schema)


def _schema(reader: SettingReader, dialect: str, base: Base) -> SchemaFile | None:
    entry = reader.entry("schema")
    if entry is None or not dialect:
        return None
    node = entry.value
    if dialect not in _BY_SCHEMA:
        reader.wrong("schema", f"left out, as nothing verifies {dialect} by it", node)
        return None
    if not isinstance(node, ScalarNode) or not node.text or "\0" in node.text:
        reader.wrong("schema", "the path of a file of CREATE statements", node)
        return None
    path = base.folder / node.text
    name = Path(os.path.relpath(path, base.specs.parent)).as_posix()
    try:
        return SchemaFile(name, path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as problem:
        from brimgen.settings.setting_errors import shown_path

        reader.diagnostics.add(
            UNREADABLE_SCHEMA,
            node.span,
            suggestions=_files_like(node.text, path),
            file=shown_path(path),
            name=reader.full_name("schema"),
            reason=_reason(problem),
        )
        return None


def _reason(problem: OSError | UnicodeDecodeError) -> str:
    match problem:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a folder"
        case OSError():
            return problem.strerror or "the system refuses"
        case UnicodeDecodeError():
            return "it is not UTF-8"


def _files_like(said: str, path: Path) -> tuple[str, ...]:
    """Files beside one that is not there, of nearly its name, as the setting would say it."""
    try:
        beside = [each.name for each in path.parent.iterdir() if each.is_file()]
    except OSError:
        return ()
    near = did_you_mean(path.name, beside) if path.name not in beside else ()
    return tuple(Path(said).with_name(each).as_posix() for each in near)


def _check_driver(
    connection: str, dialect: str, node: ScalarNode, diagnostics: Diagnostics
) -> None:
    """Report a driver that is unknown, or that does not support the dialect."""
    from brimgen.sqltext.drivers import DRIVERS, find_driver

    driver = find_driver(node.text)
    if driver is not None and dialect in driver.dialects:
        return
    spoken = [each for each, row in DRIVERS.items() if dialect in row.dialects]
    if driver is None:
        why, near = "is unknown", did_you_mean(node.text, spoken or DRIVERS)
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
    from brimgen.sqltext import find_dialect

    known = isinstance(node, ScalarNode) and isinstance(node.value, str)
    dialect = (
        find_dialect(node.text) if known and isinstance(node, ScalarNode) else None
    )
    return dialect.name if dialect else None


def _name(node: Node) -> ScalarNode | None:
    is_text = isinstance(node, ScalarNode) and isinstance(node.value, str)
    return node if is_text and isinstance(node, ScalarNode) and node.value else None
