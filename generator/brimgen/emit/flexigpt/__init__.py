"""The FlexiGPT target: bundles and tools as the files of its tool store (seed 002; F12).

``tools.bundles.json`` is a map of bundles by id. A tool is a file of its own in the folder
``<bundle id>_<bundle slug>``. A store runs tools of the types ``go`` and ``http``, with arguments
that all come from the caller; others are left out, with a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.targets.flexigpt import NOT_IN_STORE
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.implementation import go_implementation, http_implementation
from brimgen.emit.render import render_json
from brimgen.frozen import dataclass
from brimgen.model.catalog import Bundle, Catalog, Tool
from brimgen.model.json import JsonObject
from brimgen.model.targets import target_named

NAME = "flexigpt"


@dataclass(frozen=True, slots=True)
class BundlesView:
    """The view of ``tools.bundles.json``."""

    bundles: tuple[Bundle, ...]


@dataclass(frozen=True, slots=True)
class ToolView:
    """The view of the file of a tool; one of ``go`` and ``http`` is there."""

    tool: Tool
    output: JsonObject
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
    text = render_json("flexigpt/bundles.json.j2", BundlesView(catalog.bundles))
    bundles = Artifact(f"{NAME}/tools.bundles.json", text)
    return (bundles, *_tools(catalog))


def _tools(catalog: Catalog) -> Iterator[Artifact]:
    bundles = {bundle.name: bundle for bundle in catalog.bundles}
    for tool in catalog.tools:
        bundle = bundles.get(tool.bundle or "")
        if bundle is None or not tool.is_for(NAME) or _reason_against(tool):
            continue
        view = ToolView(
            tool,
            output={} if tool.returns is None else tool.returns.schema,
            go=go_implementation(tool),
            http=http_implementation(tool),
        )
        folder = f"{bundle.id_or_slug}_{bundle.slug}"
        file = f"{tool.slug}_{tool.version}.json"
        yield Artifact(
            f"{NAME}/{folder}/{file}", render_json("flexigpt/tool.json.j2", view)
        )


EMITTER = Emitter(target_named(NAME), check, emit)
