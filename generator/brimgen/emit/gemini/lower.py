"""Lower a tool to what its Gemini function declaration says, and what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.emit.account import Loss, Recovery, as_losses_of
from brimgen.emit.gemini.aliases import (
    AliasedArguments,
    aliased,
    text_with_aliases,
    unnamable,
)
from brimgen.emit.gemini.openapi import spelt
from brimgen.emit.gemini.profiles import GEMINI, GEMINI_OPENAPI
from brimgen.emit.projection import Obstacle, project_output
from brimgen.emit.projection.described_tools import (
    Arguments,
    DescribedTool,
    arguments_of,
    project_arguments,
)
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.tools import full_description
from brimgen.frozen import dataclass, field
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject
from brimgen_runtime.calls.aliases import Aliases


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiTool(DescribedTool):
    """A tool as it is described to Gemini.

    ``parameters`` and ``response`` are said in the API's subset of OpenAPI, the others as JSON
    Schema. ``aliases`` has the names that Gemini is told, by those that it refuses; ``places``
    says where they are. ``unnamable`` is the pointer of an object whose names can have no alias:
    such a tool is left out.
    """

    parameters_json_schema: JsonObject | None = None
    response: JsonObject | None = None
    response_json_schema: JsonObject | None = None
    aliases: Mapping[str, str] = field(default_factory=dict[str, str])
    places: Aliases | None = None
    unnamable: str | None = None


def lower(
    tool: Tool, profile: Profile = GEMINI, arguments: Arguments | None = None
) -> GeminiTool:
    """Return what the declaration of ``tool`` says, with its ``arguments`` as they are published.

    A tool without arguments has no parameters at all: an empty object is refused.
    """
    published = (arguments or arguments_of(tool)).published
    named = aliased(published, (argument.name for argument in tool.fields))
    if named is not None:
        stuck = unnamable(named)
        if stuck is not None:
            return _unsent_tool(tool, profile, stuck)
        published = named.prepared
    projected, obstacles = project_arguments(
        profile, GEMINI, Arguments(published, published)
    )
    openapi = projected.profile is GEMINI_OPENAPI
    text = full_description(tool, projected.notes)
    if named is not None and text:
        text = text_with_aliases(named.names)(text)
    has_arguments = bool(projected.schema.get("properties"))
    response, response_json_schema, unsaid = _result(
        tool, openapi=profile is GEMINI_OPENAPI
    )
    losses = projected.losses
    if named is not None:
        losses = (*_in_own_names(losses, named), *_aliases(tool, named, profile))
        obstacles = tuple(
            Obstacle(named.pointer(obstacle.pointer), obstacle.reason)
            for obstacle in obstacles
        )
    return GeminiTool(
        name=tool.name,
        description=text,
        parameters=spelt(projected.schema) if has_arguments and openapi else None,
        parameters_json_schema=(
            projected.schema if has_arguments and not openapi else None
        ),
        response=response,
        response_json_schema=response_json_schema,
        obstacles=obstacles,
        losses=as_losses_of(profile.name, (*losses, *unsaid)),
        aliases=named.names if named is not None else {},
        places=named.places if named is not None else None,
    )


def _unsent_tool(tool: Tool, profile: Profile, pointer: str) -> GeminiTool:
    """Return a tool that is not sent, with the loss that says so."""
    lost = Loss(
        tool.name, pointer, "properties", None, profile.name, Recovery.NONE, "input"
    )
    return GeminiTool(name=tool.name, losses=(lost,), unnamable=pointer)


def _in_own_names(losses: tuple[Loss, ...], named: AliasedArguments) -> Iterator[Loss]:
    """``losses`` at the places, and with the values, that the tool's own schema has."""
    for loss in losses:
        pointer = named.pointer(loss.pointer)
        value = named.value(pointer, loss.keyword, loss.value)
        yield loss._replace(pointer=pointer, value=value)


def _aliases(tool: Tool, named: AliasedArguments, profile: Profile) -> Iterator[Loss]:
    """A row for each place of a name that has an alias."""
    for pointer, name in named.refused():
        alias = named.names[name]
        yield Loss(tool.name, pointer, "name", alias, profile.name, Recovery.ALIAS)


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
    if projection.obstacles or "$defs" in projection.schema:
        kind = tool.returns.schema.get("type")
        name = GEMINI_OPENAPI.name
        lost = Loss(tool.name, "", "returns", kind, name, Recovery.RESULT, "output")
        return None, None, (lost,)
    return spelt(projection.schema), None, projection.losses
