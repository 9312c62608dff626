"""Texts of specs, resolved, and the slugs of what was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from brimgen.api import Diagnostics
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.project import Connection, Project
from brimgen.resolve.link import resolve
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.syntax.documents import parse

CONNECTIONS = {"default": Connection("sqlite", ("sqlite3",))}
HEAD = "type: python_function\nname: probe\n"


@dataclass(frozen=True)
class Linked:
    """The catalog of some specs, and everything that was found on the way."""

    catalog: Catalog
    diagnostics: Diagnostics

    @property
    def slugs(self) -> list[str]:
        """The slugs of everything that was found."""
        return [each.rule.reason for each in self.diagnostics]

    @property
    def tool(self) -> Tool:
        """The one tool there is; nothing must be wrong."""
        assert [] == [each.message for each in self.diagnostics]
        [tool] = self.catalog.tools
        return tool


def link(*texts: str, **options: Any) -> Linked:
    """Read and resolve documents, each with a file of its own; ``options`` are of `Project`."""
    diagnostics = Diagnostics()
    named = ((f"specs/{number}.yaml", text) for number, text in enumerate(texts))
    documents = [
        document
        for path, text in named
        for document in compose(SourceFile(path, path, text), diagnostics)
    ]
    options.setdefault("connections", CONNECTIONS)
    catalog = resolve(parse(documents, diagnostics), Project(**options), diagnostics)
    return Linked(catalog, diagnostics)


def tool(inline: str, *entities: str, **options: Any) -> Linked:
    """Resolve a tool whose `inline` block is ``inline``, beside ``entities``."""
    indented = "".join(f"    {line}\n" for line in inline.strip("\n").splitlines())
    return link(f"{HEAD}arguments:\n  inline:\n{indented}", *entities, **options)
