"""Import tools and bundles of a FlexiGPT store.

An HTTP tool has an ``httpImpl``: ``{request: {method, urlTemplate, query, headers, body, auth,
timeoutMs}, response: {successCodes, errorMode, bodyOutputMode}}``; the first versions had
``encoding`` and ``selector`` in a response. Its ``auth`` has one ``valueTemplate``, whatever its
type; its ``body`` is a text, sent as JSON unless a header says otherwise. A placeholder that is no
argument is a secret.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    IMPORT_CANNOT_SAY,
    IMPORT_NO_BACK_END,
    IMPORT_NOT_WHOLE,
)
from brimgen.importers.draft import Choice, Draft, Format, PartReader
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
    tool: str, implementation: MapNode, arguments: Collection[str], part: PartReader
) -> dict[str, Json]:
    """Return the keys ``request``, ``response``, ``returns`` and ``secrets`` of a spec of ``tool``.

    ``arguments`` are the names of its arguments. What is wrong is reported to ``part``, which is
    then unsound.
    """
    inner = PartReader(implementation, "`httpImpl`", part.diagnostics)
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
    return document


def _request(tool: str, part: PartReader) -> dict[str, Json]:
    part.only(REQUEST)
    node = part.node
    request: dict[str, Json] = {}
    method = part.text("method", needed=False)
    if method:
        request["method"] = method.strip().upper()
    request["urlTemplate"] = part.text("urlTemplate") or ""
    for key in ("query", "headers"):
        value = node.get(key)
        if value is not None and plain(value) not in (None, {}, 0):
            request[key] = plain(value)
    timeout = node.get("timeoutMs") or node.get("timeoutMS")
    request["timeoutMs"] = (timeout and plain(timeout)) or _USUAL_TIMEOUT
    body = part.text("body", needed=False)
    if body and body.strip():
        request["body"], is_json = body_of(body)
        headers = _mapping(request.get("headers"))
        if not is_json and "content-type" not in {name.casefold() for name in headers}:
            content_type = {"Content-Type": "application/json; charset=utf-8"}
            request["headers"] = {**headers, **content_type}
    auth = part.inner("auth")
    if auth is not None:
        request["auth"] = _auth(tool, auth)
    return request


def _auth(tool: str, part: PartReader) -> dict[str, Json]:
    part.only(AUTH)
    kind = (part.text("type") or "").strip().casefold()
    value = part.text("valueTemplate") or ""
    if kind == "bearer":
        return {"type": "bearer", "token": value}
    if kind == "basic" and ":" in value:
        username, _, password = value.partition(":")
        return {"type": "basic", "username": username, "password": password}
    if kind in ("apikey", "api_key", "api-key"):
        place, name = part.text("in") or "", part.text("name") or ""
        return {"type": "api_key", "in": place, "name": name, "value": value}
    if part.sound:
        reason = (
            "basic auth needs `user:password` in `valueTemplate`"
            if kind == "basic"
            else f"the type of `auth` is bearer, basic or apiKey, not `{kind}`"
        )
        _refuse(tool, reason, part.node, part)
    return {}


def _response(tool: str, part: PartReader) -> dict[str, Json]:
    part.only(RESPONSE)
    node = part.node
    selector = part.text("selector", needed=False)
    if selector and selector.strip():
        reason = "`selector` takes a part of the answer, which a spec cannot say"
        _refuse(tool, reason, node.get("selector") or node, part)
    mode = part.text(BODY_OUTPUT_MODE, needed=False)
    if mode not in (None, "", "auto", "text"):
        reason = (
            f"`{BODY_OUTPUT_MODE}: {mode}` makes a file of the answer, which is JSON or text here"
            if mode in ("file", "image")
            else f"`{BODY_OUTPUT_MODE}` is auto, text, file or image, not `{mode}`"
        )
        _refuse(tool, reason, node.get(BODY_OUTPUT_MODE) or node, part)
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


def _refuse(tool: str, reason: str, node: Node, part: PartReader) -> None:
    part.report(IMPORT_CANNOT_SAY, node.span, name=tool, reason=reason)


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


def read_tool(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """Read the tool; keys without a counterpart are kept under ``x-tool``."""
    part = PartReader(node, "a tool", diagnostics)
    slug = part.text("slug") or ""
    kind = part.text("type")
    own = part.mapping(OWN_KEYS, needed=False)
    name = part.text("name", needed=False) or slug
    if node.get("argSchema") is None or (own and own.get("isWhole") is not None):
        diagnostics.add(IMPORT_NOT_WHOLE, node.span, name=name)
        return ()
    needed = _NEEDED.get(kind or "")
    is_whole = needed is None or (own is not None and own.get(needed) is not None)
    if kind is not None and (kind not in _TYPES or not is_whole):
        value = node.get("type") or node
        diagnostics.add(IMPORT_NO_BACK_END, value.span, name=slug, kind=kind)
        return ()
    document: dict[str, Json] = {"type": _TYPES[kind or "go"], "name": name}
    document |= _texts(part)
    implementation = {"http": "httpImpl", "go": "goImpl"}.get(kind or "go")
    made = part.mapping(implementation) if implementation else None
    if made is not None and kind == "http":
        names = {each.key.text for each in entries_at(node, "argSchema", "properties")}
        document |= _http(name, made, names, part)
    elif made is not None:
        document["goImpl"] = plain(made)
    document |= part.schema("argSchema", "argSchema", needed=True)
    document |= part.schema("outputSchema", "returns")
    if own is not None:
        _add_own_keys(document, PartReader(own, f"`{OWN_KEYS}`", diagnostics))
    rest = part.rest((*_OWN, *_KEPT, *_PARTS, OWN_KEYS), "x-tool", _PASSED)
    ignored = "goImpl" if kind == "http" else "httpImpl"
    for entry in node.entries:
        if entry.key.text == ignored:
            part.without_meaning(entry, f"the tool is of the type `{kind}`")
        elif entry.key.text == "llmCallable" and plain(entry.value) is False:
            reason = (
                "models are offered every tool that is enabled; `enabled: false` in the spec "
                "withholds this one"
            )
            part.without_meaning(entry, reason)
    rest |= _kept_of_http(node)
    if rest:
        document["x-tool"] = rest
    return part.draft(document)


def _add_own_keys(document: dict[str, Json], part: PartReader) -> None:
    """Add the keys under ``x-brimgen``, for which a store has no keys of its own."""
    part.only((*_COPIED, "retry", "strict"))
    own = plain_object(part.node)
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


def _texts(part: PartReader) -> Mapping[str, Json]:
    part.text("version")
    keys = ("description", "slug", "version", *_KEPT)
    document = {**part.texts(title="displayName"), **part.texts(*keys)}
    tags = part.node.get("tags")
    if tags is not None:
        document["tags"] = plain(tags)
    enabled = part.flag("isEnabled")
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


def read_bundle(
    node: MapNode, diagnostics: Diagnostics, _choice: Choice
) -> Iterable[Draft]:
    """Read the bundle; keys without a counterpart are kept under ``x-bundle``."""
    part = PartReader(node, "a bundle", diagnostics)
    slug = part.text("slug") or ""
    keys = ("id", "displayName", "description", "createdAt", "modifiedAt")
    document = {"type": "bundle", "name": slug, "slug": slug, **part.texts(*keys)}
    enabled = part.flag("isEnabled")
    if enabled is not None:
        document["isEnabled"] = enabled
    known = ("slug", "displayName", "description", "isEnabled", TOOLS, *_KEPT)
    document |= part.kept(known, "x-bundle", _PASSED)
    return part.draft(document)


TOOL = Format(
    "tool_json",
    "tools of a store: slug, version, argSchema",
    fits_tool,
    read_tool,
    wrappers=("tools",),
)
BUNDLE = Format(
    "bundle_json",
    "bundles of a store: slug, displayName, isEnabled",
    fits_bundle,
    read_bundle,
    wrappers=("toolBundles", "bundles"),
)
