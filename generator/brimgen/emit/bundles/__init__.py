"""The bundles target: every bundle with its tools, as seed 002 lists them (F8), and a module.

Switched-off bundles and tools are listed too: only the tool sets of other targets leave them out.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.code import Code, header, py_block
from brimgen.emit.render import render
from brimgen.frozen import dataclass
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
from brimgen.model.targets import target_named

NAME = "bundles"
GO = "x-go-func"
"""The key of a tool that was written as a ``go`` document."""


_SCHEMAS = ("argSchema", "outputSchema")


@dataclass(frozen=True, slots=True)
class Listing:
    """The view of a JSON file."""

    value: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlesModule:
    """The view of ``<package>/bundles.py``."""

    header: Code
    rows: Code


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report nothing: `resolve` has told what is wrong with bundles."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``bundles.json``, each bundle in ``bundles/``, and ``<package>/bundles.py``."""
    if not catalog.bundles:
        return ()
    made = [(each.name, _bundle(each, catalog)) for each in catalog.bundles]
    listed: list[Json] = [each for _, each in made]
    module = f"python/{catalog.project.package}/bundles.py"
    return (
        Artifact(f"{NAME}.json", _listing({"bundles": listed})),
        *(Artifact(f"{NAME}/{name}.json", _listing(each)) for name, each in made),
        Artifact(module, render("bundles/bundles.py.j2", _module(listed))),
    )


def _listing(value: JsonObject) -> str:
    return render("bundles/listing.json.j2", Listing(value))


def _module(listed: list[Json]) -> BundlesModule:
    """The bundles as data of a module; their schemas are those of the tools."""
    rows = _without_schemas(listed)
    before = "_ROWS: Final[list[dict[str, Any]]] = "
    return BundlesModule(header=header(), rows=py_block(rows, before=before))


def _without_schemas(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_schemas(each) for each in value]
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in _SCHEMAS}
        return {key: _without_schemas(each) for key, each in kept.items()}
    return value


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


EMITTER = Emitter(target_named(NAME), check, emit)
