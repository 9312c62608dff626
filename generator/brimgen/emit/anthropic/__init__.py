"""The Anthropic target: tools for the Messages API.

SQL and Python functions go out. The profile ``anthropic`` leaves ``strict`` to each tool
(``x-anthropic-strict: true``), because a request takes few strict tools; ``anthropic_strict`` asks
it of all. The API counts over all the strict tools of a request, and so does the check.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    ANTHROPIC_NOT_STRICT,
    ANTHROPIC_STRICT_SET,
    INPUT_EXAMPLE_REFUSED,
    SCHEMA_EXAMPLE_NOT_SENT,
)
from brimgen.emit.anthropic.lower import lower
from brimgen.emit.anthropic.profiles import ANTHROPIC_STRICT, PROFILES
from brimgen.emit.projection.described_tools import (
    ByProfile,
    DescribedTool,
    descriptor_target,
    report_obstacle,
)
from brimgen.emit.projection.examples import OWN, refused_examples
from brimgen.emit.projection.limits import exceeded_request_limits
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.model.catalog import Catalog, Tool

NAME = "anthropic"


def _check(
    catalog: Catalog,
    by_profile: ByProfile[DescribedTool],
    diagnostics: Diagnostics,
) -> None:
    """Report what Anthropic refuses, and what cannot be strict although it is to be."""
    tools = target_tools(catalog, NAME, CALLABLE)
    reported: set[str] = set()
    for profile in chosen(catalog.project, PROFILES):
        lowered = by_profile[profile.name]
        for tool, lowered_tool in zip(tools, lowered, strict=True):
            # Told for the first profile that asks: what stands in the way is the same for both.
            if lowered_tool.obstacles and tool.name not in reported:
                reported.add(tool.name)
                report_obstacle(
                    ANTHROPIC_NOT_STRICT,
                    tool,
                    profile,
                    lowered_tool.obstacles,
                    diagnostics,
                )
        _check_set(tools, lowered, profile, diagnostics)
    for tool in tools:
        _check_tool(tool, diagnostics)


def _check_tool(tool: Tool, diagnostics: Diagnostics) -> None:
    rule = INPUT_EXAMPLE_REFUSED if OWN in tool.extensions else SCHEMA_EXAMPLE_NOT_SENT
    for reason in refused_examples(tool):
        diagnostics.add(rule, tool.span, tool=tool.name, reason=reason)


def _check_set(
    tools: tuple[Tool, ...],
    lowered: tuple[DescribedTool, ...],
    profile: Profile,
    diagnostics: Diagnostics,
) -> None:
    limits = ANTHROPIC_STRICT.set_limits
    strict = [
        (tool, described.parameters)
        for tool, described in zip(tools, lowered, strict=True)
        if described.strict and described.parameters is not None
    ]
    if limits is None:
        return
    for place, reason in exceeded_request_limits(
        limits, (schema for _, schema in strict)
    ):
        span = strict[place][0].span
        diagnostics.add(ANTHROPIC_STRICT_SET, span, target=profile.name, reason=reason)


EMITTER = descriptor_target(
    NAME, PROFILES, lower, "anthropic/tool.json.j2", check=_check
)
"""``anthropic/tools.json``, an array, sorted by name; ``anthropic/strict/`` likewise."""
