"""Project the result of a tool to a profile, as a schema or in words."""

from __future__ import annotations

from brimgen.emit.account import Loss, Recovery
from brimgen.emit.projection import as_object, project_output
from brimgen.emit.projection.ledger import ProjectionCache
from brimgen.emit.projection.profiles import Profile
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a tool: its schema, the author's sentence about it, and what the schema
    lacks.

    ``in_object`` is the schema where only objects come back: itself, or that of one with it as
    its ``result``.
    """

    schema: JsonObject
    in_object: JsonObject
    text: str | None
    losses: tuple[Loss, ...]

    @property
    def is_wrapped(self) -> bool:
        """Whether ``in_object`` has the result as a property."""
        return self.in_object is not self.schema


def describe_result(
    tool: Tool, profile: Profile, cache: ProjectionCache
) -> Result | None:
    """Return the result of ``tool``; None where it returns nothing. Equal ones are projected
    once.
    """
    if tool.returns is None:
        return None
    schema, before = tool.returns.schema, cache.of(profile).results
    cached = before.get(id(schema))
    if cached is None:
        text = repr(schema)
        cached = before.get(text)
        if cached is None:
            projected = project_output(schema, profile, tool.name, cache.most_tokens)
            cached = before[text] = schema, projected, as_object(projected.schema)
        before[id(schema)] = schema, *cached[1:]
    _, projection, in_object = cached
    losses = tuple([loss._replace(tool=tool.name) for loss in projection.losses])
    return Result(projection.schema, in_object, _sentence(tool), losses)


def unsaid_result(tool: Tool, profile: Profile) -> tuple[str | None, tuple[Loss, ...]]:
    """Describe the result in words for a profile that has no schema of results, with the loss.

    The value of the loss is the type of the result alone: its whole schema is published anyway.
    """
    if tool.returns is None:
        return None, ()
    text = _sentence(tool)
    recovery = Recovery.RESULT if text is None else Recovery.TEXT
    kind = tool.returns.schema.get("type")
    loss = Loss(tool.name, "", "returns", kind, profile.name, recovery, "output")
    return text, (loss,)


def _sentence(tool: Tool) -> str | None:
    text = (tool.returns.description or "").strip() if tool.returns else ""
    if not text:
        return None
    return text if text.casefold().startswith("return") else f"Returns: {text}"
