"""The Gemini target: function declarations.

SQL and Python functions go out. The profile ``gemini`` says arguments and results as JSON Schema
(``parametersJsonSchema``), ``gemini_openapi`` in the API's subset of OpenAPI 3.0 (``parameters``).
"""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import GEMINI_JSON_SCHEMA
from brimgen.emit.gemini.lower import GeminiTool, lower
from brimgen.emit.gemini.profiles import PROFILES
from brimgen.emit.projection.described_tools import (
    ByProfile,
    descriptor_target,
    report_obstacle,
)
from brimgen.emit.projection.profiles import chosen
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.model.catalog import Catalog
from brimgen.model.json import Json

NAME = "gemini"


def _check(
    catalog: Catalog, described: ByProfile[GeminiTool], diagnostics: Diagnostics
) -> None:
    """Report what the API's subset of OpenAPI cannot say."""
    tools = target_tools(catalog, NAME, CALLABLE)
    for profile in chosen(catalog.project, PROFILES):
        for tool, lowered in zip(tools, described[profile.name], strict=True):
            report_obstacle(
                GEMINI_JSON_SCHEMA, tool, profile, lowered.obstacles, diagnostics
            )


def _as_one_tool(declarations: Sequence[Json]) -> Json:
    return [{"functionDeclarations": declarations}]


EMITTER = descriptor_target(
    NAME, PROFILES, lower, "gemini/tool.json.j2", check=_check, whole=_as_one_tool
)
"""``gemini/tools.json``, one tool that holds all declarations, sorted by name."""
