"""List the tools of a FastMCP server by importing its module: the user named it to be run."""

from __future__ import annotations

import json
import re
import sys
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from brimgen.frozen import dataclass
from brimgen.model.json import Json, is_object

_NAMED = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<name>[A-Za-z_]\w*)\Z")


@dataclass(frozen=True, slots=True)
class Listed:
    """The tools of a server as JSON text, and the functions behind them by the tools' names."""

    text: str
    handlers: dict[str, str]


def is_named(source: Path) -> bool:
    """Whether ``source`` is no file, but an object of a module: ``app:mcp``."""
    return _NAMED.match(str(source)) is not None and not source.exists()


def list_tools(source: str) -> Listed:
    """Import ``module:name`` and list the tools of that server. Raises `click.UsageError`."""
    import asyncio

    named = _NAMED.match(source)
    assert named is not None
    sys.path.insert(0, str(Path.cwd()))
    try:
        with redirect_stdout(sys.stderr):
            server: Any = getattr(import_module(named["module"]), named["name"])
            tools = list(asyncio.run(server.list_tools()))
    except Exception as problem:
        raise click.UsageError(
            f"{source} is no server whose tools can be listed: "
            f"{type(problem).__name__}: {problem}"
        ) from problem
    finally:
        sys.path.pop(0)
    listed: list[Json] = []
    handlers: dict[str, str] = {}
    for tool in tools:
        described, function, wraps = _described(server, tool)
        name = str(described["name"])
        if wraps:
            described["outputSchema"] = _unwrapped(described["outputSchema"])
        listed.append(described)
        path = _path_of(function)
        if path is not None:
            handlers[name] = path
    return Listed(json.dumps({"tools": listed}, indent=1), handlers)


def _described(server: Any, tool: Any) -> tuple[dict[str, Any], Any, bool]:
    """Return a tool as MCP lists it, its function, and whether its result is wrapped there."""
    manager = getattr(server, "_tool_manager", None)
    # The SDK of MCP lists descriptions alone, FastMCP the tools themselves.
    own: Any = tool if manager is None else manager.get_tool(tool.name)
    mcp: Any = tool.to_mcp_tool() if hasattr(tool, "to_mcp_tool") else tool
    described: dict[str, Any] = mcp.model_dump(
        mode="json", by_alias=True, exclude_none=True
    )
    meta = described.pop("_meta", {})
    meta.pop("fastmcp", None)  # tags, and no contract
    described |= {"_meta": meta} if meta else {}
    output = described.get("outputSchema")
    metadata = getattr(own, "fn_metadata", None)
    wraps = is_object(output) and bool(
        output.get("x-fastmcp-wrap-result") or getattr(metadata, "wrap_output", False)
    )
    return described, getattr(own, "fn", None), wraps


def _unwrapped(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of what the function returns, which servers wrap in an object."""
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {**definitions, **schema["properties"]["result"]}


def _path_of(function: Any) -> str | None:
    """Return ``module:function``; None for what a program cannot import by name."""
    name = getattr(function, "__qualname__", "<locals>")
    return None if not name.isidentifier() else f"{function.__module__}:{name}"
