"""The bundles target: every bundle with its tools, in one file, as seed 002 lists them (F8).

Switched-off bundles and tools are listed too: only the tool sets of other targets leave them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Apart, Artifact, Emitter
from brimgen.emit.render import render
from brimgen.model.catalog import (
    Bundle,
    Catalog,
    Identity,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import HttpBody
from brimgen.model.json import Json, JsonObject

NAME = "bundles"
GO = "x-go-func"
"""The key of a tool that was written as a ``go`` document."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The view of the file."""

    value: JsonObject


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report nothing: `resolve` has told what is wrong with bundles."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``bundles.json``, where there is a bundle."""
    if not catalog.bundles:
        return ()
    listed: list[Json] = [_bundle(each, catalog) for each in catalog.bundles]
    text = render("bundles/listing.json.j2", Listing({"bundles": listed}))
    return (Artifact(PurePosixPath(f"{NAME}.json"), text),)


def _bundle(bundle: Bundle, catalog: Catalog) -> JsonObject:
    tools: list[Json] = [
        _tool(each) for each in catalog.tools if each.bundle == bundle.name
    ]
    return {
        "id": bundle.identity.id,
        "slug": bundle.slug,
        "displayName": bundle.display_name,
        **({} if bundle.description is None else {"description": bundle.description}),
        "isEnabled": bundle.enabled,
        **_times(bundle.identity),
        "tools": tools,
    }


def _tool(tool: Tool) -> JsonObject:
    returns = tool.returns
    return {
        "id": tool.identity.id,
        "slug": tool.slug,
        "version": tool.version,
        "name": tool.name,
        "displayName": tool.title or tool.name,
        **({} if tool.description is None else {"description": tool.description}),
        **({"tags": list(tool.tags)} if tool.tags else {}),
        "type": _type(tool),
        "isEnabled": tool.is_switched_on,
        "argSchema": tool.input_schema,
        **({} if returns is None else {"outputSchema": returns.schema}),
        **_times(tool.identity),
    }


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


def _times(identity: Identity) -> dict[str, Json]:
    return {"createdAt": identity.created_at, "modifiedAt": identity.modified_at}


EMITTER = Emitter(
    NAME,
    "bundles and their tools, with ids and times",
    check,
    emit,
    apart=Apart(),  # where there are bundles, every build is one of everything
)
