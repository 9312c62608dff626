"""Read the MCP descriptors of the package."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias, cast

Descriptor: TypeAlias = Mapping[str, Any]
"""One object of a list, as it was generated."""

KINDS = {
    "tools": "tools",
    "resourceTemplates": "resource_templates",
    "resources": "resources",
    "prompts": "prompts",
}
"""The names of the lists in the package, by their keys in a response."""


class Lists:
    """The four lists that a server offers, as they were generated.

    ``package`` is the name of the package. Raises RuntimeError if the files are missing: they are
    package data, which an installation may have left out.
    """

    def __init__(self, package: str) -> None:
        descriptors = import_module(".descriptors", package)
        self._lists: dict[str, list[Descriptor]] = {
            key: descriptors.mcp(kind=kind) for key, kind in KINDS.items()
        }

    @property
    def tools(self) -> Sequence[Descriptor]:
        """The tools."""
        return self._lists["tools"]

    @property
    def templates(self) -> Sequence[Descriptor]:
        """The resource templates."""
        return self._lists["resourceTemplates"]

    @property
    def resources(self) -> Sequence[Descriptor]:
        """The resources whose URI has no variables."""
        return self._lists["resources"]

    @property
    def prompts(self) -> Sequence[Descriptor]:
        """The prompts."""
        return self._lists["prompts"]

    def resource(self, name: str) -> Descriptor | None:
        """Return the resource or resource template of a name; None if there is none."""
        described = (*self.resources, *self.templates)
        return next((item for item in described if item["name"] == name), None)

    def named_by(self, uri: str) -> Descriptor | None:
        """Return the resource of a URI, or the one of a URI template; None if there is none."""
        described = (
            descriptor
            for key, items in (("uri", self.resources), ("uriTemplate", self.templates))
            for descriptor in items
            if descriptor[key] == uri
        )
        return next(described, None)

    def prompt(self, name: str) -> Descriptor | None:
        """Return the prompt of a name; None if there is none."""
        return next((prompt for prompt in self.prompts if prompt["name"] == name), None)

    def keep(self, tools: Collection[str]) -> None:
        """Keep only these tools, in the order of the list."""
        self._lists["tools"] = [tool for tool in self.tools if tool["name"] in tools]

    def items(self, key: str) -> Sequence[Descriptor]:
        """Return the items of a list by its key (``tools``)."""
        return self._lists[key]


def is_read_only(descriptor: Descriptor) -> bool:
    """Return whether a tool is declared read-only."""
    hints = cast("Mapping[str, Any]", descriptor.get("annotations", {}))
    return hints.get("readOnlyHint") is True
