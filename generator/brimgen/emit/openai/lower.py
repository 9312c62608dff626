"""Lower: a tool in, its two OpenAI descriptors out, and what they leave out."""

from __future__ import annotations

from dataclasses import dataclass

from brimgen.emit.projection import (
    Loss,
    Obstacle,
    Recovery,
    project_input,
    project_output,
)
from brimgen.emit.projection.profiles import OPENAI, OPENAI_LOOSE
from brimgen.emit.projection.tools import shortened, told
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject

DESCRIPTION_LIMIT = 1024
"""Characters of a tool's description that the API accepts (descriptors.md 1.1)."""

SHORT_DESCRIPTION = "x-short-description"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAiTool:
    """One tool as OpenAI is told of it.

    ``obstacles`` are why it is not ``strict``. ``full_description`` is the text before it was
    cut to the limit.
    """

    name: str
    description: str | None
    full_description: str | None
    parameters: JsonObject
    strict: bool
    output: JsonObject | None
    returns: str | None
    obstacles: tuple[Obstacle, ...]
    losses: tuple[Loss, ...]

    @property
    def chat(self) -> JsonObject:
        """The descriptor for Chat Completions, where nothing but text tells what comes back."""
        text = self.description
        if text and self.returns and len(text) + len(self.returns) < DESCRIPTION_LIMIT:
            text = f"{text} {self.returns}"
        return {
            "type": "function",
            "function": {
                "name": self.name,
                **({"description": text} if text else {}),
                "parameters": self.parameters,
                "strict": self.strict,
            },
        }

    @property
    def responses(self) -> JsonObject:
        """The descriptor for the Responses API.

        ``strict`` is written in any case: left out, the API would rewrite the schema by itself.
        """
        made: dict[str, Json] = {"type": "function", "name": self.name}
        if self.description:
            made["description"] = self.description
        made |= {"parameters": self.parameters, "strict": self.strict}
        if self.output is not None:
            made["output_schema"] = self.output
        return made


def lower(tool: Tool) -> OpenAiTool:
    """``tool`` in OpenAI's words: strict where the strict subset can say its arguments."""
    projection = project_input(tool.enforced_schema, OPENAI, tool.name)
    obstacles = projection.obstacles
    if obstacles:
        projection = project_input(tool.input_schema, OPENAI_LOOSE, tool.name)
    losses = projection.losses
    full = told(tool, projection.notes)
    text = full
    if full is not None and len(full) > DESCRIPTION_LIMIT:
        short = tool.extensions.get(SHORT_DESCRIPTION)
        text = short if isinstance(short, str) and short.strip() else full
        text = shortened(text, DESCRIPTION_LIMIT)
        recovery = Recovery.TEXT if text == short else Recovery.NONE
        lost = Loss(
            tool.name, "", "description", full, projection.profile.name, recovery
        )
        losses = (*losses, lost)
    return OpenAiTool(
        name=tool.name,
        description=text,
        full_description=full,
        parameters=projection.schema,
        strict=not obstacles,
        output=_output(tool),
        returns=_returns(tool),
        obstacles=obstacles,
        losses=losses,
    )


def _output(tool: Tool) -> JsonObject | None:
    if tool.returns is None:
        return None
    return project_output(tool.returns.schema, OPENAI_LOOSE, tool.name).schema


def _returns(tool: Tool) -> str | None:
    text = (tool.returns.description or "").strip() if tool.returns else ""
    if not text:
        return None
    return text if text.casefold().startswith("return") else f"Returns: {text}"
