"""Lower: a tool in, its Gemini function declaration out, and what it leaves out."""

from __future__ import annotations

from brimgen.emit.gemini.openapi import spelt
from brimgen.emit.projection import Loss, Obstacle, Recovery, project_output
from brimgen.emit.projection.arguments import Arguments, arguments_of, project_arguments
from brimgen.emit.projection.lowered_tools import as_losses_of
from brimgen.emit.projection.profiles import GEMINI, GEMINI_OPENAPI, Profile
from brimgen.emit.projection.tools import full_description
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiTool:
    """One tool as Gemini is told of it; ``obstacles`` are why OpenAPI cannot say its arguments."""

    name: str
    descriptor: JsonObject
    obstacles: tuple[Obstacle, ...]
    losses: tuple[Loss, ...]


def lower(
    tool: Tool, profile: Profile = GEMINI, arguments: Arguments | None = None
) -> GeminiTool:
    """The function declaration of ``tool``, with its ``arguments`` as they are published.

    A tool without arguments has no parameters at all: an empty object is refused.
    """
    published = (arguments or arguments_of(tool)).published
    said, obstacles = project_arguments(
        profile, GEMINI, Arguments(published, published)
    )
    openapi = said.profile is GEMINI_OPENAPI
    text = full_description(tool, said.notes)
    made: dict[str, Json] = {"name": tool.name}
    made.update({"description": text} if text else {})
    if said.schema.get("properties"):
        key = "parameters" if openapi else "parametersJsonSchema"
        made[key] = spelt(said.schema) if openapi else said.schema
    key, result, unsaid = _result(tool, openapi=profile is GEMINI_OPENAPI)
    if result is not None:
        made[key] = result
    return GeminiTool(
        name=tool.name,
        descriptor=made,
        obstacles=obstacles,
        losses=as_losses_of(profile, (*said.losses, *unsaid)),
    )


def _result(
    tool: Tool, *, openapi: bool
) -> tuple[str, JsonObject | None, tuple[Loss, ...]]:
    """What comes back: its key, its schema, and what the schema lacks.

    What OpenAPI cannot say of a result is left out: the result itself shows it.
    """
    if tool.returns is None:
        return "", None, ()
    if not openapi:
        said = project_output(tool.returns.schema, GEMINI, tool.name)
        return "responseJsonSchema", said.schema, said.losses
    said = project_output(tool.returns.schema, GEMINI_OPENAPI, tool.name)
    if said.obstacles or "$defs" in said.schema:
        kind = tool.returns.schema.get("type")
        name = GEMINI_OPENAPI.name
        lost = Loss(tool.name, "", "returns", kind, name, Recovery.RESULT, "output")
        return "", None, (lost,)
    return "response", spelt(said.schema), said.losses
