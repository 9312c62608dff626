"""Lower a tool to what its OpenAI descriptors say, and what they leave out."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery, as_losses_of
from brimgen.emit.openai.profiles import OPENAI, OPENAI_LOOSE
from brimgen.emit.projection.described_tools import (
    Arguments,
    DescribedTool,
    arguments_of,
    describe_result,
    is_read_leniently,
    is_worth_its_price,
    project_arguments,
    unsaid_result,
)
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.tools import full_description, shorten_description
from brimgen.model.catalog import Tool

DESCRIPTION_LIMIT = 1024
"""Characters of a tool's description that the API accepts (descriptors.md)."""


def lower(
    tool: Tool, profile: Profile = OPENAI, arguments: Arguments | None = None
) -> DescribedTool:
    """``tool`` in OpenAI's words: strict where the profile is and can say its ``arguments``."""
    strict = profile if profile.plain else None
    arguments = arguments or arguments_of(tool)
    projection, obstacles = project_arguments(strict, OPENAI_LOOSE, arguments)
    full = full_description(tool, projection.notes)
    text, cuts = shorten_description(tool, full, DESCRIPTION_LIMIT, projection.profile)
    said, unsaid = unsaid_result(tool, profile)
    output = result = None
    if not is_read_leniently(tool):
        result = describe_result(tool, profile)
    if result is not None and is_worth_its_price(projection.schema, result.schema):
        output, unsaid = result.schema, result.losses
    if said and text:
        # Chat Completions have no other place for what comes back.
        longer = f"{text} {said}"
        text = longer if len(longer) <= DESCRIPTION_LIMIT else text
    losses = [*projection.losses, *cuts, *unsaid]
    if obstacles:
        unheld = Recovery.DECODER
        losses.append(Loss(tool.name, "", "strict", True, "", unheld, "tool"))
    return DescribedTool(
        name=tool.name,
        description=text,
        parameters=projection.schema,
        strict=projection.profile.plain,
        output=output,
        obstacles=obstacles,
        losses=as_losses_of(profile.name, losses),
    )
