"""The bundles target: every bundle with its tools, as seed 002 lists them (F8), and a module.

A package has the schemas of its tools in their modules, and what runs them, so the list beside
these does not repeat them.

Switched-off bundles and tools are listed too: only the tool sets of other targets leave them out.
"""

from __future__ import annotations

from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.implementation import (
    GO,
    go_implementation,
    http_implementation,
    own_keys,
)
from brimgen.emit.indented import json_file
from brimgen.emit.render import package_module
from brimgen.model.catalog import (
    Bundle,
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_named

NAME = "bundles"


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``bundles.json``; in a package, beside the module that reads it."""
    if not catalog.bundles:
        return ()
    is_packaged = makes(catalog.project, "python")
    bundles = [_bundle(bundle, catalog, is_packaged) for bundle in catalog.bundles]
    text = json_file({"bundles": bundles})
    if not is_packaged:
        return (Artifact(f"{NAME}.json", text),)
    return (
        Artifact(f"python/{catalog.project.package}/{NAME}.json", text),
        package_module(catalog, "bundles/bundles.py.j2"),
    )


def _bundle(bundle: Bundle, catalog: Catalog, is_packaged: bool) -> JsonObject:
    text = bundle.description
    tools = [tool for tool in catalog.tools if tool.bundle == bundle.name]
    return {
        "id": bundle.identity.id,
        "slug": bundle.slug,
        "displayName": bundle.display_name,
        **({} if text is None else {"description": text}),
        "isEnabled": bundle.enabled,
        "createdAt": bundle.identity.created_at,
        "modifiedAt": bundle.identity.modified_at,
        "tools": [_tool(tool, is_packaged) for tool in tools],
    }


def _tool(tool: Tool, is_packaged: bool) -> JsonObject:
    return {
        "id": tool.identity.id,
        "slug": tool.slug,
        "version": tool.version,
        "name": tool.name,
        "displayName": tool.title or tool.name,
        **({} if tool.description is None else {"description": tool.description}),
        **({"tags": tool.tags} if tool.tags else {}),
        "type": _type(tool),
        "isEnabled": tool.is_switched_on,
        **({} if is_packaged else _definition(tool)),
        "createdAt": tool.identity.created_at,
        "modifiedAt": tool.identity.modified_at,
    }


def _definition(tool: Tool) -> JsonObject:
    """Return the schemas of a tool, and what runs it, which a package has elsewhere."""
    parts = {
        "argSchema": tool.input_schema,
        "outputSchema": None if tool.returns is None else tool.returns.schema,
        "goImpl": go_implementation(tool),
        "httpImpl": http_implementation(tool),
        "x-brimgen": own_keys(tool) or None,
    }
    return {key: part for key, part in parts.items() if part is not None}


def _type(tool: Tool) -> str:
    """What runs it: ``go`` and ``http`` are the seed's words (S2.2), the others ours."""
    match tool.body:
        case HttpBody():
            return "http"
        case PythonBody():
            return "go" if GO in tool.extensions else "python"
        case SqlBody():
            return "sql"
        case TemplateBody():
            return "template"
        case ResourceBody():
            return "resource"


EMITTER = Emitter(target_named(NAME), emit)
