"""Build a server of the official SDK from an offer.

The SDK serves revisions up to 2025-11-25, with a handshake, and 2026-07-28, without one; the first
request of a client decides. The SDK is imported when a server is created.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import sha256
from importlib import metadata
from typing import Any, TypeAlias, cast

from ..calls.call_context import Caller, Level
from ..schema.errors import InputError
from ..schema.json_text import parse_json, write_json
from ..service.guards import Confirmation
from .answers import Result
from .clients import Places, while_heard
from .failures import WITHOUT_HANDSHAKE, Refusal, unread
from .notices import LogLevels, ServedCall
from .offer import Offer
from .paging import page
from .sdk import sdk

_NO_FIELDS: Result = {"type": "object", "properties": {}}
"""The schema of a form that has nothing but the buttons to accept and to decline."""

Handler: TypeAlias = Callable[[Any, Any], Awaitable[Result]]
"""Answers a request, given its SDK context and its parameters."""


def make_server(offer: Offer) -> Any:
    """Return the SDK's low-level ``Server`` for an offer. Raises NoSdk."""
    (server_type,) = sdk("mcp.server.lowlevel", "Server")
    (hint,) = sdk("mcp.server.caching", "CacheHint")
    (set_level,) = sdk("mcp_types", "SetLevelRequestParams")
    lists, options = offer.lists, offer.options
    levels = LogLevels()
    methods = {"tools/list": ("on_list_tools", "tools")}
    places = Places(offer.places, offer.service.timeout)
    call = _placed(places, _call_handler(offer, levels))
    handlers: dict[str, Handler] = {"on_call_tool": call}
    if lists.templates or lists.resources:
        methods["resources/list"] = ("on_list_resources", "resources")
        methods["resources/templates/list"] = (
            "on_list_resource_templates",
            "resourceTemplates",
        )
        handlers["on_read_resource"] = _placed(places, _read_handler(offer, levels))
    if lists.prompts:
        methods["prompts/list"] = ("on_list_prompts", "prompts")
        handlers["on_get_prompt"] = _placed(places, _prompt_handler(offer, levels))
    if len(methods) > 1:
        handlers["on_completion"] = _completion_handler(offer)
    for keyword, key in methods.values():
        handlers[keyword] = _list_handler(offer, key)
    hints = {method: hint(ttl_ms=0, scope="public") for method in methods}
    if options.visible is not None:
        hints["tools/list"] = hint(ttl_ms=0, scope="private")
    hints["resources/read"] = hint(ttl_ms=0, scope="private")
    server = server_type(
        offer.package,
        title=offer.identity.title,
        version=offer.identity.version or _installed_version(offer.package),
        instructions=offer.identity.instructions,
        cache_hints=hints,
        **{keyword: _for_revision(handler) for keyword, handler in handlers.items()},
    )
    # Not by the keyword, of which the SDK warns: the newest revision has no such request.
    server.add_request_handler("logging/setLevel", set_level, _level_handler(levels))
    return server


def _installed_version(package: str) -> str:
    """Return the version of the distribution with the name of the package, else ``0``."""
    try:
        return metadata.version(package.partition(".")[0])
    except metadata.PackageNotFoundError:
        return "0"


def _list_handler(offer: Offer, key: str) -> Handler:
    async def answer(context: Any, params: Any) -> Result:
        items = offer.lists.items(key)
        if key == "tools":
            shown = await offer.options.visible_to(caller_of(context))
            if shown is not None:
                items = [tool for tool in items if tool["name"] in shown]
        cursor = None if params is None else params.cursor
        listed, following = page(items, cursor, offer.options.page_size)
        result: Result = {key: list(listed)}
        return result if following is None else {**result, "nextCursor": following}

    return answer


def _call_handler(offer: Offer, levels: LogLevels) -> Handler:
    async def call(context: Any, params: Any) -> Result:
        name: str = params.name
        caller = caller_of(context)
        shown = await offer.options.visible_to(caller)
        if shown is not None and name not in shown:
            raise Refusal.unknown("tool", name)
        arguments = await _arguments(context, params)
        served = _served_call(levels, context, name, caller)
        ask = partial(_ask, context, params)
        result = await offer.call(name, arguments, served, ask)
        await served.finish()
        return result

    return call


async def _ask(context: Any, params: Any, asked: Confirmation) -> bool | Result | None:
    """Ask the user of a client by elicitation: over the session, or in the newest revisions by a
    result that makes the client call again with the answer. See `Ask`.
    """
    client = context.session.client_capabilities
    forms = client and client.elicitation
    if not forms or (forms.form is None and forms.url is not None):
        return None
    if context.protocol_version < WITHOUT_HANDSHAKE:
        if not context.session.can_send_request:
            return None
        answer = await context.session.elicit_form(
            asked.question, _NO_FIELDS, context.request_id
        )
        return bool(answer.action == "accept")
    # The key stands for the whole call: an answer about another one is not found.
    call = write_json([asked.tool, asked.question, asked.arguments])
    key = f"confirm-{sha256(call.encode()).hexdigest()}"
    responses: Mapping[str, Any] = params.input_responses or {}
    if key in responses:
        return getattr(responses[key], "action", None) == "accept"
    form = {"mode": "form", "message": asked.question, "requestedSchema": _NO_FIELDS}
    question = {"method": "elicitation/create", "params": form}
    return {"resultType": "input_required", "inputRequests": {key: question}}


async def _arguments(context: Any, params: Any) -> Mapping[str, Any] | None:
    """Return the arguments of a call. Raises Refusal if the body of its request cannot be read.

    The SDK reads numbers of a body as floats; over stdio it gets what `parse_json` has read.
    """
    arguments: Mapping[str, Any] | None = params.arguments
    if context.request is not None:
        try:
            body = parse_json((await context.request.body()).decode("utf-8"))
        except (InputError, UnicodeDecodeError) as problem:
            raise Refusal(unread(problem), "text") from None
        arguments = body["params"].get("arguments")
    return arguments


def _read_handler(offer: Offer, levels: LogLevels) -> Handler:
    async def read(context: Any, params: Any) -> Result:
        uri = str(params.uri)
        served = _served_call(levels, context, uri, caller_of(context))
        result = await offer.read(uri, served)
        await served.finish()
        return result

    return read


def _prompt_handler(offer: Offer, levels: LogLevels) -> Handler:
    async def get(context: Any, params: Any) -> Result:
        served = _served_call(levels, context, params.name, caller_of(context))
        result = await offer.prompt(params.name, params.arguments, served)
        await served.finish()
        return result

    return get


def _completion_handler(offer: Offer) -> Handler:
    async def complete(_context: Any, params: Any) -> Result:
        reference, argument = params.ref, params.argument
        name: str | None = getattr(reference, "name", None)
        if name is None:
            described = offer.lists.named_by(reference.uri)
            if described is None:
                raise Refusal.unknown("resource", reference.uri)
            name = str(described["name"])
        arguments: Mapping[str, str] = {}
        if params.context is not None:
            arguments = params.context.arguments or {}
        return await offer.complete(name, argument.name, argument.value, arguments)

    return complete


def _level_handler(levels: LogLevels) -> Handler:
    async def choose(context: Any, params: Any) -> Result:
        levels.choose(_session(context), params.level)
        return {}

    return choose


def _placed(places: Places, handler: Handler) -> Handler:
    """Return a handler that runs when its client has a place."""

    async def answer(context: Any, params: Any) -> Result:
        return await places.run(context, lambda: handler(context, params))

    return answer


def _served_call(
    levels: LogLevels, context: Any, name: str, caller: Caller
) -> ServedCall:
    def wants(level: Level) -> bool:
        if context.protocol_version < WITHOUT_HANDSHAKE:
            return levels.wants(_session(context), level)
        (allowed,) = sdk("mcp.server.connection", "allowed_log_levels")
        return level in allowed(context.protocol_version, context.meta)

    return ServedCall(name, caller, context, wants)


def caller_of(context: Any) -> Caller:
    """Return the caller of an SDK request: its headers, and the claims of its token."""
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
    """Return the session id of a request; None over stdio, which has one session."""
    headers = cast("Mapping[str, str]", getattr(context.request, "headers", {}))
    return headers.get("mcp-session-id")


def _for_revision(handler: Handler) -> Handler:
    """Return a handler that answers in the form of the client's revision.

    From 2026-07-28 on results are marked as complete, and some error codes differ.
    """

    async def answer(context: Any, params: Any) -> Result:
        try:
            result = await while_heard(context, lambda: handler(context, params))
        except Refusal as refusal:
            raise _error(refusal, context) from None
        if context.protocol_version < WITHOUT_HANDSHAKE:
            return result
        return {"resultType": "complete", **result}

    return answer


def _error(refusal: Refusal, context: Any) -> Exception:
    (error_type,) = sdk("mcp.shared.exceptions", "MCPError")
    data = None if refusal.uri is None else {"uri": refusal.uri}
    code = refusal.code(context.protocol_version)
    error: Exception = error_type(code, refusal.message, data)
    return error
