"""The OpenAI target: function descriptors for Chat Completions and for the Responses API.

Only what a model can call goes out: SQL and Python functions. Resources are read and templates
are filled in by the host program, for which OpenAI has no descriptors; MCP has.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.descriptors import (
    DESCRIPTION_TOO_LONG,
    NOT_STRICT,
    NULL_AND_DEFAULT,
    TOO_MANY_TOOLS,
)
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.emit.openai.lower import DESCRIPTION_LIMIT, OpenAiTool, lower
from brimgen.emit.projection.names import check_argument_names
from brimgen.emit.projection.tools import CALLABLE, carried, span_at
from brimgen.emit.render import render
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import JsonObject
from brimgen.model.types import JsonType, NullableType

NAME = "openai"
TOOLS_LIMIT = 128
"""Tools that one request takes (descriptors.md 1.1)."""


@dataclass(frozen=True, slots=True)
class OpenAiTools:
    """The view of one file: a list of descriptors."""

    tools: tuple[JsonObject, ...]


def check(catalog: Catalog, found: Diagnostics) -> None:
    """Report what OpenAI cannot be told, or not in strict mode."""
    tools = tuple(carried(catalog, NAME, CALLABLE))
    for tool in tools:
        lowered = lower(tool)
        _check_strict(tool, lowered, found)
        full = lowered.full_description or ""
        if len(full) > DESCRIPTION_LIMIT and any(
            loss.keyword == "description" and loss.recovered_by == "none"
            for loss in lowered.losses
        ):
            found.add(
                DESCRIPTION_TOO_LONG,
                tool.span,
                tool=tool.name,
                length=len(full),
                limit=DESCRIPTION_LIMIT,
            )
        check_argument_names(tool, NAME, found)
    for tool in tools[TOOLS_LIMIT : TOOLS_LIMIT + 1]:
        found.add(TOO_MANY_TOOLS, tool.span, count=len(tools), limit=TOOLS_LIMIT)


def _check_strict(tool: Tool, lowered: OpenAiTool, found: Diagnostics) -> None:
    if lowered.obstacles:
        first = lowered.obstacles[0]
        where = f" at {first.pointer}" if first.pointer else ""
        found.add(
            NOT_STRICT,
            span_at(tool, first.pointer),
            tool=tool.name,
            reason=f"{first.reason}{where}",
        )
        return
    for field in tool.caller_fields:
        default = field.default
        nullable = isinstance(field.type, NullableType | JsonType)
        if nullable and default is not None and default.value is not None:
            found.add(NULL_AND_DEFAULT, field.span, tool=tool.name, name=field.name)


def emit(catalog: Catalog) -> tuple[Artifact, ...]:
    """``openai/chat.json`` and ``openai/responses.json``, each an array, sorted by name."""
    tools = [lower(tool) for tool in carried(catalog, NAME, CALLABLE)]
    return (
        _artifact("chat", tuple(tool.chat for tool in tools)),
        _artifact("responses", tuple(tool.responses for tool in tools)),
    )


def _artifact(name: str, tools: tuple[JsonObject, ...]) -> Artifact:
    text = render("openai/tools.json.j2", OpenAiTools(tools))
    return Artifact(PurePosixPath(NAME, f"{name}.json"), text)


EMITTER = Emitter(NAME, "OpenAI function descriptors (chat, responses)", check, emit)
