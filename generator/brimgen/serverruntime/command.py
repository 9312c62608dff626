"""The command line of a generated server: ``python -m <package>.mcp_server``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, cast

from .databases import Database, NoDatabase, open_database
from .entries import Entry, Sql
from .lists import read_entries
from .parts import has_module
from .protocol import NoSdk, make_server, run_stdio
from .service import Service
from .setup import Registry, Run, Setup


def run(
    package: str,
    make_service: Callable[[Setup], Service],
    arguments: Sequence[str] | None = None,
) -> int:
    """Serve over the standard streams until the client hangs up; return the exit code.

    What is wrong with the command line, or missing, is told on the error stream (exit code 2).
    """
    parser = _parser(package)
    options = parser.parse_args(arguments)
    try:
        setup = Setup(
            context=_json_file("--context", options.context),
            values=_json_file("--values", options.values),
            connections=_connections(
                options.connection,
                read_entries(package),
                read_only=options.read_only,
            ),
            handlers=_handlers(options.handlers),
            client=_client(package, options.allow_private),
            error_bodies=options.error_bodies,
            read_only=options.read_only,
            only=options.tools.split(",") if options.tools else None,
            available_only=options.available_only,
        )
        service = make_service(setup)
        server = make_server(service)
    except (NoSdk, Unusable, ValueError, ImportError, OSError, RuntimeError) as problem:
        parser.error(str(problem))
    for name, wanting in service.unavailable.items():
        print(f"{package}: {name} cannot run: {wanting}", file=sys.stderr)
    try:
        run_stdio(server)
    except KeyboardInterrupt:
        return 130
    return 0


_SWITCHES = {
    "--read-only": "only tools that change nothing, on databases that refuse writes",
    "--available-only": "only tools that can run",
    "--error-bodies": "tell models how the answers begin that HTTP tools get for errors",
    "--allow-private": "let names of allowed hosts lead to private addresses",
}


class Unusable(Exception):
    """Something that the command line names and that is not what it should be."""


def _parser(package: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}.mcp_server",
        description="Serve the tools of this package to one MCP client over stdio. "
        "Secrets of HTTP tools are environment variables of their names.",
    )
    add = parser.add_argument
    add(
        "--connection",
        action="append",
        default=[],
        metavar="NAME=TARGET",
        help="a database: the file of SQLite or DuckDB, the DSN of another (repeatable)",
    )
    add(
        "--context",
        metavar="FILE.json",
        help="an object that hidden arguments are taken from (without: an empty one)",
    )
    add(
        "--values",
        metavar="FILE.json",
        help="the arguments with `llm: false`: an object of objects, by tool and argument",
    )
    add(
        "--handlers",
        metavar="MODULE[:NAME]",
        help="the package's Handlers, or functions by tool, called HANDLERS if not named "
        "(without: the handlers that the specs name)",
    )
    add("--tools", metavar="A,B", help="these tools and no others")
    for name, text in _SWITCHES.items():
        add(name, action="store_true", help=text)
    return parser


def _json_file(option: str, path: str | None) -> Mapping[str, Any]:
    """The object in the file that an option names; without one, an empty one."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as problem:
        raise Unusable(f"{option} {path}: {problem.strerror}") from problem
    except ValueError as problem:
        raise Unusable(f"{option} {path}: this is not JSON: {problem}") from problem
    if not isinstance(found, dict):
        raise Unusable(f"{option} {path}: expected an object")
    return cast("Mapping[str, Any]", found)


def _client(package: str, allow_private: bool) -> Mapping[str, Any]:
    found: dict[str, Any] = {"secrets": os.environ}
    if allow_private and has_module(package, ".http"):
        transport = import_module(".http", package).StdlibTransport
        found["transport"] = transport(allow_private=True)
    return found


def _connections(
    named: Sequence[str], entries: Mapping[str, Entry], *, read_only: bool
) -> Mapping[str, Database]:
    drivers = {
        entry.connection: entry.drivers
        for entry in entries.values()
        if isinstance(entry, Sql)
    }
    made: dict[str, Database] = {}
    for each in named:
        name, mark, target = each.partition("=")
        if not mark or not target:
            raise Unusable(f"--connection {each}: expected NAME=TARGET")
        if name not in drivers:
            known = ", ".join(sorted(drivers)) or "none"
            raise Unusable(f"--connection {name}: the connections are {known}")
        try:
            made[name] = open_database(target, drivers[name], read_only=read_only)
        except NoDatabase as problem:
            raise Unusable(f"--connection {name}: {problem}") from problem
    return made


def _handlers(named: str | None) -> Registry | Mapping[str, Run] | None:
    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        found = getattr(import_module(module), name or "HANDLERS", None)
    except ImportError as problem:
        raise Unusable(f"--handlers {named}: {problem}") from problem
    if not isinstance(found, Mapping) and not hasattr(found, "invoke_async"):
        raise Unusable(f"--handlers {named}: these are no handlers")
    return cast("Registry | Mapping[str, Run]", found)
