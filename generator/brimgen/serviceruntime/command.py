"""The command line of a package: ``python -m <package> list``, ``call`` and ``serve``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from ._package import ContextError, InputError, ToolError
from .core import Http
from .plan import Plan
from .service import Service


class Unusable(Exception):
    """Something that the command line names and that is not what it should be."""


def main(
    make: Callable[..., Service], plan: Plan, arguments: Sequence[str] | None = None
) -> int:
    """Run a command; return the exit code: 1 for a call that failed, 2 for a wrong command line."""
    given = [*(sys.argv[1:] if arguments is None else arguments)]
    program = f"python -m {plan.package}"
    if given[:1] == ["serve"]:
        return _serve(plan.package, given[1:], f"{program} serve")
    parser = _parser(program)
    options = parser.parse_args(given)
    if "run" not in options:
        parser.print_help(sys.stderr)
        return 2
    try:
        with _service(make, plan, options) as service:
            code: int = options.run(service, options)
            sys.stdout.flush()
            return code
    except BrokenPipeError:  # whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Unusable, ValueError, TypeError, ImportError) as problem:
        print(f"{program}: {problem}", file=sys.stderr)
        return 2


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Run the tools.")
    commands = parser.add_subparsers(metavar="COMMAND")
    shown = commands.add_parser(
        "list", help="list the tools, and what some lack to run"
    )
    shown.set_defaults(run=_list)
    called = commands.add_parser("call", help="call a tool; print its result as JSON")
    called.set_defaults(run=_call)
    called.add_argument("tool", metavar="TOOL")
    called.add_argument(
        "arguments",
        metavar="JSON",
        nargs="?",
        default="{}",
        help="its arguments, an object (- reads them from standard input)",
    )
    for each in (shown, called):
        _add_options(each)
    commands.add_parser(
        "serve", help="serve the tools to MCP clients (serve --help)", add_help=False
    )
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--connection",
        action="append",
        default=[],
        metavar="NAME=TARGET",
        help="a database: the file of SQLite or DuckDB, the DSN of another, or env:NAME for one "
        "in an environment variable (repeatable)",
    )
    add(
        "--context",
        metavar="FILE.json",
        help="an object that hidden arguments are taken from",
    )
    add(
        "--values",
        metavar="FILE.json",
        help="the arguments with `llm: false`: an object of objects, by tool and argument",
    )
    add(
        "--handlers",
        metavar="MODULE[:NAME]",
        help="the package's Handlers, or functions by tool, called HANDLERS if not named",
    )
    add("--timeout", type=float, metavar="SECONDS", help="what a call may take")
    add(
        "--allow-private",
        action="store_true",
        help="let names of allowed hosts lead to private addresses",
    )
    add("--read-only", action="store_true", help="databases refuse writes")


def _service(make: Callable[..., Service], plan: Plan, options: Any) -> Service:
    sys.path.insert(0, os.getcwd())
    return make(
        context=json_file("--context", options.context),
        values=json_file("--values", options.values),
        connections=connection_targets(plan, options.connection),
        http=_http(plan.package, allow_private=options.allow_private),
        handlers=named_handlers(options.handlers),
        timeout=options.timeout,
        read_only=options.read_only,
        log_exceptions=True,
        partial=True,
    )


def connection_targets(plan: Plan, named: Sequence[str]) -> dict[str, str]:
    """Return the target of each connection: those of ``named`` (``NAME=TARGET``), else that of an
    environment variable (``SHOP_DEFAULT`` for ``default`` of the package ``shop``), else that of
    the settings. ``env:NAME`` stands for the value of an environment variable.

    Raises Unusable for what is not of this form, and for an unknown connection.
    """
    found: dict[str, str] = {}
    package = plan.package.rpartition(".")[2]
    for name in plan.drivers:
        variable = "".join(
            each if each.isalnum() else "_" for each in f"{package}_{name}".upper()
        )
        target = os.environ.get(variable) or plan.targets.get(name)
        if target:
            found[name] = target
    for each in named:
        name, mark, target = each.partition("=")
        if not mark or not target:
            raise Unusable(f"--connection {each}: expected NAME=TARGET")
        if name not in plan.drivers:
            known = ", ".join(sorted(plan.drivers)) or "none"
            raise Unusable(f"--connection {name}: the connections are {known}")
        found[name] = target
    return {name: _from_environment(name, target) for name, target in found.items()}


def _from_environment(name: str, target: str) -> str:
    if not target.startswith("env:"):
        return target
    variable = target.removeprefix("env:")
    value = os.environ.get(variable)
    if not value:
        raise Unusable(f"connection {name}: the variable {variable} is not set")
    return value


def json_file(option: str, path: str | None) -> Mapping[str, Any]:
    """Return the object in the file that an option names; without one, an empty one.

    Raises Unusable.
    """
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


def _http(package: str, *, allow_private: bool) -> Http:
    if not allow_private or find_spec(".http", package) is None:
        return Http()
    transport = import_module(".http", package).StdlibTransport
    return Http(transport=transport(allow_private=True))


def named_handlers(named: str | None) -> object:
    """Return the handlers that an option names (``MODULE:NAME``). Raises Unusable."""
    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        return getattr(import_module(module), name or "HANDLERS")
    except (ImportError, AttributeError) as problem:
        raise Unusable(f"--handlers {named}: {problem}") from problem


def _list(service: Service, _options: Any) -> int:
    """Print each tool with its description; those that lack something with what they lack."""
    lacking = service.unavailable
    named = [*service.plan.runs, *service.plan.resources, *service.prompts]
    width = max(map(len, named), default=0)
    for name in named:
        description = service.plan.tools[name].description or ""
        first, *_ = description.strip().splitlines() or [""]
        lack = f" [cannot run: {lacking[name]}]" if name in lacking else ""
        print(f"{name:{width}}  {first}{lack}".rstrip())
    return 0


def _call(service: Service, options: Any) -> int:
    """Print the result of a call, or what went wrong on the error stream."""
    arguments = options.arguments
    text = sys.stdin.read() if arguments == "-" else arguments
    if options.tool in (*service.prompts, *service.plan.resources):
        return _call_text(service, options.tool, text)
    outcome = service.outcome(options.tool, text)
    if outcome.is_error:
        lack = service.unavailable.get(options.tool)
        print(f"{outcome.text} ({lack})" if lack else outcome.text, file=sys.stderr)
        return 1
    print(outcome.text)
    return 0


def _call_text(service: Service, name: str, text: str) -> int:
    """Print the messages of a prompt, or what a resource holds."""
    try:
        value = service.call(name, text)
    except (InputError, ContextError, ToolError) as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(value, ensure_ascii=False))
    return 0


def _serve(package: str, arguments: Sequence[str], program: str) -> int:
    if find_spec(".mcp_server", package) is None:
        print(f"{program}: add the target server to the settings", file=sys.stderr)
        return 2
    main: Callable[..., int] = import_module(".mcp_server", package).main
    return main(arguments, program=program)
