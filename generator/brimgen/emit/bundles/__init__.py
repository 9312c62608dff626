"""The bundles target: every bundle with its tools, as seed 002 lists them (F8), and a module.

A package has the schemas of its tools in their modules, and what runs them, so the list beside
these does not repeat them.

Switched-off bundles and tools are listed too: only the tool sets of other targets leave them out.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.code import Code, header
from brimgen.emit.implementation import (
    GO,
    go_implementation,
    http_implementation,
    own_keys,
)
from brimgen.emit.indented import Written
from brimgen.emit.render import render, render_json, render_part
from brimgen.frozen import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The schemas of a tool, and what runs it."""

    input: JsonObject
    output: JsonObject | None
    go: JsonObject | None
    http: JsonObject | None
    own: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRow:
    """A tool of a bundle; ``definition`` is None where a package has it elsewhere."""

    id: str | None
    slug: str | None
    version: str | None
    name: str
    title: str
    description: str | None
    tags: tuple[str, ...]
    type: str
    is_enabled: bool
    definition: Definition | None
    created_at: str | None
    modified_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleRow:
    """A bundle: the view of its file."""

    id: str | None
    slug: str
    title: str
    description: str | None
    is_enabled: bool
    created_at: str | None
    modified_at: str | None
    tools: tuple[ToolRow, ...]


@dataclass(frozen=True, slots=True)
class AllBundles:
    """The view of ``bundles.json``: the text of each bundle."""

    bundles: tuple[Written, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlesModule:
    """The view of ``<package>/bundles.py``."""

    header: Code


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: `resolve` reports mistakes in bundles."""


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``bundles.json``; in a package, beside the module that reads it."""
    if not catalog.bundles:
        return ()
    is_packaged = makes(catalog.project, "python")
    rows = [_bundle(bundle, catalog, is_packaged) for bundle in catalog.bundles]
    texts = tuple(render_part("bundles/bundle.json.j2", row) for row in rows)
    text = render_json("bundles/bundles.json.j2", AllBundles(texts))
    if not is_packaged:
        return (Artifact(f"{NAME}.json", text),)
    package = f"python/{catalog.project.package}"
    module = render("bundles/bundles.py.j2", BundlesModule(header=header()))
    return (
        Artifact(f"{package}/{NAME}.json", text),
        Artifact(f"{package}/{NAME}.py", module),
    )


def _bundle(bundle: Bundle, catalog: Catalog, is_packaged: bool) -> BundleRow:
    return BundleRow(
        id=bundle.identity.id,
        slug=bundle.slug,
        title=bundle.display_name,
        description=bundle.description,
        is_enabled=bundle.enabled,
        created_at=bundle.identity.created_at,
        modified_at=bundle.identity.modified_at,
        tools=tuple(
            _tool(tool, None if is_packaged else _definition(tool))
            for tool in catalog.tools
            if tool.bundle == bundle.name
        ),
    )


def _tool(tool: Tool, definition: Definition | None) -> ToolRow:
    return ToolRow(
        id=tool.identity.id,
        slug=tool.slug,
        version=tool.version,
        name=tool.name,
        title=tool.title or tool.name,
        description=tool.description,
        tags=tool.tags,
        type=_type(tool),
        is_enabled=tool.is_switched_on,
        definition=definition,
        created_at=tool.identity.created_at,
        modified_at=tool.identity.modified_at,
    )


def _definition(tool: Tool) -> Definition:
    return Definition(
        input=tool.input_schema,
        output=None if tool.returns is None else tool.returns.schema,
        go=go_implementation(tool),
        http=http_implementation(tool),
        own=own_keys(tool),
    )


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


EMITTER = Emitter(target_named(NAME), check, emit)
