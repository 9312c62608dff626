"""The views that the templates of MCP descriptors print."""

from __future__ import annotations

from brimgen.emit.account import Loss
from brimgen.emit.projection.described_tools import DescribedTool
from brimgen.frozen import dataclass
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True)
class Annotations:
    """The hints about what a tool does; None where nothing is known."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None

    def as_json(self) -> JsonObject | None:
        """Return the hints that are known, as a descriptor has them; None if there are none."""
        hints = {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }
        return {key: hint for key, hint in hints.items() if hint is not None} or None


@dataclass(frozen=True, slots=True, kw_only=True)
class McpEntry:
    """What every descriptor has, and what it leaves out; ``meta`` is its ``_meta``."""

    name: str
    title: str | None
    description: str | None
    meta: JsonObject | None
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool(DescribedTool):
    """A ``Tool``; ``is_wrapped``: the result is a member of an object."""

    title: str | None = None
    meta: JsonObject | None = None
    is_wrapped: bool
    annotations: JsonObject | None


@dataclass(frozen=True, slots=True, kw_only=True)
class McpResource(McpEntry):
    """A ``ResourceTemplate``, or a ``Resource`` if its URI has no variables."""

    uri: str
    is_template: bool
    mime_type: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class McpPrompt(McpEntry):
    """A ``Prompt``; its ``arguments`` are strings."""

    arguments: list[JsonObject] | None
