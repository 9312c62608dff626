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
from brimgen.diagnostics.rules import NOT_IN_STORE
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.implementation import go_implementation, http_implementation
from brimgen.emit.indented import json_file
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
_ERRORS = "errorMode"
_OF_ANSWERS = (_MODE, _ERRORS)


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report the tools of bundles that a store cannot run, and that there is nothing to write."""
    if not catalog.bundles:
        for tool in [tool for tool in catalog.tools if tool.is_for(NAME)][:1]:
            empty = "a store has the tools of bundles, and no tool is in one"
            diagnostics.add(NOT_IN_STORE, tool.span, tool=tool.name, reason=empty)
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
    bundles: JsonObject = {b.id_or_slug: _bundle(b) for b in catalog.bundles}
    text = json_file({"bundles": bundles})
    return (Artifact(f"{NAME}/tools.bundles.json", text), *_tools(catalog))


def _bundle(bundle: Bundle) -> JsonObject:
    text = bundle.description
    return {
        "id": bundle.identity.id,
        "slug": bundle.slug,
        "displayName": bundle.display_name,
        **({} if text is None else {"description": text}),
        "isEnabled": bundle.enabled,
        **_OF_ALL,
        **_imported(bundle, "x-bundle"),
        "createdAt": bundle.identity.created_at,
        "modifiedAt": bundle.identity.modified_at,
    }


def _tools(catalog: Catalog) -> Iterator[Artifact]:
    bundles = {bundle.name: bundle for bundle in catalog.bundles}
    for tool in catalog.tools:
        bundle = bundles.get(tool.bundle or "")
        if bundle is None or not tool.is_for(NAME) or _reason_against(tool):
            continue
        folder = f"{bundle.id_or_slug}_{bundle.slug}"
        path = f"{NAME}/{folder}/{tool.slug}_{tool.version}.json"
        yield Artifact(path, json_file(_tool(tool)))


def _tool(tool: Tool) -> JsonObject:
    imported = _imported(tool, "x-tool")
    of_first_versions = bool(imported) and "llmToolType" not in imported
    output = tool.returns.schema if of_first_versions and tool.returns else None
    go, http = go_implementation(tool), http_implementation(tool)
    if http is not None and isinstance(tool.body, HttpBody):
        response = dict(cast("JsonObject", http.get("response", {})))
        if not of_first_versions:
            del response["encoding"]
            is_text = tool.body.response.encoding is Encoding.TEXT
            mode = "text" if is_text else imported.get(_MODE)
            response |= {_MODE: mode} if mode else {}
        if _ERRORS in imported:
            response.setdefault(_ERRORS, imported[_ERRORS])
        http = {**http, "response": response}
    return {
        "id": tool.identity.id,
        "slug": tool.slug,
        "version": tool.version,
        "displayName": tool.title or tool.name,
        **({} if tool.description is None else {"description": tool.description}),
        **({"tags": tool.tags} if tool.tags else {}),
        **_OF_TOOLS,
        **{key: value for key, value in imported.items() if key not in _OF_ANSWERS},
        "argSchema": tool.input_schema,
        **({} if output is None else {"outputSchema": output}),
        "type": "http" if go is None else "go",
        **({"httpImpl": http} if go is None else {"goImpl": go}),
        "isEnabled": tool.is_switched_on,
        "createdAt": tool.identity.created_at,
        "modifiedAt": tool.identity.modified_at,
    }


def _imported(spec: Bundle | Tool, key: str) -> JsonObject:
    """Return what an import kept of a file, under the key that it keeps it."""
    kept = spec.extensions.get(key)
    entries = kept.items() if isinstance(kept, Mapping) else ()
    return {name: value for name, value in entries if name not in _WRITTEN}


EMITTER = Emitter(target_named(NAME), emit, check)
