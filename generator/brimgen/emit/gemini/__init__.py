"""The Gemini target: function declarations.

SQL and Python functions go out. The profile ``gemini`` says arguments and results as JSON Schema
(``parametersJsonSchema``), ``gemini_openapi`` in the API's subset of OpenAPI 3.0 (``parameters``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import NOT_IN_OPENAPI
from brimgen.emit.account import Descriptor, Loss, once_per_catalog
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.gemini.lower import GeminiTool, lower
from brimgen.emit.projection.argument_names import all_names, is_plain, refuse_name
from brimgen.emit.projection.lowered_tools import (
    by_profile,
    descriptors_of,
    files_of,
    losses_of,
    report_obstacle,
)
from brimgen.emit.projection.prepared_tools import prepared_tools
from brimgen.emit.projection.profiles import chosen
from brimgen.emit.projection.tools import CALLABLE, carried, span_at
from brimgen.model.catalog import Catalog

NAME = "gemini"


@once_per_catalog
def _lowered(catalog: Catalog) -> Mapping[str, tuple[GeminiTool, ...]]:
    """The tools by profile, each sorted by name."""
    return by_profile(catalog, NAME, lower)


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report names that Gemini refuses, and what its subset of OpenAPI cannot say."""
    tools = carried(catalog, NAME, CALLABLE)
    for profile in chosen(catalog.project, NAME):
        for tool, made in zip(tools, _lowered(catalog)[profile.name], strict=True):
            report_obstacle(NOT_IN_OPENAPI, tool, profile, made.obstacles, found)
    prepared = prepared_tools(catalog)
    for tool in tools:
        arguments = prepared.of(tool).published
        for pointer, name in all_names(arguments.body, arguments.definitions):
            if not is_plain(name):
                refuse_name(tool, name, span_at(tool, pointer), found)


def emit(catalog: Catalog) -> Iterator[Artifact]:
    """``gemini/tools.json``, one tool that holds all declarations, sorted by name."""
    return files_of(
        catalog,
        NAME,
        _lowered(catalog),
        {"tools": lambda each: each.descriptor},
        lambda tools: [{"functionDeclarations": tools}],
    )


def descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
    """The function declarations."""
    return descriptors_of(_lowered(catalog), lambda each: each.descriptor)


def losses(catalog: Catalog) -> tuple[Loss, ...]:
    """What the declarations of all chosen profiles leave out."""
    return losses_of(_lowered(catalog))


EMITTER = Emitter(
    NAME,
    "Gemini function declarations",
    check,
    emit,
    default=False,
    descriptors=descriptors,
    losses=losses,
)
