"""Turn the ``httpImpl`` of a store's tool into the keys of an http_function.

FlexiGPT writes ``{request: {method, urlTemplate, query, headers, body, auth, timeoutMs}, response:
{successCodes, errorMode, bodyOutputMode}}``; its first versions had ``encoding`` and ``selector``
in a response. Its ``auth`` has one ``valueTemplate``, whatever its type; its ``body`` is a text,
sent as JSON unless a header says otherwise. A placeholder that is no argument is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from brimgen.diagnostics.rules import IMPORT_CANNOT_SAY
from brimgen.importers.draft import Shape
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, Node, plain
from brimgen_runtime.store.requests import body_of

BODY_OUTPUT_MODE = "bodyOutputMode"
"""What FlexiGPT makes of the body of an answer: a text, a file, an image, or ``auto``."""
_REQUEST = (
    *("method", "urlTemplate", "query", "headers", "body", "auth", "timeoutMs"),
    "timeoutMS",
)
"""FlexiGPT reads keys in any case, and some versions write ``timeoutMS``."""
_USUAL_TIMEOUT = 10_000
_RESPONSE = ("successCodes", "encoding", "errorMode", "selector", BODY_OUTPUT_MODE)
_COPIED = ("query", "headers")
_PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_-]+)[^}]*\}")
_API_KEY = ("apikey", "api_key", "api-key")


def read_http(
    tool: str, implementation: MapNode, arguments: Collection[str], shape: Shape
) -> dict[str, Json]:
    """Return the keys ``request``, ``response``, ``returns`` and ``secrets`` of a spec of ``tool``.

    ``arguments`` are the names of its arguments. What is wrong is reported to ``shape``, which is
    then unsound.
    """
    inner = Shape(implementation, "`httpImpl`", shape.diagnostics)
    inner.only(("request", "response"))
    request = inner.mapping("request")
    response = inner.mapping("response", needed=False)
    document: dict[str, Json] = {}
    if request is not None:
        document["request"] = _request(tool, request, inner)
        texts = _texts(document["request"])
        names = (name for text in texts for name in _PLACEHOLDER.findall(text))
        secrets = [name for name in dict.fromkeys(names) if name not in arguments]
        if secrets:
            document["secrets"] = [*secrets]
    if response is not None:
        document |= _response(tool, response, inner)
    shape.sound = shape.sound and inner.sound
    return document


def _request(tool: str, node: MapNode, outer: Shape) -> dict[str, Json]:
    shape = Shape(node, "`request`", outer.diagnostics)
    shape.only(_REQUEST)
    request: dict[str, Json] = {}
    method = shape.text("method", needed=False)
    if method:
        request["method"] = method.strip().upper()
    request["urlTemplate"] = shape.text("urlTemplate") or ""
    for key in _COPIED:
        value = node.get(key)
        if value is not None and plain(value) not in (None, {}, 0):
            request[key] = plain(value)
    timeout = node.get("timeoutMs") or node.get("timeoutMS")
    request["timeoutMs"] = (timeout and plain(timeout)) or _USUAL_TIMEOUT
    body = shape.text("body", needed=False)
    if body and body.strip():
        request["body"], is_json = body_of(body)
        headers = request.get("headers")
        existing: Mapping[str, Json] = headers if isinstance(headers, Mapping) else {}
        if not is_json and "content-type" not in {name.casefold() for name in existing}:
            content_type = {"Content-Type": "application/json; charset=utf-8"}
            request["headers"] = {**existing, **content_type}
    auth = shape.mapping("auth", needed=False)
    if auth is not None:
        request["auth"] = _auth(tool, auth, shape)
    outer.sound = outer.sound and shape.sound
    return request


def _auth(tool: str, node: MapNode, outer: Shape) -> dict[str, Json]:
    shape = Shape(node, "`auth`", outer.diagnostics)
    shape.only(("type", "in", "name", "valueTemplate"))
    kind = (shape.text("type") or "").strip().casefold()
    value = shape.text("valueTemplate") or ""
    auth: dict[str, Json] = {}
    if kind == "bearer":
        auth = {"type": "bearer", "token": value}
    elif kind == "basic" and ":" in value:
        username, _, password = value.partition(":")
        auth = {"type": "basic", "username": username, "password": password}
    elif kind in _API_KEY:
        place = shape.text("in") or ""
        name = shape.text("name") or ""
        auth = {"type": "api_key", "in": place, "name": name, "value": value}
    elif shape.sound:
        reason = (
            "basic auth needs `user:password` in `valueTemplate`"
            if kind == "basic"
            else f"the type of `auth` is bearer, basic or apiKey, not `{kind}`"
        )
        _refuse(tool, reason, node, shape)
    outer.sound = outer.sound and shape.sound
    return auth


def _response(tool: str, node: MapNode, outer: Shape) -> dict[str, Json]:
    shape = Shape(node, "`response`", outer.diagnostics)
    shape.only(_RESPONSE)
    selector = shape.text("selector", needed=False)
    if selector and selector.strip():
        reason = "`selector` takes a part of the answer, which a spec cannot say"
        _refuse(tool, reason, node.get("selector") or node, shape)
    mode = shape.text(BODY_OUTPUT_MODE, needed=False)
    if mode not in (None, "", "auto", "text"):
        known = mode in ("file", "image")
        reason = (
            f"`{BODY_OUTPUT_MODE}: {mode}` makes a file of the answer, which is JSON or text here"
            if known
            else f"`{BODY_OUTPUT_MODE}` is auto, text, file or image, not `{mode}`"
        )
        _refuse(tool, reason, node.get(BODY_OUTPUT_MODE) or node, shape)
    outer.sound = outer.sound and shape.sound
    response = {
        entry.key.text: plain(entry.value)
        for entry in node.entries
        if entry.key.text not in ("selector", BODY_OUTPUT_MODE)
        and plain(entry.value) not in (None, "", [])
    }
    document: dict[str, Json] = {}
    if mode == "text":
        response["encoding"] = "text"
        document["returns"] = {"type": "string"}
    return {**document, "response": response} if response else document


def _refuse(tool: str, reason: str, node: Node, shape: Shape) -> None:
    shape.sound = False
    shape.diagnostics.add(IMPORT_CANNOT_SAY, node.span, name=tool, reason=reason)


def _texts(value: Json) -> Iterator[str]:
    """Yield every text in a JSON value, keys not among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for member in value.values():
            yield from _texts(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
