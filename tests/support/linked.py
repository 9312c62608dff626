"""Texts of spec files, resolved, and what was told with the text it points at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.model.catalog import Catalog, Entity, Tool
from brimgen.model.project import Connection, Project
from brimgen.model.types import Field
from brimgen.resolve.link import resolve
from support.syntax import HEAD, Parsed, read

CONNECTIONS = {"default": Connection("sqlite", ("sqlite3",))}


@dataclass(frozen=True)
class Linked:
    """The catalog of some files, and everything that was found on the way."""

    parsed: Parsed
    catalog: Catalog
    diagnostics: Diagnostics

    @property
    def told(self) -> list[tuple[str, str]]:
        """The slug of every diagnostic, and the text that it points at."""
        return [
            (each.rule.reason, self.parsed.under(each.span))
            for each in self.diagnostics
        ]

    @property
    def slugs(self) -> list[str]:
        """The slugs of everything that was found."""
        return [each.rule.reason for each in self.diagnostics]

    @property
    def only(self) -> Diagnostic:
        """The one diagnostic there is."""
        [diagnostic] = self.diagnostics
        return diagnostic

    @property
    def tool(self) -> Tool:
        """The one tool there is; nothing must be wrong."""
        assert [] == [each.message for each in self.diagnostics]
        [tool] = self.catalog.tools
        return tool

    @property
    def properties(self) -> Any:
        """The properties of the one tool's input schema."""
        return self.tool.input_schema["properties"]

    def field(self, name: str) -> Field:
        """A field of the one tool."""
        return {each.name: each for each in self.tool.fields}[name]

    def entity(self, name: str) -> Entity:
        """An entity."""
        return self.catalog.entities[name]


def link(*texts: str, **options: Any) -> Linked:
    """Read and resolve documents, each with a file of its own; ``options`` are of `Project`."""
    files = {f"{number}.yaml": text for number, text in enumerate(texts)}
    return link_files(files, **options)


def link_files(files: Mapping[str, str], **options: Any) -> Linked:
    """Read and resolve files."""
    parsed = read(files)
    options.setdefault("connections", CONNECTIONS)
    catalog = resolve(parsed.specs, Project(**options), parsed.diagnostics)
    return Linked(parsed, catalog, parsed.diagnostics)


def tool(inline: str, *entities: str, **options: Any) -> Linked:
    """Resolve a tool whose `inline` block is ``inline``, beside ``entities``."""
    indented = "".join(f"    {line}\n" for line in inline.strip("\n").splitlines())
    return link(f"{HEAD}arguments:\n  inline:\n{indented}", *entities, **options)
