"""The OpenAI target: function descriptors for Chat Completions and for the Responses API.

Only what a model can call goes out: SQL and Python functions. Resources are read and templates
are filled in by the host program, for which OpenAI has no descriptors; MCP has. The profiles are
``openai`` (strict), ``openai_azure`` (strict, with less) and ``openai_loose``.
"""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import (
    NULL_AND_DEFAULT,
    OPENAI_DESCRIPTION_TOO_LONG,
    OPENAI_NOT_STRICT,
    OPENAI_TOO_MANY_TOOLS,
)
from brimgen.emit.openai.lower import DESCRIPTION_LIMIT, lower
from brimgen.emit.openai.profiles import PROFILES
from brimgen.emit.projection.described_tools import (
    ByProfile,
    DescribedTool,
    descriptor_target,
    report_obstacle,
)
from brimgen.emit.projection.profiles import Profile, chosen
from brimgen.emit.projection.tools import CALLABLE, target_tools
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.fields import Caller
from brimgen.model.json import JsonObject
from brimgen.model.types import JsonType, NullableType

NAME = "openai"
_NULLABLE = (NullableType, JsonType)


def _check(
    catalog: Catalog,
    tools_by_profile: ByProfile[DescribedTool],
    diagnostics: Diagnostics,
) -> None:
    """Report what a descriptor for OpenAI cannot say, at all or in strict mode."""
    tools = target_tools(catalog, NAME, CALLABLE)
    for profile in chosen(catalog.project, PROFILES):
        for tool, lowered in zip(tools, tools_by_profile[profile.name], strict=True):
            _check_strict(tool, lowered, profile, diagnostics)
            for loss in lowered.losses:
                if loss.keyword == "description" and loss.recovered_by == "none":
                    diagnostics.add(
                        OPENAI_DESCRIPTION_TOO_LONG,
                        tool.span,
                        tool=tool.name,
                        length=len(str(loss.value)),
                        limit=DESCRIPTION_LIMIT,
                    )
    _check_number(catalog, diagnostics)


def _check_number(catalog: Catalog, diagnostics: Diagnostics) -> None:
    tools = target_tools(catalog, NAME, CALLABLE)
    limits = chosen(catalog.project, PROFILES)[0].set_limits
    most = len(tools) if limits is None else limits.tools
    for tool in tools[most : most + 1]:
        diagnostics.add(OPENAI_TOO_MANY_TOOLS, tool.span, count=len(tools), limit=most)


def _check_strict(
    tool: Tool, lowered: DescribedTool, profile: Profile, diagnostics: Diagnostics
) -> None:
    report_obstacle(OPENAI_NOT_STRICT, tool, profile, lowered.obstacles, diagnostics)
    if not lowered.strict:
        return
    for field in tool.fields:
        if not isinstance(field.type, _NULLABLE) or field.default is None:
            continue
        if field.default.value is not None and isinstance(field.origin, Caller):
            diagnostics.add(
                NULL_AND_DEFAULT, field.span, tool=tool.name, name=field.name
            )


def _as_chat(responses: JsonObject) -> JsonObject:
    """Return a tool of the Responses API as Chat Completions take it: in another object, without
    the result.

    The module ``descriptors`` of a package does likewise.
    """
    kept = {k: v for k, v in responses.items() if k not in ("type", "output_schema")}
    return {"type": responses["type"], "function": kept}


EMITTER = descriptor_target(
    NAME,
    PROFILES,
    lower,
    "openai/responses.json.j2",
    forms={"chat": _as_chat, "responses": lambda responses: responses},
    check=_check,
)
"""``openai/responses.json``, an array, sorted by name; without a package, which makes one of the
other, ``openai/chat.json`` as well."""
