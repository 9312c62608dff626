"""The command line of a generated server: ``python -m <package> serve``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from subprocess import list2cmdline
from typing import Any

from ..service.async_service import AsyncService
from ..service.command import (
    Unusable,
    add_service_options,
    named_function,
    service_settings,
)
from ..service.connect import server_of
from ..service.plan import Plan
from .ending import run_until_signal
from .lists import Lists, is_read_only
from .offer import Offer
from .options import Options
from .protocol import make_server
from .sdk import NoSdk
from .stdio import serve_stdio
from .web import DRAIN, Web, serve_web


def run(
    service: type[AsyncService],
    make_offer: Callable[[Any, Options], Offer],
    arguments: Sequence[str] | None = None,
    *,
    program: str | None = None,
) -> int:
    """Serve until the client disconnects or a signal arrives; return the exit code.

    Mistakes in the command line and missing packages are reported on stderr (exit code 2).
    """
    package = service.plan.package
    parser = _parser(program or f"python -m {package} serve")
    given = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args(given)
    try:
        web = _web(options)
        if options.inspect:
            print(_inspector(service.plan, given))
            return 0
        if options.reload and not os.environ.get(_RELOADED):
            return _reload(package, given)
        instance = service(
            **service_settings(service.plan, options),
            max_concurrency=options.max_concurrency,
            only=_chosen(service.plan, options),
        )
        server = make_server(make_offer(instance, _options(options)))
        for name, lacking in instance.unavailable.items():
            print(f"{package}: {name} cannot run: {lacking}", file=sys.stderr)
        if web is None:
            run_until_signal(partial(serve_stdio, server))
        else:
            serve_web(server, web)
    except (*_USAGE_ERRORS, NoSdk, Unusable) as problem:
        parser.error(str(problem))
    return 0


_RELOADED = "BRIMGEN_RELOADED"
"""Set in the processes of a server that is started again after changes."""


def _inspector(plan: Plan, arguments: Sequence[str]) -> str:
    """Return the command line by which the Inspector shows this server, for sh or PowerShell."""
    server = server_of(plan, [word for word in arguments if word != "--inspect"])
    path = f"PYTHONPATH={server['env']['PYTHONPATH']}"
    words = [*_INSPECTOR, "-e", path, server["command"], *server["args"]]
    if not _IS_WINDOWS:
        return shlex.join(words)
    return " ".join("'" + word.replace("'", "''") + "'" for word in words).replace(
        "'npx'", "npx", 1
    )


def _say_changed(_changes: object) -> None:
    print("changed: starting again", file=sys.stderr, flush=True)


def _reload(package: str, arguments: Sequence[str]) -> int:
    """Serve in a process that is started again after each change of a Python or JSON file.

    These are files of the package and of the folder where the command runs. Raises Unusable.
    """
    if find_spec("watchfiles") is None:
        raise Unusable("--reload needs watchfiles: pip install watchfiles")
    watchfiles: Any = import_module("watchfiles")
    spec = find_spec(package)
    places = (spec and spec.submodule_search_locations) or ()
    os.environ[_RELOADED] = "1"
    command = [sys.executable, "-m", package, "serve", *arguments]
    watchfiles.run_process(
        *{os.getcwd(), *places},
        target=(list2cmdline(command) if _IS_WINDOWS else shlex.join(command)),
        target_type="command",
        watch_filter=watchfiles.PythonFilter(extra_extensions=(".json", ".sql")),
        callback=_say_changed,
    )
    return 0


def require_startable(plan: Plan, arguments: Sequence[str]) -> None:
    """End with exit code 2 unless a client can start `serve` with these options."""
    parser = _parser(f"python -m {plan.package} serve")
    options = parser.parse_args(arguments)
    if options.http is not None or options.inspect:
        parser.error("a client reads standard output: leave out --http and --inspect")
    try:
        _web(options)
        _chosen(plan, options)
    except Unusable as problem:
        parser.error(str(problem))


def _chosen(plan: Plan, options: Any) -> Sequence[str] | None:
    """Return the names of the tools and resources to serve; None for all. Raises Unusable."""
    if not options.tools and not options.read_only:
        return None
    chosen: list[str] = options.tools.split(",") if options.tools else [*plan.runs]
    unknown = sorted({*chosen} - {*plan.runs})
    if unknown:
        raise Unusable(f"there is no tool {', '.join(unknown)}")
    if options.read_only:
        listed = Lists(plan.package).tools
        reading = {
            str(descriptor["name"]) for descriptor in listed if is_read_only(descriptor)
        }
        chosen = [name for name in chosen if name in reading]
    return [*chosen, *plan.resources]


def _options(options: Any) -> Options:
    return Options(
        visible=named_function("--visible", options.visible),
        page_size=options.page_size,
        max_per_session=options.max_per_session,
        available_only=options.available_only,
    )


def _web(options: Any) -> Web | None:
    """Return the HTTP settings; None to serve over the standard streams."""
    if options.http is None:
        for name in (*_OF_HTTP, "--stateless", "--reload", "--drain"):
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
        verify=named_function("--verifier", options.verifier),
        scopes=options.require_scope,
        resource_url=options.resource_url,
        authorization_servers=options.authorization_server,
        stateless=options.stateless,
        drain=options.drain or DRAIN,
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


_IS_WINDOWS: bool = sys.platform == "win32"
_INSPECTOR = ("npx", "@modelcontextprotocol/inspector")
_USAGE_ERRORS = (ImportError, OSError, RuntimeError, TypeError, ValueError)
"""What a wrong command line raises."""
_OPTIONS = {
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


def _seconds(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        usage="%(prog)s [OPTIONS]",
        description="Serve the tools of this package to MCP clients: to one over standard input "
        "and output, or to many over HTTP. "
        "Secrets of HTTP tools are environment variables of their names.",
    )
    add_service_options(parser)
    add = parser.add_argument
    for name, (form, text) in _OPTIONS.items():
        add(name, metavar=form, help=text)
    add("--page-size", type=int, metavar="N", help="the items on one page of a list")
    add(
        "--max-concurrency",
        type=int,
        default=16,
        metavar="N",
        help="the calls that run at once; others wait (16)",
    )
    add(
        "--max-per-session",
        type=int,
        metavar="N",
        help="those of one client over HTTP (half of them)",
    )
    add(
        "--inspect",
        action="store_true",
        help="print the command that shows this server in the MCP Inspector, and do not serve",
    )
    add("--available-only", action="store_true", help="list only tools that can run")
    add = parser.add_argument_group("over HTTP").add_argument
    add("--stateless", action="store_true", help=_STATELESS)
    add("--reload", action="store_true", help="start again when a file has changed")
    add(
        "--drain",
        type=_seconds,
        metavar="SECONDS",
        help="how long calls may go on after a signal (3)",
    )
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
