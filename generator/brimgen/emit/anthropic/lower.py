"""Lower a tool to what its Anthropic descriptor says, and leaves out (descriptors.md)."""

from __future__ import annotations

from brimgen.emit.anthropic.profiles import ANTHROPIC, ANTHROPIC_STRICT
from brimgen.emit.projection import Loss, Obstacle, Recovery
from brimgen.emit.projection.arguments import Arguments, arguments_of
from brimgen.emit.projection.examples import input_examples
from brimgen.emit.projection.profiles import Profile
from brimgen.emit.projection.targets.descriptor_target import describe
from brimgen.emit.projection.targets.lowered_tools import as_losses_of
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject

STRICT = "x-anthropic-strict"
"""The key of a tool that asks for ``strict`` in the profile that leaves it to the tools."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicTool:
    """One tool as it is described to Anthropic; ``obstacles`` are why it is not ``strict``."""

    name: str
    description: str | None
    schema: JsonObject
    strict: bool
    examples: tuple[JsonObject, ...]
    obstacles: tuple[Obstacle, ...]
    losses: tuple[Loss, ...]


def lower(
    tool: Tool, profile: Profile = ANTHROPIC, arguments: Arguments | None = None
) -> AnthropicTool:
    """``tool`` in Anthropic's words, strict where that is asked for and can be."""
    asked = profile.plain or tool.extensions.get(STRICT) is True
    strict = ANTHROPIC_STRICT if asked else None
    description = describe(tool, ANTHROPIC, arguments or arguments_of(tool), strict)
    not_strict = Loss(
        tool.name, "", "strict", True, profile.name, Recovery.DECODER, "tool"
    )
    lost = (*description.losses, *([not_strict] if description.obstacles else []))
    return AnthropicTool(
        name=tool.name,
        description=description.description,
        schema=description.schema,
        strict=description.strict,
        examples=input_examples(tool),
        obstacles=description.obstacles,
        losses=as_losses_of(profile, lost),
    )
