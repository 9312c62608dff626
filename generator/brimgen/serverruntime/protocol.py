"""Connect a service to a server of the official SDK.

The SDK (the package ``mcp``, 2.3 or newer) serves the revisions with a handshake, up to 2025-11-25,
and 2026-07-28 without one; the first request of a client decides. Only this module imports it, when
a server is created.
"""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from importlib import import_module
from typing import Any

from .failures import Refusal
from .service import Service
from .setup import InThread

MISSING = "this server needs the official MCP SDK: pip install 'mcp>=2.3' ({problem})"
"""What is told where the SDK is not installed, or too old."""


class NoSdk(RuntimeError):
    """The SDK is not there; the text tells what to install."""


def _sdk(module: str, *names: str) -> tuple[Any, ...]:
    try:
        found = import_module(module)
        return tuple(getattr(found, name) for name in names)
    except (ImportError, AttributeError) as problem:
        raise NoSdk(MISSING.format(problem=problem)) from problem


def make_server(service: Service, *, version: str = "") -> Any:
    """Return the SDK's low-level ``Server`` for a service. Raises NoSdk."""
    (server,) = _sdk("mcp.server.lowlevel", "Server")
    (hint,) = _sdk("mcp.server.caching", "CacheHint")
    lists = service.lists
    methods = {"tools/list": ("on_list_tools", "tools")}
    handlers: dict[str, Any] = {"on_call_tool": _calls(service)}
    if lists.templates or lists.resources:
        methods["resources/list"] = ("on_list_resources", "resources")
        methods["resources/templates/list"] = (
            "on_list_resource_templates",
            "resourceTemplates",
        )
        handlers["on_read_resource"] = _reads(service)
    if lists.prompts:
        methods["prompts/list"] = ("on_list_prompts", "prompts")
        handlers["on_get_prompt"] = _prompts(service)
    for keyword, key in methods.values():
        handlers[keyword] = _list(service, key)
    hints = {method: hint(ttl_ms=0, scope="public") for method in methods}
    hints["resources/read"] = hint(ttl_ms=0, scope="private")
    return server(service.package, version=version, cache_hints=hints, **handlers)


async def serve_stdio(server: Any) -> None:
    """Serve one client over the standard streams of the process, until it hangs up."""
    (stdio_server,) = _sdk("mcp.server.stdio", "stdio_server")
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def run_stdio(server: Any) -> None:
    """Do what `serve_stdio` does, in an event loop of its own."""
    (run,) = _sdk("anyio", "run")
    run(serve_stdio, server)


def _list(service: Service, key: str) -> Any:
    async def answer(context: Any, _params: Any) -> dict[str, Any]:
        return _complete(context, service.lists.answer(key))

    return answer


def _calls(service: Service) -> Any:
    async def call(context: Any, params: Any) -> dict[str, Any]:
        return await _answered(
            context, service.call(params.name, params.arguments, context, _in_thread())
        )

    return call


def _reads(service: Service) -> Any:
    async def read(context: Any, params: Any) -> dict[str, Any]:
        return await _answered(
            context, service.read(str(params.uri), context, _in_thread())
        )

    return read


def _prompts(service: Service) -> Any:
    async def get(context: Any, params: Any) -> dict[str, Any]:
        return await _answered(
            context,
            service.prompt(params.name, params.arguments, context, _in_thread()),
        )

    return get


def _in_thread() -> InThread:
    (run_sync,) = _sdk("anyio.to_thread", "run_sync")
    run: InThread = partial(run_sync, abandon_on_cancel=True)
    return run


async def _answered(
    context: Any, result: Coroutine[Any, Any, dict[str, Any]]
) -> dict[str, Any]:
    try:
        return _complete(context, await result)
    except Refusal as refusal:
        raise _error(refusal, context) from None


def _complete(context: Any, result: dict[str, Any]) -> dict[str, Any]:
    """Return a result as the revision of the client has it: from 2026-07-28 on results say
    that they are whole.
    """
    if context.protocol_version < "2026-07-28":
        return result
    return {"resultType": "complete", **result}


def _error(refusal: Refusal, context: Any) -> Exception:
    (error,) = _sdk("mcp.shared.exceptions", "MCPError")
    made: Exception = error(refusal.code(context.protocol_version), refusal.message)
    return made
