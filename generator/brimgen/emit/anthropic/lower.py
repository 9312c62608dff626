"""Lower a tool to what its Anthropic descriptor says, and leaves out (descriptors.md)."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery, as_losses_of
from brimgen.emit.anthropic.profiles import ANTHROPIC, ANTHROPIC_STRICT
from brimgen.emit.projection.described_tools import (
    Arguments,
    DescribedTool,
    arguments_of,
    describe,
)
from brimgen.emit.projection.examples import input_examples
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import replace
from brimgen.model.catalog import Tool

STRICT = "x-anthropic-strict"
"""The key of a tool that asks for ``strict`` in the profile that leaves it to the tools."""


def lower(
    tool: Tool, profile: Profile = ANTHROPIC, arguments: Arguments | None = None
) -> DescribedTool:
    """``tool`` in Anthropic's words, strict where that is asked for and can be."""
    asked = profile.plain or tool.extensions.get(STRICT) is True
    strict = ANTHROPIC_STRICT if asked else None
    described = describe(tool, ANTHROPIC, arguments or arguments_of(tool), strict)
    losses = [*described.losses]
    if described.obstacles:
        unheld = Recovery.DECODER
        losses.append(Loss(tool.name, "", "strict", True, "", unheld, "tool"))
    return replace(
        described,
        examples=input_examples(tool),
        losses=as_losses_of(profile.name, losses),
    )
