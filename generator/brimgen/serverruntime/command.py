"""The command line of a generated server: ``python -m <package> serve``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ._package import (
    AsyncService,
    Http,
    Plan,
    Unusable,
    connection_targets,
    json_file,
    named_handlers,
)
from .ending import run_until_told
from .lists import Lists, is_read_only
from .offer import Offer
from .options import Options
from .protocol import make_server
from .sdk import NoSdk
from .stdio import serve_stdio
from .web import Web, serve_web


def run(
    service: type[AsyncService],
    make_offer: Callable[[Any, Options], Offer],
    arguments: Sequence[str] | None = None,
    *,
    program: str | None = None,
) -> int:
    """Serve until the client hangs up, or the process is told to end; return the exit code.

    What is wrong with the command line, or missing, is told on the error stream (exit code 2).
    """
    package = service.plan.package
    parser = _parser(program or f"python -m {package} serve")
    options = parser.parse_args(arguments)
    try:
        web = _web(options)
        made = _service(service, options)
        server = make_server(make_offer(made, _options(options)))
        for name, lacking in made.unavailable.items():
            print(f"{package}: {name} cannot run: {lacking}", file=sys.stderr)
        if web is None:
            run_until_told(partial(serve_stdio, server))
        else:
            serve_web(server, web)
    except (*_TOLD, NoSdk, Unusable) as problem:
        parser.error(str(problem))
    return 0


def _service(service: type[AsyncService], options: Any) -> AsyncService:
    plan = service.plan
    if options.timeout is not None and not options.timeout > 0:
        raise Unusable("--timeout: expected a number of seconds above 0")
    return service(
        context=_context(options.context),
        values=json_file("--values", options.values),
        connections=_connections(plan, options),
        http=_http(plan.package, options),
        handlers=named_handlers(options.handlers),
        timeout=options.timeout,
        max_concurrency=options.max_concurrency,
        log_exceptions=True,
        only=_chosen(service, options),
        read_only=options.read_only,
        partial=True,
    )


def _chosen(service: type[AsyncService], options: Any) -> Sequence[str] | None:
    """Return the names of what is served, None for all."""
    plan = service.plan
    if not options.tools and not options.read_only:
        return None
    chosen: list[str] = options.tools.split(",") if options.tools else [*plan.runs]
    unknown = sorted({*chosen} - {*plan.runs})
    if unknown:
        raise Unusable(f"there is no tool {', '.join(unknown)}")
    if options.read_only:
        listed = Lists(plan.package).tools
        reading = {str(each["name"]) for each in listed if is_read_only(each)}
        chosen = [each for each in chosen if each in reading]
    return [*chosen, *plan.resources]


def _options(options: Any) -> Options:
    return Options(
        visible=_function("--visible", options.visible),
        page_size=options.page_size,
        available_only=options.available_only,
    )


def _web(options: Any) -> Web | None:
    """Return where to listen, None for the standard streams."""
    if options.http is None:
        for name in (*_OF_HTTP, "--stateless"):
            if getattr(options, name[2:].replace("-", "_")):
                raise Unusable(f"{name} needs --http")
        return None
    host, mark, port = options.http.rpartition(":")
    if not mark or not port.isdecimal():
        raise Unusable(f"--http {options.http}: expected HOST:PORT")
    web = Web(
        host=host.strip("[]"),
        port=int(port),
        allowed_hosts=options.allow_host,
        allowed_origins=options.allow_origin,
        verify=_function("--verifier", options.verifier),
        scopes=options.require_scope,
        resource_url=options.resource_url,
        authorization_servers=options.authorization_server,
        stateless=options.stateless,
    )
    try:
        is_open = not web.is_local and web.verify is None
        _ = web.hosts
    except ValueError as problem:
        raise Unusable(
            f"--http {options.http}: {problem} (--allow-host NAME)"
        ) from None
    if is_open:
        print(
            "there is no --verifier: everyone who reaches this address may call the tools",
            file=sys.stderr,
        )
    return web


_TOLD = (ImportError, OSError, RuntimeError, TypeError, ValueError)
"""What may be wrong with what a command line names."""
_SWITCHES = {
    "--read-only": "only tools that change nothing, on databases that refuse writes",
    "--available-only": "only tools that can run",
    "--error-bodies": "tell models how the answers begin that HTTP tools get for errors",
    "--allow-private": "let names of allowed hosts lead to private addresses",
}
_SINGLE = {
    "--context": (
        "FILE.json|MODULE:NAME",
        "where hidden arguments are taken from: an object, or a function of the call",
    ),
    "--values": (
        "FILE.json",
        "the arguments with `llm: false`: an object of objects, by tool and argument",
    ),
    "--handlers": (
        "MODULE[:NAME]",
        "the package's Handlers, or functions by tool (NAME: HANDLERS); "
        + "without it, the handlers that the specs name",
    ),
    "--tools": ("A,B", "these tools and no others"),
    "--visible": (
        "MODULE:NAME",
        "a function that returns the names of the tools that a caller may see",
    ),
}
_STATELESS = "keep no sessions, to run several processes"
_OF_HTTP = {
    "--allow-host": ("NAME[:PORT]", "a name that clients may call the server by"),
    "--allow-origin": ("URL", "the origin of a page that may use the server"),
    "--require-scope": ("NAME", "a scope that tokens must have"),
    "--authorization-server": ("URL", "a server that gives tokens"),
    "--verifier": (
        "MODULE:NAME",
        "a function that returns the claims of a bearer token",
    ),
    "--resource-url": ("URL", "what the tokens are for: the public URL of this server"),
}
_REPEATED = (
    "--allow-host",
    "--allow-origin",
    "--require-scope",
    "--authorization-server",
)


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="Serve the tools of this package to MCP clients: to one over standard input "
        "and output, or to many over HTTP. "
        "Secrets of HTTP tools are environment variables of their names.",
    )
    add = parser.add_argument
    add(
        "--connection",
        action="append",
        default=[],
        metavar="NAME=TARGET",
        help="a database: the file of SQLite or DuckDB, the DSN of another, or env:NAME for one in "
        "an environment variable (repeatable)",
    )
    for name, (form, text) in _SINGLE.items():
        add(name, metavar=form, help=text)
    add("--page-size", type=int, metavar="N", help="the items on one page of a list")
    add(
        "--max-concurrency",
        type=int,
        default=16,
        metavar="N",
        help="the calls that run at once; others wait (16)",
    )
    add("--timeout", type=float, metavar="SECONDS", help="what a call may take")
    for name, text in _SWITCHES.items():
        add(name, action="store_true", help=text)
    add = parser.add_argument_group("over HTTP").add_argument
    add("--stateless", action="store_true", help=_STATELESS)
    add(
        "--http",
        metavar="HOST:PORT",
        help="listen there (127.0.0.1:8000, for instance)",
    )
    for name, (form, text) in _OF_HTTP.items():
        if name in _REPEATED:
            text = f"{text} (repeatable)"
            add(name, action="append", default=[], metavar=form, help=text)
        else:
            add(name, metavar=form, help=text)
    return parser


def _context(named: str | None) -> object:
    """Return the object in a file, or a function, whichever the option names."""
    if named is None or named.endswith(".json") or ":" not in named:
        return json_file("--context", named)
    return _function("--context", named)


def _function(option: str, named: str | None) -> Any:
    """Return the function that an option names, None where it is not given."""
    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        found = getattr(import_module(module), name, None)
    except ImportError as problem:
        raise Unusable(f"{option} {named}: {problem}") from problem
    if not callable(found):
        raise Unusable(f"{option} {named}: expected MODULE:NAME of a function")
    return found


def _http(package: str, options: Any) -> Http:
    if not options.allow_private:
        return Http(error_bodies=options.error_bodies)
    try:
        transport = import_module(".http", package).StdlibTransport
    except ModuleNotFoundError:  # there are no HTTP tools
        return Http()
    return Http(
        transport=transport(allow_private=True), error_bodies=options.error_bodies
    )


def _connections(plan: Plan, options: Any) -> Mapping[str, object]:
    made: dict[str, object] = {}
    for name, target in connection_targets(plan, options.connection).items():
        # Only a package with statements has this module.
        databases = import_module("._service.databases", plan.package)
        try:
            made[name] = databases.open_database(
                target, plan.drivers[name], read_only=options.read_only
            )
        except databases.NoDatabase as problem:
            raise Unusable(f"--connection {name}: {problem}") from problem
    return made
