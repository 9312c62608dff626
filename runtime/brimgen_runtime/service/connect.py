"""Write the server of a package into the configuration of an MCP client."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from ..schema.json_values import is_object
from .plan import Plan, Request


class Client(NamedTuple):
    """Where a client reads its servers: the key in its file, and what it wants said besides.

    ``variable`` is how it writes the value of a variable of its own environment; empty: not at all.
    """

    key: str
    also: Mapping[str, str]
    variable: str = ""
    file: str = ""


CLIENTS: Mapping[str, Client] = {
    "claude-code": Client("mcpServers", {"type": "stdio"}, "${{{}:-}}", ".mcp.json"),
    "claude-desktop": Client("mcpServers", {}),
    "cursor": Client("mcpServers", {}, "${{env:{}}}", ".cursor/mcp.json"),
    "vscode": Client("servers", {"type": "stdio"}, "${{env:{}}}", ".vscode/mcp.json"),
}
"""The clients by their names; a file that is named belongs to the project, in this folder."""


def main(
    plan: Plan,
    arguments: Sequence[str],
    program: str,
    require_startable: Callable[[Plan, Sequence[str]], None],
) -> int:
    """Print the configuration of a client, or write it; return the exit code.

    ``require_startable`` ends the program if `serve` refuses the options that follow.
    """
    parser = argparse.ArgumentParser(
        prog=program,
        usage="%(prog)s CLIENT [--write] [OPTIONS OF serve]",
        description="Print what makes a client start the server of this package, with the "
        "options of `serve` that follow.",
        allow_abbrev=False,
    )
    parser.add_argument("client", choices=[*CLIENTS])
    parser.add_argument(
        "--write",
        action="store_true",
        help="write it into the file of the client, and keep what else is there",
    )
    options, passed = parser.parse_known_args(arguments)
    require_startable(plan, passed)
    client, path = CLIENTS[options.client], file_of(options.client)
    name, server = plan.package.rpartition(".")[2], server_of(plan, passed)
    needed = _variables(plan, passed)
    asked = {each: client.variable.format(each) for each in needed if not needed[each]}
    server["env"] |= {**needed, **asked}
    entry = {name: {**client.also, **server}}
    if asked:
        print(f"the client sets, in `env`: {', '.join(asked)}", file=sys.stderr)
    if not options.write:
        print(f"{path}:", file=sys.stderr)
        print(json.dumps({client.key: entry}, indent=2))
        return 0
    try:
        _write(path, client.key, entry, asked)
    except (OSError, ValueError) as problem:
        print(f"{program}: {path}: {problem}; nothing is written", file=sys.stderr)
        return 2
    print(f"wrote {path}; start the client again", file=sys.stderr)
    return 0


def file_of(client: str) -> Path:
    """Return the file in which a client reads its servers."""
    if CLIENTS[client].file:
        return Path.cwd() / CLIENTS[client].file
    if sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA", Path.home() / "AppData" / "Roaming"))
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME", Path.home() / ".config"))
    return folder / "Claude" / "claude_desktop_config.json"


def server_of(plan: Plan, passed: Sequence[str]) -> dict[str, Any]:
    """Return the command that starts a server, from any folder; ``passed`` are options of it.

    Files that they name stand with their whole paths, and so do those of the project's settings.
    """
    words = [_absolute(word) for word in passed]
    given = {word.partition("=")[0] for word in words}
    for name, target in plan.targets.items():
        if name not in given and os.path.exists(target):
            words += ["--connection", f"{name}={os.path.abspath(target)}"]
    command = ["-m", plan.package, "serve", *words]
    return {
        "command": sys.executable,
        "args": command,
        "env": {"PYTHONPATH": os.pathsep.join(_import_paths(plan.package))},
    }


def _variables(plan: Plan, passed: Sequence[str]) -> dict[str, str]:
    """Return the variables that tools need: base URLs as they are set, all others empty.

    What may hold a secret is never read: it would stand in a file.
    """
    targets = [*plan.targets.values(), *(word.partition("=")[2] for word in passed)]
    found = {
        target.rpartition("env:")[2]: ""
        for target in targets
        if target.rpartition("=")[2].startswith("env:")
    }
    for run in plan.runs.values():
        if isinstance(run, Request):
            found |= dict.fromkeys(run.secrets, "")
    for run in plan.runs.values():
        if isinstance(run, Request) and run.base is not None:
            url = os.environ.get(run.base, "")
            found[run.base] = "" if {*url} & {*"@?#"} else url
    return found


def _absolute(word: str) -> str:
    """Return a word of a command line with the whole path of a file that it names."""
    name, mark, target = word.partition("=")
    path = target if mark else word
    if path.startswith("-") or not os.path.exists(path):
        return word
    return f"{name}{mark}{os.path.abspath(path)}" if mark else os.path.abspath(path)


def _import_paths(package: str) -> list[str]:
    """Return where Python finds the package, and the modules of this folder."""
    paths = [
        each for each in os.environ.get("PYTHONPATH", "").split(os.pathsep) if each
    ]
    spec = find_spec(package.partition(".")[0])
    for place in (spec and spec.submodule_search_locations) or ():
        if "site-packages" not in Path(place).parts:
            paths.append(os.path.dirname(place))
    return list(dict.fromkeys(os.path.abspath(each) for each in (*paths, os.getcwd())))


def _write(
    path: Path, key: str, entry: Mapping[str, Any], asked: Collection[str]
) -> None:
    """Write a server into a file beside what is there; ``asked`` variables keep their values.

    Raises OSError and ValueError.
    """
    said: Any = {}
    if path.exists():
        try:
            said = json.loads(path.read_text("utf-8") or "{}")
        except ValueError as problem:
            raise ValueError(f"this is no plain JSON ({problem})") from None
    servers: Any = said.get(key, {}) if is_object(said) else None
    if not is_object(servers):
        raise ValueError(f"expected an object with the object `{key}`")
    for name, server in entry.items():
        before: Any = servers.get(name)
        known: Any = before.get("env") if is_object(before) else None
        if is_object(known):
            server["env"] |= {each: known[each] for each in asked if known.get(each)}
    text = json.dumps({**said, key: {**servers, **entry}}, indent=2)
    path.parent.mkdir(parents=True, exist_ok=True)
    target = path.resolve()
    with NamedTemporaryFile(
        "w", encoding="utf-8", dir=target.parent, delete=False
    ) as file:
        file.write(text + "\n")
    if target.exists():
        os.chmod(file.name, target.stat().st_mode)
    os.replace(file.name, target)
