"""The command line of a package: ``python -m <package> list``, ``call``, ``serve``, ``connect``."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from importlib.util import find_spec
from typing import Any, cast

from ..calls.context import ContextError
from ..calls.results import ToolError
from ..schema.errors import InputError
from .calls import UNSET
from .completion import SCRIPTS, script_of, words
from .connect import main as connect
from .flags import flags_of, tool_parser
from .guards import Confirmation
from .outcome import Outcome
from .plan import Plan, ProjectTarget
from .service import Service
from .settings import Http


class Unusable(Exception):
    """An option of the command line names something missing or of the wrong kind."""


def main(
    make: Callable[..., Service], plan: Plan, arguments: Sequence[str] | None = None
) -> int:
    """Run a command; return the exit code: 1 for a call that failed, 2 for a wrong command line."""
    argv = [*(sys.argv[1:] if arguments is None else arguments)]
    program = f"python -m {plan.package}"
    try:
        code = _run(make, plan, argv, program)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (Unusable, ValueError, TypeError, ImportError) as problem:
        print(f"{program}: {problem}", file=sys.stderr)
        return 2
    return code


def _run(
    make: Callable[..., Service], plan: Plan, argv: Sequence[str], program: str
) -> int:
    if argv[:1] in (["serve"], ["connect"]):
        return _with_server(plan, argv[0], argv[1:], f"{program} {argv[0]}")
    if argv[:2] == ["completion", "words"]:
        print(*words(plan, argv[2:]), sep="\n")
        return 0
    parser = _parser(program)
    options = parser.parse_args(argv)
    if "shell" in options:
        print(script_of(plan.package, options.shell), end="")
        return 0
    if "run" not in options:
        parser.print_help(sys.stderr)
        return 2
    if "tool" in options:
        _read_arguments(plan, options, program)
    sys.path.insert(0, os.getcwd())
    logger = logging.getLogger(f"{plan.package}.command")
    logger.addFilter(_is_news)
    settings = {**service_settings(plan, options), "confirm": _confirm(options)}
    with make(**settings, logger=logger) as service:
        code: int = options.run(service, options)
        return code


def _is_news(record: logging.LogRecord) -> bool:
    """Return whether a log record says more than the output of the command."""
    return getattr(record, "outcome", "") not in ("context", "unavailable")


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=program, description="Run the tools.")
    commands = parser.add_subparsers(metavar="COMMAND")
    list_command = commands.add_parser(
        "list", help="list the tools, and what some lack to run"
    )
    list_command.set_defaults(run=_list)
    call_command = commands.add_parser(
        "call", help="call a tool; print its result as JSON", allow_abbrev=False
    )
    call_command.set_defaults(run=_call)
    call_command.add_argument("tool", metavar="TOOL")
    call_command.add_argument(
        "rest",
        metavar="ARGUMENTS",
        nargs=argparse.REMAINDER,
        help="its flags (TOOL --help), or a JSON object (- reads it from standard input)",
    )
    _add_call_options(call_command)
    add_service_options(list_command)
    completion = commands.add_parser(
        "completion", help="print what completes commands in a shell"
    )
    completion.add_argument("shell", choices=[*SCRIPTS])
    commands.add_parser(
        "serve", help="serve the tools to MCP clients (serve --help)", add_help=False
    )
    commands.add_parser(
        "connect",
        help="make a client start the server (connect --help)",
        add_help=False,
    )
    return parser


def _add_call_options(parser: Any) -> None:
    add_service_options(parser)
    parser.add_argument(
        "--yes", action="store_true", help="confirm the call without being asked"
    )


def _read_arguments(plan: Plan, options: Any, program: str) -> None:
    """Read what follows the name of a tool into the options: its flags or its JSON, and options.

    The arguments of a tool that there is not are left to the service, which says so.
    """
    options.arguments = "{}"
    if options.tool not in plan.tools:
        return
    tool = plan.tools[options.tool]
    parser = tool_parser(tool, f"{program} call {options.tool}")
    parser.add_argument("json", metavar="JSON", nargs="?", help=_JSON)
    group = parser.add_argument_group("arguments of the tool")
    _add_call_options(parser.add_argument_group("how it runs"))
    flags = [*flags_of(tool.input_schema)]
    for flag in flags:
        flag.add_to(group)
    parser.parse_intermixed_args(options.rest, options)
    arguments = {
        flag.name: flag.value(getattr(options, flag.key))
        for flag in flags
        if hasattr(options, flag.key)
    }
    if options.json is None:
        options.arguments = arguments
    elif arguments:
        parser.error("the arguments are flags or JSON, and not both")
    else:
        options.arguments = options.json


_JSON = "all arguments as an object (- reads them from standard input)"
_OPTIONS = {
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
}


def add_service_options(parser: Any) -> None:
    """Add the options that configure a service to a parser or a group of one."""
    add = parser.add_argument
    add(
        "--connection",
        action="append",
        default=[],
        metavar="NAME=TARGET",
        help="a database: the file of SQLite or DuckDB, the DSN of another, or env:NAME for one "
        "in an environment variable (repeatable)",
    )
    for name, (form, text) in _OPTIONS.items():
        add(name, metavar=form, help=text)
    add(
        "--timeout",
        type=float,
        default=UNSET,
        metavar="SECONDS",
        help="what a call may take (without it: as long as it needs; served: 60)",
    )
    add(
        "--allow-private",
        action="store_true",
        help="let names of allowed hosts lead to private addresses",
    )
    add(
        "--allow-files",
        action="append",
        default=[],
        metavar="FOLDER",
        help="let calls send files below FOLDER, named by file:PATH (repeatable)",
    )
    add("--read-only", action="store_true", help="databases refuse writes")
    add(
        "--error-bodies",
        action="store_true",
        help="tell how the answers begin that HTTP tools get for errors",
    )


def service_settings(plan: Plan, options: Any) -> dict[str, Any]:
    """Return the keyword arguments of a service, from the options. Raises Unusable."""
    return {
        "context": _context(options.context),
        "values": _json_file("--values", options.values),
        "connections": _targets(plan, options.connection),
        "http": _http(plan.package, options),
        "handlers": _handlers(options.handlers),
        "timeout": options.timeout,
        "read_only": options.read_only,
        "log_exceptions": sys.flags.dev_mode,
        "partial": True,
    }


def _targets(plan: Plan, named: Sequence[str]) -> dict[str, str | ProjectTarget]:
    """Return the target of each connection: those of ``named`` (``NAME=TARGET``), else that of an
    environment variable (``SHOP_DEFAULT`` for ``default`` of the package ``shop``), else that of
    the settings. ``env:NAME`` stands for the value of an environment variable. Raises Unusable.
    """
    targets: dict[str, str | ProjectTarget] = {}
    package = plan.package.rpartition(".")[2]
    for name in plan.drivers:
        variable = "".join(
            character if character.isalnum() else "_"
            for character in f"{package}_{name}".upper()
        )
        target = os.environ.get(variable) or plan.targets.get(name)
        if target:
            targets[name] = _project_target(target)
    for assignment in named:
        name, mark, target = assignment.partition("=")
        if not mark or not target:
            raise Unusable(f"--connection {assignment}: expected NAME=TARGET")
        if name not in plan.drivers:
            names = ", ".join(sorted(plan.drivers)) or "none"
            raise Unusable(f"--connection {name}: the connections are {names}")
        resolved = _project_target(target)
        if resolved.problem:
            raise Unusable(f"connection {name}: {resolved.problem}")
        targets[name] = resolved.target
    return targets


def _project_target(target: str) -> ProjectTarget:
    """Return a target; ``env:NAME`` is the value of an environment variable."""
    if not target.startswith("env:"):
        return ProjectTarget(target)
    variable = target.removeprefix("env:")
    value = os.environ.get(variable, "")
    return ProjectTarget(value, "" if value else f"the variable {variable} is not set")


def _context(named: str | None) -> object:
    """Return the object in a file, or a function, whichever the option names."""
    if named is None or named.endswith(".json") or ":" not in named:
        return _json_file("--context", named)
    return named_function("--context", named)


def named_function(option: str, named: str | None) -> Any:
    """Return the function that an option names, None where it is not given. Raises Unusable."""
    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        function = getattr(import_module(module), name, None)
    except ImportError as problem:
        raise Unusable(f"{option} {named}: {problem}") from problem
    if not callable(function):
        raise Unusable(f"{option} {named}: expected MODULE:NAME of a function")
    return function


def _json_file(option: str, path: str | None) -> Mapping[str, Any]:
    """Return the object in the file that an option names; without one, an empty one."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file, parse_float=Decimal)  # every digit counts
    except OSError as problem:
        raise Unusable(f"{option} {path}: {problem.strerror}") from problem
    except (ValueError, ArithmeticError) as problem:
        raise Unusable(f"{option} {path}: this is not JSON: {problem}") from problem
    if not isinstance(value, dict):
        raise Unusable(f"{option} {path}: expected an object")
    return cast("Mapping[str, Any]", value)


def _http(package: str, options: Any) -> Http:
    http = Http(error_bodies=options.error_bodies)
    if find_spec(".http", package) is None:
        return http
    if options.allow_private:
        transport = import_module(".http", package).StdlibTransport(allow_private=True)
        http = replace(http, transport=transport)
    if options.allow_files:
        module = import_module(".http", package)
        files = module.Files(folders=tuple(options.allow_files))
        http = replace(http, options=module.Options(files=files))
    return http


def _handlers(named: str | None) -> object:
    """Return the handlers that an option names (``MODULE:NAME``)."""
    if named is None:
        return None
    module, _, name = named.partition(":")
    try:
        return getattr(import_module(module), name or "HANDLERS")
    except (ImportError, AttributeError) as problem:
        raise Unusable(f"--handlers {named}: {problem}") from problem


def _list(service: Service, _options: Any) -> int:
    """Print each tool with its description; tools that cannot run with the reason."""
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
    name, arguments = options.tool, options.arguments
    text = sys.stdin.read() if arguments == "-" else arguments
    if name in (*service.prompts, *service.plan.resources):
        try:
            print(json.dumps(service.call(name, text), ensure_ascii=False))
        except (InputError, ContextError, ToolError) as error:
            return _print_failure(service, Outcome(name, error=error, text=str(error)))
        return 0
    outcome = service.outcome(name, text)
    if outcome.is_error:
        return _print_failure(service, outcome)
    print(outcome.text)
    return 0


def _confirm(options: Any) -> Callable[[Confirmation], bool] | None:
    """Return what confirms calls: ``--yes``, or who sits at the terminal; None if nobody does."""
    if getattr(options, "yes", False):
        return lambda _: True
    if not sys.stdin.isatty():
        return None

    def ask(asked: Confirmation) -> bool:
        print(f"{asked.question} [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return ask


def _print_failure(service: Service, outcome: Outcome) -> int:
    """Print why a call failed; return the exit code."""
    text, lack = outcome.text, service.unavailable.get(outcome.tool)
    if isinstance(outcome.error, ContextError):
        option = "--context" if "." in outcome.error.path else "--values"
        text = f"{outcome.tool}: {outcome.error}. Give it with {option} FILE.json."
    elif lack:
        text = f"{outcome.tool} cannot run: {lack}"
    elif outcome.code == "unconfirmed":
        text += " Confirm it with --yes."
    elif outcome.code == "failed" and not sys.flags.dev_mode:
        command = f"python -X dev -m {service.plan.package} call"
        text += f" `{command}` shows the exception, which may quote values."
    print(text, file=sys.stderr)
    return 1


def _with_server(
    plan: Plan, command: str, arguments: Sequence[str], program: str
) -> int:
    """Run a command that needs the server of the package."""
    if find_spec(".mcp_server", plan.package) is None:
        print(f"{program}: add the target server to the settings", file=sys.stderr)
        return 2
    if command == "connect":
        server = import_module("..server.command", __package__)
        return connect(plan, arguments, program, server.require_startable)
    main: Callable[..., int] = import_module(".mcp_server", plan.package).main
    return main(arguments, program=program)
