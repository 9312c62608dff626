"""Import the tool and bundle files of a tool store (seed 002; F12).

A tool file does not name its bundle; its folder does. The specs are members of a bundle as soon as
`bundle` is added.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.imports import NO_BACK_END
from brimgen.importers.draft import Draft, Format, Shape
from brimgen.model.json import Json
from brimgen.source.nodes import MapNode
from brimgen.source.plain_json import plain

_OWN = (
    *("name", "slug", "version", "type", "displayName"),
    *("description", "isEnabled", "tags"),
)
_KEPT = ("id", "createdAt", "modifiedAt")
TOOLS = "tools"
"""Where the file of a bundle may hold the tools themselves."""
_PARTS = ("argSchema", "outputSchema", "goImpl", "httpImpl")


def fits_tool(node: MapNode) -> bool:
    """Whether ``node`` looks like the file of a tool."""
    return node.get("argSchema") is not None and node.get("slug") is not None


def read_tool(node: MapNode, diagnostics: Diagnostics) -> Draft | None:
    """Read the tool; keys without a counterpart are kept under ``x-tool``."""
    shape = Shape(node, "a tool", diagnostics)
    slug = shape.text("slug") or ""
    kind = shape.text("type")
    if kind not in (None, "go", "http"):
        value = node.get("type") or node
        diagnostics.add(NO_BACK_END, value.span, name=slug, kind=kind)
        return None
    document: dict[str, Json] = {
        "type": "http_function" if kind == "http" else "go",
        "name": shape.text("name", needed=False) or slug,
    }
    document |= _texts(shape)
    document |= _http(shape) if kind == "http" else _go(shape)
    schema = shape.mapping("argSchema")
    if schema is not None:
        document["argSchema"] = plain(schema)
    returned = shape.mapping("outputSchema", needed=False)
    if returned is not None:
        document["returns"] = plain(returned)
    rest = shape.rest((*_OWN, *_KEPT, *_PARTS), "x-tool")
    other = "goImpl" if kind == "http" else "httpImpl"
    for entry in node.entries:
        if entry.key.text == other:
            shape.without_meaning(entry, f"the tool is of the type `{kind}`")
    if rest:
        document["x-tool"] = rest
    draft = Draft(str(document["name"]), node.span, document)
    return draft if shape.sound else None


def _texts(shape: Shape) -> Mapping[str, Json]:
    texts = {
        "title": shape.text("displayName", needed=False),
        "description": shape.text("description", needed=False),
        "slug": shape.text("slug"),
        "version": shape.text("version"),
        **{key: shape.text(key, needed=False) for key in _KEPT},
    }
    said: dict[str, Json] = {key: text for key, text in texts.items() if text}
    tags = shape.node.get("tags")
    if tags is not None:
        said["tags"] = plain(tags)
    enabled = shape.flag("isEnabled")
    if enabled is not None:
        said["enabled"] = enabled
    return said


def _go(shape: Shape) -> Mapping[str, Json]:
    implementation = shape.mapping("goImpl")
    return {} if implementation is None else {"goImpl": plain(implementation)}


def _http(shape: Shape) -> Mapping[str, Json]:
    """``request`` and ``response`` have the names that this language has."""
    implementation = shape.mapping("httpImpl")
    if implementation is None:
        return {}
    inner = Shape(implementation, "`httpImpl`", shape.diagnostics)
    inner.only(("request", "response", "secrets", "allowedHosts"))
    inner.mapping("request")
    shape.sound = shape.sound and inner.sound
    return {entry.key.text: plain(entry.value) for entry in implementation.entries}


def fits_bundle(node: MapNode) -> bool:
    """Whether ``node`` looks like the file of a bundle."""
    return (
        node.get("slug") is not None
        and node.get("argSchema") is None
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
    rest = shape.rest(known, "x-bundle")
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
