"""Connect a service to a server of the official SDK.

The SDK serves the revisions with a handshake, up to 2025-11-25, and 2026-07-28 without one; the
first request of a client decides. It is imported when a server is created.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from importlib import metadata
from typing import Any, TypeAlias, cast

from ._package import Caller, Level, running
from .answers import Result, failed, with_files
from .failures import Refusal
from .notices import LogLevels, ServedCall
from .paging import page
from .sdk import sdk
from .service import Service
from .threads import run_in_thread

Handler: TypeAlias = Callable[[Any, Any], Awaitable[Result]]
"""Answers a request: takes the SDK's context of it, and its parameters."""

_WITHOUT_HANDSHAKE = "2026-07-28"
"""The first revision without a handshake."""


def make_server(service: Service) -> Any:
    """Return the SDK's low-level ``Server`` for a service. Raises NoSdk."""
    (server,) = sdk("mcp.server.lowlevel", "Server")
    (hint,) = sdk("mcp.server.caching", "CacheHint")
    (set_level,) = sdk("mcp_types", "SetLevelRequestParams")
    lists, setup = service.lists, service.setup
    levels = LogLevels()
    methods = {"tools/list": ("on_list_tools", "tools")}
    handlers: dict[str, Handler] = {"on_call_tool": _calls(service, levels)}
    if lists.templates or lists.resources:
        methods["resources/list"] = ("on_list_resources", "resources")
        methods["resources/templates/list"] = (
            "on_list_resource_templates",
            "resourceTemplates",
        )
        handlers["on_read_resource"] = _reads(service, levels)
    if lists.prompts:
        methods["prompts/list"] = ("on_list_prompts", "prompts")
        handlers["on_get_prompt"] = _prompts(service)
    if len(methods) > 1:
        handlers["on_completion"] = _completes(service)
    for keyword, key in methods.values():
        handlers[keyword] = _lists(service, key)
    hints = {method: hint(ttl_ms=0, scope="public") for method in methods}
    if setup.visible is not None:
        hints["tools/list"] = hint(ttl_ms=0, scope="private")
    hints["resources/read"] = hint(ttl_ms=0, scope="private")
    made = server(
        service.package,
        title=setup.title,
        version=setup.version or _installed_version(service.package),
        instructions=setup.instructions,
        cache_hints=hints,
        **{keyword: _answering(handler) for keyword, handler in handlers.items()},
    )
    # Not by the keyword: the SDK warns of it because the newest revision has no such request.
    made.add_request_handler("logging/setLevel", set_level, _chooses_level(levels))
    return made


def _installed_version(package: str) -> str:
    """Return the version of the distribution that is called as the package is, else ``0``."""
    try:
        return metadata.version(package.partition(".")[0])
    except metadata.PackageNotFoundError:
        return "0"


def _lists(service: Service, key: str) -> Handler:
    async def answer(context: Any, params: Any) -> Result:
        items = service.lists.items(key)
        if key == "tools":
            shown = await service.setup.visible_to(caller_of(context), run_in_thread)
            if shown is not None:
                items = [each for each in items if each["name"] in shown]
        cursor = None if params is None else params.cursor
        found, following = page(items, cursor, service.setup.page_size)
        result: Result = {key: list(found)}
        return result if following is None else {**result, "nextCursor": following}

    return answer


def _calls(service: Service, levels: LogLevels) -> Handler:
    async def call(context: Any, params: Any) -> Result:
        name: str = params.name
        caller = caller_of(context)
        shown = await service.setup.visible_to(caller, run_in_thread)
        if shown is not None and name not in shown:
            raise Refusal.unknown("tool", name)
        served = _served(service, levels, context, name, caller)
        try:
            result = await _within(
                served,
                service.call(name, params.arguments, caller, run_in_thread),
                service.setup.timeout,
            )
        except TimeoutError:
            return failed(
                f"{name} did not end within {service.setup.timeout:g} seconds."
            )
        return with_files(result, served.attachments)

    return call


def _reads(service: Service, levels: LogLevels) -> Handler:
    async def read(context: Any, params: Any) -> Result:
        uri, caller = str(params.uri), caller_of(context)
        served = _served(service, levels, context, uri, caller)
        limit = service.setup.timeout
        try:
            return await _within(
                served, service.read(uri, caller, run_in_thread), limit
            )
        except TimeoutError:
            words = f"The resource did not come within {limit:g} seconds."
            raise Refusal(words, "server") from None

    return read


def _prompts(service: Service) -> Handler:
    async def get(context: Any, params: Any) -> Result:
        return await service.prompt(
            params.name, params.arguments, caller_of(context), run_in_thread
        )

    return get


def _completes(service: Service) -> Handler:
    async def complete(_context: Any, params: Any) -> Result:
        reference, argument = params.ref, params.argument
        name: str | None = getattr(reference, "name", None)
        if name is None:
            described = service.lists.named_by(reference.uri)
            if described is None:
                raise Refusal.unknown("resource", reference.uri)
            name = str(described["name"])
        given: Mapping[str, str] = {}
        if params.context is not None:
            given = params.context.arguments or {}
        return await service.complete(
            name, argument.name, argument.value, given, run_in_thread
        )

    return complete


def _chooses_level(levels: LogLevels) -> Handler:
    async def choose(context: Any, params: Any) -> Result:
        levels.choose(_session(context), params.level)
        return {}

    return choose


def _served(
    service: Service, levels: LogLevels, context: Any, name: str, caller: Caller
) -> ServedCall:
    limit = service.setup.timeout
    deadline = None if limit is None else time.monotonic() + limit

    def wants(level: Level) -> bool:
        if context.protocol_version < _WITHOUT_HANDSHAKE:
            return levels.wants(_session(context), level)
        (allowed,) = sdk("mcp.server.connection", "allowed_log_levels")
        return level in allowed(context.protocol_version, context.meta)

    return ServedCall(name, caller, context, wants, deadline=deadline)


async def _within(
    call: ServedCall, run: Coroutine[Any, Any, Result], limit: float | None
) -> Result:
    """Return the result of a call, behind all that its handler reported.

    Raises TimeoutError for a call that takes longer than the limit.
    """
    with running(call):
        async with asyncio.timeout(limit):
            result = await run
    await call.finish()
    return result


def caller_of(context: Any) -> Caller:
    """Return who sent a request of the SDK: by its headers, and by the token it was sent with."""
    request = context.request
    if request is None:
        return Caller(request=context)
    user = request.scope.get("user")
    token = getattr(user, "access_token", None)
    return Caller(
        headers=dict(request.headers),
        claims=None if token is None else token.claims,
        request=context,
    )


def _session(context: Any) -> str | None:
    """Return the name of the session that a request belongs to; over stdio there is one."""
    headers = cast("Mapping[str, str]", getattr(context.request, "headers", {}))
    return headers.get("mcp-session-id")


def _answering(handler: Handler) -> Handler:
    """Return a handler that answers as the revision of the client has it.

    From 2026-07-28 on results say that they are whole, and the code of some errors differs.
    """

    async def answer(context: Any, params: Any) -> Result:
        try:
            result = await handler(context, params)
        except Refusal as refusal:
            raise _error(refusal, context) from None
        if context.protocol_version < _WITHOUT_HANDSHAKE:
            return result
        return {"resultType": "complete", **result}

    return answer


def _error(refusal: Refusal, context: Any) -> Exception:
    (error,) = sdk("mcp.shared.exceptions", "MCPError")
    data = None if refusal.uri is None else {"uri": refusal.uri}
    code = refusal.code(context.protocol_version)
    made: Exception = error(code, refusal.message, data)
    return made
