"""The Gemini target: function declarations.

SQL and Python functions go out. The profile ``gemini`` says arguments and results as JSON Schema
(``parametersJsonSchema``), ``gemini_openapi`` in the API's subset of OpenAPI 3.0 (``parameters``).
Names that Gemini refuses have aliases, which ``<package>/gemini.py`` turns back; without a package,
``gemini/aliases.json`` lists them. Neither file is made where there are no aliases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import GEMINI_ALIAS, GEMINI_JSON_SCHEMA, GEMINI_LEFT_OUT
from brimgen.emit.account import Descriptor, Loss, Recovery, once_per_catalog
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.chosen_targets import makes
from brimgen.emit.code import Code, header
from brimgen.emit.gemini.lower import GeminiTool, lower
from brimgen.emit.gemini.profiles import PROFILES
from brimgen.emit.indented import json_file
from brimgen.emit.projection.described_tools import (
    ByProfile,
    by_profile,
    files_of,
    losses_of,
    report_obstacle,
)
from brimgen.emit.projection.profiles import chosen
from brimgen.emit.projection.tools import CALLABLE, span_at, target_tools
from brimgen.emit.render import render, render_object
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import name_fault
from brimgen.model.json import Json, JsonObject
from brimgen.model.targets import target_named
from brimgen_runtime.calls.aliases import Aliases

NAME = "gemini"
_declaration = partial(render_object, "gemini/tool.json.j2")


@once_per_catalog
def _lowered(catalog: Catalog) -> ByProfile[GeminiTool]:
    """The tools by profile, each sorted by name."""
    return by_profile(catalog, NAME, PROFILES, lower)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiModule:
    """``gemini.py``: the aliases of all tools."""

    header: Code
    aliases: JsonObject


def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report names that Gemini refuses, and what its subset of OpenAPI cannot say."""
    tools = target_tools(catalog, NAME, CALLABLE)
    reported: set[str] = set()
    for profile in chosen(catalog.project, PROFILES):
        for tool, lowered in zip(tools, _lowered(catalog)[profile.name], strict=True):
            report_obstacle(
                GEMINI_JSON_SCHEMA, tool, profile, lowered.obstacles, diagnostics
            )
            # What is no name of a field at all was refused as such.
            if tool.name not in reported and not any(
                name_fault(field.name) for field in tool.fields
            ):
                reported.add(tool.name)
                _report_names(tool, lowered, diagnostics)


def _report_names(
    tool: Tool, gemini_tool: GeminiTool, diagnostics: Diagnostics
) -> None:
    if gemini_tool.unnamable is not None:
        span = span_at(tool, gemini_tool.unnamable)
        where = f" at {gemini_tool.unnamable}" if gemini_tool.unnamable else ""
        diagnostics.add(GEMINI_LEFT_OUT, span, tool=tool.name, where=where)
    reported: set[str] = set()
    for loss in gemini_tool.losses:
        if loss.recovered_by is Recovery.ALIAS:
            alias = str(loss.value)
            name = next(k for k, v in gemini_tool.aliases.items() if v == alias)
            if name not in reported:
                reported.add(name)
                span = span_at(tool, loss.pointer)
                diagnostics.add(
                    GEMINI_ALIAS, span, tool=tool.name, name=name, alias=alias
                )


def emit(catalog: Catalog) -> Iterator[Artifact]:
    """``gemini/tools.json``, one tool that holds all declarations, sorted by name."""
    sent = _sent(catalog)
    forms = {"tools": _declaration}
    yield from files_of(catalog, NAME, PROFILES, sent, forms, _as_one_tool)
    aliases: JsonObject = {
        tool.name: _as_json(tool.places)
        for tools in sent.values()
        for tool in tools
        if tool.places is not None
    }
    if not aliases:
        return
    if not makes(catalog.project, "python"):
        yield Artifact(f"{NAME}/aliases.json", json_file(aliases))
        return
    package = f"python/{catalog.project.package}"
    view = GeminiModule(header=header(), aliases=aliases)
    yield Artifact(f"{package}/gemini.py", render("gemini/gemini.py.j2", view))


def _as_one_tool(declarations: Sequence[Json]) -> Json:
    return [{"functionDeclarations": declarations}]


def _as_json(places: Aliases) -> JsonObject:
    return cast("JsonObject", places)


def _sent(catalog: Catalog) -> ByProfile[GeminiTool]:
    """The tools that are sent, by profile."""
    return {
        profile: tuple(tool for tool in tools if tool.unnamable is None)
        for profile, tools in _lowered(catalog).items()
    }


def descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
    """The function declarations."""
    return tuple(
        Descriptor(
            profile,
            tool.name,
            _declaration(tool),
            {alias: name for name, alias in tool.aliases.items()},
        )
        for profile, tools in _sent(catalog).items()
        for tool in tools
    )


def losses(catalog: Catalog) -> tuple[Loss, ...]:
    """What the declarations of all chosen profiles leave out."""
    return losses_of(_lowered(catalog))


EMITTER = Emitter(
    target_named(NAME), check, emit, descriptors=descriptors, losses=losses
)
