"""Lower a tool to what its Gemini function declaration says, and what it leaves out."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery, as_losses_of
from brimgen.emit.gemini.openapi import spelt
from brimgen.emit.gemini.profiles import GEMINI, GEMINI_OPENAPI
from brimgen.emit.projection import project_output
from brimgen.emit.projection.described_tools import (
    Arguments,
    DescribedTool,
    arguments_of,
    project_arguments,
)
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.tools import full_description
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiTool(DescribedTool):
    """A tool as it is described to Gemini.

    ``parameters`` and ``response`` are said in the API's subset of OpenAPI, the others as JSON
    Schema.
    """

    parameters_json_schema: JsonObject | None = None
    response: JsonObject | None = None
    response_json_schema: JsonObject | None = None


def lower(
    tool: Tool, profile: Profile = GEMINI, arguments: Arguments | None = None
) -> GeminiTool:
    """Return what the declaration of ``tool`` says, with its ``arguments`` as they are published.

    A tool without arguments has no parameters at all: an empty object is refused.
    """
    published = (arguments or arguments_of(tool)).published
    projected, obstacles = project_arguments(
        profile, GEMINI, Arguments(published, published)
    )
    openapi = projected.profile is GEMINI_OPENAPI
    has_arguments = bool(projected.schema.get("properties"))
    response, response_json_schema, unsaid = _result(
        tool, openapi=profile is GEMINI_OPENAPI
    )
    return GeminiTool(
        name=tool.name,
        description=full_description(tool, projected.notes),
        parameters=spelt(projected.schema) if has_arguments and openapi else None,
        parameters_json_schema=(
            projected.schema if has_arguments and not openapi else None
        ),
        response=response,
        response_json_schema=response_json_schema,
        obstacles=obstacles,
        losses=as_losses_of(profile.name, (*projected.losses, *unsaid)),
    )


def _result(
    tool: Tool, *, openapi: bool
) -> tuple[JsonObject | None, JsonObject | None, tuple[Loss, ...]]:
    """Return the schema of what comes back, in OpenAPI or as JSON Schema, and what it lacks.

    What OpenAPI cannot say of a result is left out: the result itself shows it.
    """
    if tool.returns is None:
        return None, None, ()
    if not openapi:
        projection = project_output(tool.returns.schema, GEMINI, tool.name)
        return None, projection.schema, projection.losses
    projection = project_output(tool.returns.schema, GEMINI_OPENAPI, tool.name)
    if projection.obstacles:
        kind = tool.returns.schema.get("type")
        name = GEMINI_OPENAPI.name
        lost = Loss(tool.name, "", "returns", kind, name, Recovery.RESULT, "output")
        return None, None, (lost,)
    return spelt(projection.schema), None, projection.losses
