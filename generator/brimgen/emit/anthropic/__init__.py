"""The Anthropic target: tools for the Messages API.

SQL and Python functions go out. The profile ``anthropic`` leaves ``strict`` to each tool
(``x-anthropic-strict: true``), because a request takes few strict tools; ``anthropic_strict`` asks
it of all. The API counts over all the strict tools of a request, and so does the check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import (
    ANTHROPIC_NOT_STRICT,
    ARGUMENT_REFUSED,
    INPUT_EXAMPLE,
    STRICT_SET_TOO_LARGE,
)
from brimgen.emit.account import Descriptor, Loss, once_per_catalog
from brimgen.emit.anthropic.lower import AnthropicTool, lower
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.projection.argument_names import is_portable
from brimgen.emit.projection.examples import wrong_with
from brimgen.emit.projection.lowered_tools import (
    by_profile,
    descriptors_of,
    files_of,
    losses_of,
    report_obstacle,
)
from brimgen.emit.projection.profiles import ANTHROPIC_STRICT, Profile, chosen
from brimgen.emit.projection.request_limits import exceeded_request_limits
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import name_fault
from brimgen.model.targets import target_named

NAME = "anthropic"


@once_per_catalog
def _lowered(catalog: Catalog) -> Mapping[str, tuple[AnthropicTool, ...]]:
    """The tools by profile, each sorted by name."""
    return by_profile(catalog, NAME, lower)


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report what Anthropic refuses, and what cannot be strict although it is to be."""
    tools = target_tools(catalog, NAME, CALLABLE)
    told: set[str] = set()
    for profile in chosen(catalog.project, NAME):
        lowered = _lowered(catalog)[profile.name]
        for tool, made in zip(tools, lowered, strict=True):
            # Told for the first profile that asks: what stands in the way is the same for both.
            if made.obstacles and tool.name not in told:
                told.add(tool.name)
                report_obstacle(
                    ANTHROPIC_NOT_STRICT, tool, profile, made.obstacles, found
                )
        _check_set(tools, lowered, profile, found)
    for tool in tools:
        _check_tool(tool, found)


def _check_tool(tool: Tool, found: Diagnostics) -> None:
    for field in tool.caller_fields:
        # What is no name of a field at all was refused as such.
        if not is_portable(field.name) and not name_fault(field.name):
            found.add(ARGUMENT_REFUSED, field.span, tool=tool.name, name=field.name)
    for reason in wrong_with(tool):
        found.add(INPUT_EXAMPLE, tool.span, tool=tool.name, reason=reason)


def _check_set(
    tools: tuple[Tool, ...],
    lowered: tuple[AnthropicTool, ...],
    profile: Profile,
    found: Diagnostics,
) -> None:
    limits = ANTHROPIC_STRICT.set_limits
    strict = [
        (tool, made.schema)
        for tool, made in zip(tools, lowered, strict=True)
        if made.strict
    ]
    if limits is None:
        return
    for place, reason in exceeded_request_limits(
        limits, (schema for _, schema in strict)
    ):
        span = strict[place][0].span
        found.add(STRICT_SET_TOO_LARGE, span, target=profile.name, reason=reason)


def emit(catalog: Catalog) -> Iterator[Artifact]:
    """``anthropic/tools.json``, an array, sorted by name; ``anthropic/strict/`` likewise."""
    return files_of(
        catalog, NAME, _lowered(catalog), {"tools": lambda each: each.descriptor}
    )


def descriptors(catalog: Catalog) -> tuple[Descriptor, ...]:
    """The tools as they are sent."""
    return descriptors_of(_lowered(catalog), lambda each: each.descriptor)


def losses(catalog: Catalog) -> tuple[Loss, ...]:
    """What the descriptors of all chosen profiles leave out."""
    return losses_of(_lowered(catalog))


EMITTER = Emitter(
    target_named(NAME), check, emit, descriptors=descriptors, losses=losses
)
