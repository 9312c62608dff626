"""Import the tool and bundle files of a tool store.

A tool file does not name its bundle; its folder does. The specs are members of a bundle as soon as
`bundle` is added.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_NO_BACK_END, IMPORT_NOT_WHOLE
from brimgen.importers.draft import Draft, Format, Shape
from brimgen.importers.flexigpt.http_requests import BODY_OUTPUT_MODE, read_http
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode, plain, plain_object

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
    if kind == "http":
        document |= _http(shape, name)
    elif kind in (None, "go"):
        document |= _go(shape)
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
    draft = Draft(str(document["name"]), node.span, document)
    return draft if shape.sound else None


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


def _go(shape: Shape) -> Mapping[str, Json]:
    implementation = shape.mapping("goImpl")
    return {} if implementation is None else {"goImpl": plain(implementation)}


def _http(shape: Shape, name: str) -> Mapping[str, Json]:
    implementation = shape.mapping("httpImpl")
    if implementation is None:
        return {}
    return read_http(name, implementation, _argument_names(shape.node), shape)


def _kept_of_http(node: MapNode) -> Mapping[str, Json]:
    """What a request or response says that a spec has no words for, and that changes nothing."""
    implementation = node.get("httpImpl")
    response = (
        implementation.get("response") if isinstance(implementation, MapNode) else None
    )
    said = plain_object(response) if isinstance(response, MapNode) else {}
    usual = {BODY_OUTPUT_MODE: "auto", "errorMode": "fail"}
    return {key: value for key, value in usual.items() if said.get(key) == value}


def _argument_names(node: MapNode) -> frozenset[str]:
    schema = node.get("argSchema")
    properties = schema.get("properties") if isinstance(schema, MapNode) else None
    if not isinstance(properties, MapNode):
        return frozenset()
    return frozenset(entry.key.text for entry in properties.entries)


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
    return Draft(slug, node.span, document, kind="bundle") if shape.sound else None


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
