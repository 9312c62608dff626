"""The OpenAI target: function descriptors for Chat Completions and for the Responses API.

Only what a model can call goes out: SQL and Python functions. Resources are read and templates
are filled in by the host program, for which OpenAI has no descriptors; MCP has. The profiles are
``openai`` (strict), ``openai_azure`` (strict, with less) and ``openai_loose``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.targets.descriptors import (
    DESCRIPTION_TOO_LONG,
    NOT_STRICT,
    NULL_AND_DEFAULT,
    TOO_MANY_TOOLS,
)
from brimgen.emit.indented import Written, json_line
from brimgen.emit.openai.lower import DESCRIPTION_LIMIT, OpenAiTool, lower
from brimgen.emit.openai.profiles import PROFILES
from brimgen.emit.projection.argument_names import check_argument_names
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.targets.descriptor_target import descriptor_target
from brimgen.emit.projection.targets.lowered_tools import report_obstacle
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.emit.render import render_part
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import Caller
from brimgen.model.types import JsonType, NullableType

NAME = "openai"
_NULLABLE = (NullableType, JsonType)


def _check(
    catalog: Catalog,
    tools_by_profile: Mapping[str, tuple[OpenAiTool, ...]],
    diagnostics: Diagnostics,
) -> None:
    """Report what a descriptor for OpenAI cannot say, at all or in strict mode."""
    tools = target_tools(catalog, NAME, CALLABLE)
    for profile in chosen(catalog.project, PROFILES):
        for tool, lowered in zip(tools, tools_by_profile[profile.name], strict=True):
            _check_strict(tool, lowered, profile, diagnostics)
            _check_description(tool, lowered, diagnostics)
    check_argument_names(tools, diagnostics)
    _check_number(catalog, diagnostics)


def _check_number(catalog: Catalog, diagnostics: Diagnostics) -> None:
    tools = target_tools(catalog, NAME, CALLABLE)
    limits = chosen(catalog.project, PROFILES)[0].set_limits
    most = len(tools) if limits is None else limits.tools
    for tool in tools[most : most + 1]:
        diagnostics.add(TOO_MANY_TOOLS, tool.span, count=len(tools), limit=most)


def _check_description(
    tool: Tool, lowered: OpenAiTool, diagnostics: Diagnostics
) -> None:
    full = lowered.full_description or ""
    if len(full) > DESCRIPTION_LIMIT and any(
        loss.keyword == "description" and loss.recovered_by == "none"
        for loss in lowered.losses
    ):
        diagnostics.add(
            DESCRIPTION_TOO_LONG,
            tool.span,
            tool=tool.name,
            length=len(full),
            limit=DESCRIPTION_LIMIT,
        )


def _check_strict(
    tool: Tool, lowered: OpenAiTool, profile: Profile, diagnostics: Diagnostics
) -> None:
    report_obstacle(NOT_STRICT, tool, profile, lowered.obstacles, diagnostics)
    if not lowered.strict:
        return
    for field in tool.fields:
        if not isinstance(field.type, _NULLABLE) or field.default is None:
            continue
        if field.default.value is not None and isinstance(field.origin, Caller):
            diagnostics.add(
                NULL_AND_DEFAULT, field.span, tool=tool.name, name=field.name
            )


def responses_form(tool: OpenAiTool) -> Written:
    """Return a tool as the Responses API takes it."""
    return render_part("openai/responses.json.j2", tool)


def chat_form(tool: OpenAiTool) -> Written:
    """Return a tool as Chat Completions take it: in another object, without the result.

    The module ``descriptors`` of a package does likewise.
    """
    function = json.loads(responses_form(tool))
    kind, _ = function.pop("type"), function.pop("output_schema", None)
    return Written(json_line({"type": kind, "function": function}))


EMITTER = descriptor_target(
    NAME,
    PROFILES,
    lower,
    {"chat": chat_form, "responses": responses_form},
    check=_check,
)
"""``openai/responses.json``, an array, sorted by name; without a package, which makes one of the
other, ``openai/chat.json`` as well."""
