"""The views that the templates of MCP descriptors print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.emit.account import Loss
from brimgen.emit.indented import Written
from brimgen.frozen import dataclass
from brimgen.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """``_meta``: what brimgen says of a tool under its key, and ``own``, what the author adds."""

    version: str | None
    slug: str | None
    tags: tuple[str, ...]
    own: Mapping[str, Json]

    @property
    def has_spec(self) -> bool:
        """Whether brimgen says anything."""
        return not (self.version is None and self.slug is None and not self.tags)


@dataclass(frozen=True, slots=True)
class Annotations:
    """The hints about what a tool does; None where nothing is known."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None
    open_world: bool | None

    @property
    def is_known(self) -> bool:
        """Whether there is a hint."""
        return not (
            self.read_only is None
            and self.destructive is None
            and self.idempotent is None
            and self.open_world is None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class McpEntry:
    """What every descriptor has, and what it leaves out."""

    name: str
    title: str | None
    description: str | None
    meta: Meta | None
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpTool(McpEntry):
    """A ``Tool``; ``is_wrapped``: the result is a member of an object."""

    parameters: JsonObject
    output: JsonObject | None
    is_wrapped: bool
    annotations: Annotations


@dataclass(frozen=True, slots=True, kw_only=True)
class McpResource(McpEntry):
    """A ``ResourceTemplate``, or a ``Resource`` if its URI has no variables."""

    uri: str
    is_template: bool
    mime_type: str | None


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """An argument of a prompt, which is always a string."""

    name: str
    description: str | None
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class McpPrompt(McpEntry):
    """A ``Prompt``."""

    arguments: tuple[PromptArgument, ...]


@dataclass(frozen=True, slots=True)
class ListFile:
    """The result of a list method: its ``key``, and the texts of its descriptors."""

    key: str
    entries: Sequence[Written]
