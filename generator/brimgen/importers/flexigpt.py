"""Import tools and bundles of a FlexiGPT store.

An HTTP tool has an ``httpImpl``: ``{request: {method, urlTemplate, query, headers, body, auth,
timeoutMs}, response: {successCodes, errorMode, bodyOutputMode}}``; the first versions had
``encoding`` and ``selector`` in a response. Its ``auth`` has one ``valueTemplate``, whatever its
type; its ``body`` is a text, sent as JSON unless a header says otherwise. A placeholder that is no
argument is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    IMPORT_CANNOT_SAY,
    IMPORT_NO_BACK_END,
    IMPORT_NOT_WHOLE,
)
from brimgen.importers.draft import Draft, Format, Shape
from brimgen.importers.nodes import entries_at
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, Node, plain, plain_object
from brimgen_runtime.store.request_shapes import AUTH, REQUEST, RESPONSE
from brimgen_runtime.store.requests import body_of

BODY_OUTPUT_MODE = "bodyOutputMode"
"""What FlexiGPT makes of the body of an answer: a text, a file, an image, or ``auto``."""
_USUAL_TIMEOUT = 10_000
_PLACEHOLDER = re.compile(r"\$\{([A-Za-z0-9_-]+)[^}]*\}")
_OWN = (
    *("name", "slug", "version", "type", "displayName"),
    *("description", "isEnabled", "tags"),
)
_KEPT = ("id", "createdAt", "modifiedAt")
_PASSED = (
    *("schemaVersion", "isBuiltIn", "userCallable", "llmCallable", "llmToolType"),
    *("outputKind", "userArgSchema", "autoExecReco", "softDeletedAt"),
)
"""The keys that mean nothing here, and are written again into files for FlexiGPT."""
_TYPES = {
    "go": "go",
    "http": "http_function",
    "python": "python_function",
    "sql": "sql_function",
    "template": "template_function",
    "resource": "resource",
}
"""The types of tools, and of the specs that they become. Stores have the first two."""
_NEEDED = {"sql": "sql", "template": "messages", "resource": "path"}
"""The key of `OWN_KEYS` that a tool needs whose type no store has."""
OWN_KEYS = "x-brimgen"
"""The key under which brimgen's own listing of bundles keeps what a store has no key for."""
TOOLS = "tools"
"""The key under which a bundle file may hold its tools."""
_COPIED = (
    *("allowedHosts", "handler", "call", "when_to_use"),
    *("sql", "connection", "messages", "path"),
)
"""The keys of `OWN_KEYS` that are those of a spec."""
_PARTS = ("argSchema", "outputSchema", "goImpl", "httpImpl")


def _http(
    tool: str, implementation: MapNode, arguments: Collection[str], shape: Shape
) -> dict[str, Json]:
    """Return the keys ``request``, ``response``, ``returns`` and ``secrets`` of a spec of ``tool``.

    ``arguments`` are the names of its arguments. What is wrong is reported to ``shape``, which is
    then unsound.
    """
    inner = Shape(implementation, "`httpImpl`", shape.diagnostics)
    inner.only(("request", "response"))
    request = inner.inner("request", needed=True)
    response = inner.inner("response")
    document: dict[str, Json] = {}
    if request is not None:
        document["request"] = _request(tool, request)
        names = (
            name
            for text in _texts_in(document["request"])
            for name in _PLACEHOLDER.findall(text)
        )
        secrets = [name for name in dict.fromkeys(names) if name not in arguments]
        if secrets:
            document["secrets"] = [*secrets]
    if response is not None:
        document |= _response(tool, response)
    shape.take_faults(inner, request, response)
    return document


def _request(tool: str, shape: Shape) -> dict[str, Json]:
    shape.only(REQUEST)
    node = shape.node
    request: dict[str, Json] = {}
    method = shape.text("method", needed=False)
    if method:
        request["method"] = method.strip().upper()
    request["urlTemplate"] = shape.text("urlTemplate") or ""
    for key in ("query", "headers"):
        value = node.get(key)
        if value is not None and plain(value) not in (None, {}, 0):
            request[key] = plain(value)
    timeout = node.get("timeoutMs") or node.get("timeoutMS")
    request["timeoutMs"] = (timeout and plain(timeout)) or _USUAL_TIMEOUT
    body = shape.text("body", needed=False)
    if body and body.strip():
        request["body"], is_json = body_of(body)
        headers = _mapping(request.get("headers"))
        if not is_json and "content-type" not in {name.casefold() for name in headers}:
            content_type = {"Content-Type": "application/json; charset=utf-8"}
            request["headers"] = {**headers, **content_type}
    auth = shape.inner("auth")
    if auth is not None:
        request["auth"] = _auth(tool, auth)
        shape.take_faults(auth)
    return request


def _auth(tool: str, shape: Shape) -> dict[str, Json]:
    shape.only(AUTH)
    kind = (shape.text("type") or "").strip().casefold()
    value = shape.text("valueTemplate") or ""
    if kind == "bearer":
        return {"type": "bearer", "token": value}
    if kind == "basic" and ":" in value:
        username, _, password = value.partition(":")
        return {"type": "basic", "username": username, "password": password}
    if kind in ("apikey", "api_key", "api-key"):
        place, name = shape.text("in") or "", shape.text("name") or ""
        return {"type": "api_key", "in": place, "name": name, "value": value}
    if shape.sound:
        reason = (
            "basic auth needs `user:password` in `valueTemplate`"
            if kind == "basic"
            else f"the type of `auth` is bearer, basic or apiKey, not `{kind}`"
        )
        _refuse(tool, reason, shape.node, shape)
    return {}


def _response(tool: str, shape: Shape) -> dict[str, Json]:
    shape.only(RESPONSE)
    node = shape.node
    selector = shape.text("selector", needed=False)
    if selector and selector.strip():
        reason = "`selector` takes a part of the answer, which a spec cannot say"
        _refuse(tool, reason, node.get("selector") or node, shape)
    mode = shape.text(BODY_OUTPUT_MODE, needed=False)
    if mode not in (None, "", "auto", "text"):
        reason = (
            f"`{BODY_OUTPUT_MODE}: {mode}` makes a file of the answer, which is JSON or text here"
            if mode in ("file", "image")
            else f"`{BODY_OUTPUT_MODE}` is auto, text, file or image, not `{mode}`"
        )
        _refuse(tool, reason, node.get(BODY_OUTPUT_MODE) or node, shape)
    response = {
        key: value
        for key, value in plain_object(node).items()
        if key not in ("selector", BODY_OUTPUT_MODE) and value not in (None, "", [])
    }
    document: dict[str, Json] = {}
    if mode == "text":
        response["encoding"] = "text"
        document["returns"] = {"type": "string"}
    return {**document, "response": response} if response else document


def _refuse(tool: str, reason: str, node: Node, shape: Shape) -> None:
    shape.report(IMPORT_CANNOT_SAY, node.span, name=tool, reason=reason)


def _texts_in(value: Json) -> Iterator[str]:
    """Yield every text in a JSON value, keys not among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for member in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(member)


def fits_tool(node: MapNode) -> bool:
    """Whether ``node`` looks like the file of a tool, or like a tool in a listing of ours."""
    is_listed = node.get("type") is not None and node.get("version") is not None
    return node.get("slug") is not None and (
        is_listed or node.get("argSchema") is not None
    )


def read_tool(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """Read the tool; keys without a counterpart are kept under ``x-tool``."""
    shape = Shape(node, "a tool", diagnostics)
    slug = shape.text("slug") or ""
    kind = shape.text("type")
    own = shape.mapping(OWN_KEYS, needed=False)
    name = shape.text("name", needed=False) or slug
    if node.get("argSchema") is None or (own and own.get("isWhole") is not None):
        diagnostics.add(IMPORT_NOT_WHOLE, node.span, name=name)
        return None
    needed = _NEEDED.get(kind or "")
    is_whole = needed is None or (own is not None and own.get(needed) is not None)
    if kind is not None and (kind not in _TYPES or not is_whole):
        value = node.get("type") or node
        diagnostics.add(IMPORT_NO_BACK_END, value.span, name=slug, kind=kind)
        return None
    document: dict[str, Json] = {"type": _TYPES[kind or "go"], "name": name}
    document |= _texts(shape)
    implementation = {"http": "httpImpl", "go": "goImpl"}.get(kind or "go")
    made = shape.mapping(implementation) if implementation else None
    if made is not None and kind == "http":
        names = {each.key.text for each in entries_at(node, "argSchema", "properties")}
        document |= _http(name, made, names, shape)
    elif made is not None:
        document["goImpl"] = plain(made)
    schema = shape.mapping("argSchema")
    if schema is not None:
        document["argSchema"] = plain(schema)
    returned = shape.mapping("outputSchema", needed=False)
    if returned is not None:
        document["returns"] = plain(returned)
    if own is not None:
        _add_own_keys(document, Shape(own, f"`{OWN_KEYS}`", diagnostics))
    rest = shape.rest((*_OWN, *_KEPT, *_PARTS, OWN_KEYS), "x-tool", _PASSED)
    ignored = "goImpl" if kind == "http" else "httpImpl"
    for entry in node.entries:
        if entry.key.text == ignored:
            shape.without_meaning(entry, f"the tool is of the type `{kind}`")
        elif entry.key.text == "llmCallable" and plain(entry.value) is False:
            reason = (
                "models are offered every tool that is enabled; `enabled: false` in the spec "
                "withholds this one"
            )
            shape.without_meaning(entry, reason)
    rest |= _kept_of_http(node)
    if rest:
        document["x-tool"] = rest
    return shape.draft(document)


def _add_own_keys(document: dict[str, Json], shape: Shape) -> None:
    """Add the keys under ``x-brimgen``, for which a store has no keys of its own."""
    shape.only((*_COPIED, "retry", "strict"))
    own = plain_object(shape.node)
    document.update({key: own[key] for key in _COPIED if key in own})
    if "retry" in own:
        document["request"] = {
            **_mapping(document.get("request")),
            "retry": own["retry"],
        }
    if own.get("strict") is False:
        document["strict"] = False
    elif own.get("strict") is True:
        document["response"] = {**_mapping(document.get("response")), "strict": True}


def _mapping(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _texts(shape: Shape) -> Mapping[str, Json]:
    texts = {
        "title": shape.text("displayName", needed=False),
        "description": shape.text("description", needed=False),
        "slug": shape.text("slug"),
        "version": shape.text("version"),
        **{key: shape.text(key, needed=False) for key in _KEPT},
    }
    document: dict[str, Json] = {key: text for key, text in texts.items() if text}
    tags = shape.node.get("tags")
    if tags is not None:
        document["tags"] = plain(tags)
    enabled = shape.flag("isEnabled")
    if enabled is not None:
        document["enabled"] = enabled
    return document


def _kept_of_http(node: MapNode) -> Mapping[str, Json]:
    """What a request or response says that a spec has no words for, and that changes nothing."""
    entries = entries_at(node, "httpImpl", "response")
    said = {entry.key.text: plain(entry.value) for entry in entries}
    usual = {BODY_OUTPUT_MODE: "auto", "errorMode": "fail"}
    return {key: value for key, value in usual.items() if said.get(key) == value}


def fits_bundle(node: MapNode) -> bool:
    """Whether ``node`` looks like the file of a bundle."""
    return (
        node.get("slug") is not None
        and not fits_tool(node)
        and (node.get("displayName") or node.get("isEnabled")) is not None
    )


def read_bundle(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """Read the bundle; keys without a counterpart are kept under ``x-bundle``."""
    shape = Shape(node, "a bundle", diagnostics)
    slug = shape.text("slug") or ""
    document: dict[str, Json] = {"type": "bundle", "name": slug, "slug": slug}
    for key in ("id", "displayName", "description", "createdAt", "modifiedAt"):
        text = shape.text(key, needed=False)
        if text:
            document[key] = text
    enabled = shape.flag("isEnabled")
    if enabled is not None:
        document["isEnabled"] = enabled
    known = ("slug", "displayName", "description", "isEnabled", TOOLS, *_KEPT)
    rest = shape.rest(known, "x-bundle", _PASSED)
    if rest:
        document["x-bundle"] = rest
    return shape.draft(document, "bundle")


TOOL = Format(
    "tool_json", "tools of a store: slug, version, argSchema", fits_tool, read_tool
)
BUNDLE = Format(
    "bundle_json",
    "bundles of a store: slug, displayName, isEnabled",
    fits_bundle,
    read_bundle,
    wrappers=("toolBundles", "bundles"),
)
