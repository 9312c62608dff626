"""Lower a tool to what its OpenAI descriptors say, and what they leave out."""

from __future__ import annotations

from brimgen.emit.openai.profiles import OPENAI, OPENAI_LOOSE
from brimgen.emit.projection import Loss, Obstacle, Recovery
from brimgen.emit.projection.arguments import Arguments, arguments_of, project_arguments
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.results import describe_result
from brimgen.emit.projection.targets.lowered_tools import as_losses_of
from brimgen.emit.projection.tools import full_description, shorten_description
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject

DESCRIPTION_LIMIT = 1024
"""Characters of a tool's description that the API accepts (descriptors.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiTool:
    """One tool as it is described to OpenAI.

    ``obstacles`` are why it is not ``strict``. ``full_description`` is the text before it was
    cut to the limit.
    """

    name: str
    description: str | None
    full_description: str | None
    parameters: JsonObject
    strict: bool
    output: JsonObject | None
    obstacles: tuple[Obstacle, ...]
    losses: tuple[Loss, ...]


def lower(
    tool: Tool, profile: Profile = OPENAI, arguments: Arguments | None = None
) -> OpenAiTool:
    """``tool`` in OpenAI's words: strict where the profile is and can say its ``arguments``."""
    strict = profile if profile.plain else None
    arguments = arguments or arguments_of(tool)
    projection, obstacles = project_arguments(strict, OPENAI_LOOSE, arguments)
    full = full_description(tool, projection.notes)
    text, cuts = shorten_description(tool, full, DESCRIPTION_LIMIT, projection.profile)
    result = describe_result(tool, profile, arguments.published.cache)
    if result is not None and result.text and text:
        # Chat Completions have no other place for what comes back.
        longer = f"{text} {result.text}"
        text = longer if len(longer) <= DESCRIPTION_LIMIT else text
    losses = projection.losses
    more = cuts if result is None else (*cuts, *result.losses)
    if obstacles:
        unheld = Recovery.DECODER
        more = (
            *more,
            Loss(tool.name, "", "strict", True, profile.name, unheld, "tool"),
        )
    if more or projection.profile is not profile:
        losses = as_losses_of(profile, (*losses, *more))
    return OpenAiTool(
        name=tool.name,
        description=text,
        full_description=full,
        parameters=projection.schema,
        strict=projection.profile.plain,
        output=None if result is None else result.schema,
        obstacles=obstacles,
        losses=losses,
    )
