"""The FlexiGPT target: bundles and tools as the files of its tool store (seed 002; F12).

``tools.bundles.json`` is a map of bundles by id. A tool is a file of its own in the folder
``<bundle id>_<bundle slug>``. A store runs tools of the types ``go`` and ``http``, with arguments
that all come from the caller; others are left out, with a warning.

FlexiGPT refuses files with keys that it does not know, and its first versions knew others than
today's: ``outputSchema`` and ``encoding``, which are written for tools that were imported from a
file of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.targets.flexigpt import NOT_IN_STORE
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.implementation import go_implementation, http_implementation
from brimgen.emit.render import render_json
from brimgen.frozen import dataclass
from brimgen.model.catalog import Bundle, Catalog, Tool
from brimgen.model.http import Encoding, HttpBody
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_named

NAME = "flexigpt"
_OF_ALL: JsonObject = {"schemaVersion": "2025-07-01", "isBuiltIn": False}
_OF_TOOLS: JsonObject = {
    **_OF_ALL,
    "userCallable": True,
    "llmCallable": True,
    "llmToolType": "function",
}
_WRITTEN = frozenset(
    {
        *("id", "slug", "version", "displayName", "description", "tags", "isEnabled"),
        *("argSchema", "outputSchema", "type", "goImpl", "httpImpl"),
        *("createdAt", "modifiedAt"),
    }
)
"""The keys that a spec has words for."""
_MODE = "bodyOutputMode"


@dataclass(frozen=True, slots=True)
class BundleView:
    """The view of a bundle; ``more`` are the keys that specs have no words for."""

    bundle: Bundle
    more: JsonObject


@dataclass(frozen=True, slots=True)
class BundlesView:
    """The view of ``tools.bundles.json``."""

    bundles: tuple[BundleView, ...]


@dataclass(frozen=True, slots=True)
class ToolView:
    """The view of the file of a tool; one of ``go`` and ``http`` is there.

    ``more`` are the keys that specs have no words for.
    """

    tool: Tool
    more: JsonObject
    output: JsonObject | None
    go: JsonObject | None
    http: JsonObject | None


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report the tools of bundles that a store cannot run."""
    for tool in catalog.tools:
        reason = _reason_against(tool)
        if reason and tool.bundle and tool.is_for(NAME):
            diagnostics.add(NOT_IN_STORE, tool.span, tool=tool.name, reason=reason)


def _reason_against(tool: Tool) -> str | None:
    """Return why a store cannot run a tool, or None."""
    if tool.hidden_fields:
        names = ", ".join(f"`{field.name}`" for field in tool.hidden_fields)
        return f"a store cannot give the hidden arguments {names}"
    if go_implementation(tool) is None and http_implementation(tool) is None:
        return "it is neither a `go` tool nor an `http` tool"
    return None


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """Write ``flexigpt/tools.bundles.json``, and a file for each tool of a bundle."""
    if not catalog.bundles:
        return ()
    views = [
        BundleView(bundle, {**_OF_ALL, **_imported(bundle, "x-bundle")})
        for bundle in catalog.bundles
    ]
    text = render_json("flexigpt/bundles.json.j2", BundlesView(tuple(views)))
    bundles = Artifact(f"{NAME}/tools.bundles.json", text)
    return (bundles, *_tools(catalog))


def _tools(catalog: Catalog) -> Iterator[Artifact]:
    bundles = {bundle.name: bundle for bundle in catalog.bundles}
    for tool in catalog.tools:
        bundle = bundles.get(tool.bundle or "")
        if bundle is None or not tool.is_for(NAME) or _reason_against(tool):
            continue
        view = _tool(tool)
        folder = f"{bundle.id_or_slug}_{bundle.slug}"
        file = f"{tool.slug}_{tool.version}.json"
        yield Artifact(
            f"{NAME}/{folder}/{file}", render_json("flexigpt/tool.json.j2", view)
        )


def _tool(tool: Tool) -> ToolView:
    imported = _imported(tool, "x-tool")
    of_first_versions = bool(imported) and "llmToolType" not in imported
    has_output = of_first_versions and tool.returns is not None
    http = http_implementation(tool)
    if http is not None and isinstance(tool.body, HttpBody):
        response = dict(cast("JsonObject", http.get("response", {})))
        if not of_first_versions:
            del response["encoding"]
            is_text = tool.body.response.encoding is Encoding.TEXT
            mode = "text" if is_text else imported.get(_MODE)
            response |= {_MODE: mode} if mode else {}
        http = {**http, "response": response}
    more = {key: value for key, value in imported.items() if key != _MODE}
    return ToolView(
        tool,
        more={**_OF_TOOLS, **more},
        output=tool.returns.schema if has_output and tool.returns else None,
        go=go_implementation(tool),
        http=http,
    )


def _imported(spec: Bundle | Tool, key: str) -> JsonObject:
    """Return what an import kept of a file, under the key that it keeps it."""
    kept = spec.extensions.get(key)
    entries = kept.items() if isinstance(kept, Mapping) else ()
    return {name: value for name, value in entries if name not in _WRITTEN}


EMITTER = Emitter(target_named(NAME), check, emit)
