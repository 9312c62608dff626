"""Texts of spec files, read into declarations, and what was told with the text it points at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brimgen.diagnostics import Diagnostic, Diagnostics, Span
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.syntax.decls import ArgumentsDecl, EntityDecl, FieldDecl, SpecSet, ToolDecl
from brimgen.syntax.documents import parse

HEAD = "type: python_function\nname: probe\n"


@dataclass(frozen=True)
class Parsed:
    """The declarations of some files, and what was found while they were read."""

    files: Mapping[str, str]
    specs: SpecSet
    diagnostics: Diagnostics

    @property
    def told(self) -> list[tuple[str, str]]:
        """The slug of every diagnostic, and the text that it points at."""
        return [(each.rule.reason, self.under(each.span)) for each in self.diagnostics]

    @property
    def only(self) -> Diagnostic:
        """The one diagnostic there is."""
        [diagnostic] = self.diagnostics
        return diagnostic

    @property
    def tool(self) -> ToolDecl:
        """The one tool there is."""
        [tool] = self.specs.tools
        return tool

    @property
    def entity(self) -> EntityDecl:
        """The one entity there is."""
        [entity] = self.specs.entities
        return entity

    @property
    def arguments(self) -> ArgumentsDecl:
        """The arguments of the one tool."""
        assert self.tool.arguments is not None
        return self.tool.arguments

    @property
    def field(self) -> FieldDecl:
        """The one argument of the one tool."""
        [field] = self.arguments.fields
        return field

    def under(self, span: Span) -> str:
        """The text of a file in a span."""
        lines = self.files[span.file].split("\n")[span.line - 1 : span.end_line]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)


def read(text: str | Mapping[str, str], *, name: str = "probe.yaml") -> Parsed:
    """Read one text, or several files by their paths below the specs folder."""
    files = {name: text} if isinstance(text, str) else text
    named = {f"specs/{path}": text for path, text in files.items()}
    diagnostics = Diagnostics()
    documents = [
        document
        for path, text in sorted(named.items())
        for document in compose(SourceFile(path, path, text), diagnostics)
    ]
    return Parsed(named, parse(documents, diagnostics), diagnostics)


def inline(entries: str) -> Parsed:
    """Read a tool whose ``inline`` holds ``entries``, a YAML text."""
    lines = "".join(f"    {line}\n" for line in entries.splitlines())
    return read(f"{HEAD}arguments:\n  inline:\n{lines}")
