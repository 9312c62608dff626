"""Answer what an editor asks: completion, hover, definition, corrections."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.certain_fixes import Edit, certain_edits
from brimgen.formatting.format_spec import format_spec
from brimgen.formatting.tree import CannotFormat
from brimgen.frozen import dataclass
from brimgen.languageserver import names
from brimgen.languageserver.analysis import Analysis, Region, region_at
from brimgen.languageserver.cursor import Cursor, cursor_at
from brimgen.languageserver.key_schemas import Place, document_types
from brimgen.model.catalog import Tool
from brimgen.model.types import Scalar
from brimgen.source.document import SourceFile

_PLACEHOLDER = re.compile(
    r"(?:(?<![:\w]):|\$\{\s*|\bargs\.)(?P<word>[\w-]*)$", re.ASCII
)
_TYPE = re.compile(r"^type:\s*[\"']?([\w-]+)", re.MULTILINE)
_TOOL_NAME = re.compile(r"^\s*name:\s*[\"']?([\w-]+)", re.MULTILINE)
_TYPES_BY_SUFFIX = {".sql": "sql_function", ".md": "template_function"}
Kind: TypeAlias = Literal["key", "type", "word", "argument"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One completion: what is inserted, what kind of name it is, and what it means."""

    label: str
    kind: Kind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A place in a spec file as it is in the editor; ``line`` and ``column`` count from 1."""

    path: Path
    text: str
    line: int
    column: int

    @property
    def region(self) -> Region:
        """The spec that the place is in."""
        return region_at(self.path.name, self.text, self.line)

    @property
    def line_text(self) -> str:
        """The line."""
        return self.text.split("\n")[self.line - 1]

    @property
    def word(self) -> names.Word | None:
        """The word at the place."""
        return names.word_at(self.line_text, self.column)

    def cursor(self, column: int | None = None) -> Cursor | None:
        """The cursor of this place in the YAML."""
        return cursor_at(self.text, self.region, self.line, column or self.column)

    def document_type(self) -> str | None:
        """The `type` of the spec, or the type that its suffix stands for."""
        written = self.declared(_TYPE)
        return written or _TYPES_BY_SUFFIX.get(self.path.suffix.casefold())

    def declared(self, key: re.Pattern[str]) -> str | None:
        """The value of a top-level key, found by pattern: the spec may be invalid."""
        region = self.region
        lines = self.text.split("\n")[region.first - 1 : region.last_of_yaml]
        match = key.search("\n".join(lines))
        return match[1] if match else None


def complete(question: Question, analysis: Analysis) -> list[Suggestion]:
    """What may be written at a place: placeholders, keys, types, entities, words."""
    if not analysis.is_spec(question.path):
        return []
    before = question.line_text[: question.column - 1]
    tool = analysis.tools.get(question.declared(_TOOL_NAME) or "")
    if tool is not None and _PLACEHOLDER.search(before):
        return [
            Suggestion(field.name, "argument", names.describe_field(tool, field))
            for field in tool.fields
        ]
    cursor = question.cursor()
    if cursor is None:
        return []
    place = Place(cursor, question.document_type())
    if cursor.is_key:
        return [Suggestion(key, "key", text) for key, text in place.keys().items()]
    if cursor.path == ("type",):
        return [
            Suggestion(word, "word", text) for word, text in document_types().items()
        ]
    suggestions = [Suggestion(word, "word") for word in place.words()]
    if place.takes_types():
        suggestions += [Suggestion(scalar.value, "type") for scalar in Scalar]
        suggestions += [Suggestion(word, "type") for word in ("object", "array")]
    if place.takes_entities():
        suggestions += _named_types(analysis, leaves=place.takes_types())
    unique = {suggestion.label: suggestion for suggestion in suggestions}
    return [*unique.values()]


def _named_types(analysis: Analysis, *, leaves: bool) -> list[Suggestion]:
    catalog = analysis.catalog
    groups = [catalog.entities, *((catalog.enums, catalog.leaves) if leaves else ())]
    return [
        Suggestion(name, "type", names.describe(value))
        for group in groups
        for name, value in group.items()
    ]


def hover(question: Question, analysis: Analysis) -> str | None:
    """What a word means, in Markdown: an entity, an argument, a tool, or a key."""
    word = question.word
    if word is None or not analysis.is_spec(question.path):
        return None
    cursor = question.cursor(word.start)
    if cursor is not None and cursor.is_key:
        text = Place(cursor, question.document_type()).description(word.text)
        if text is not None:
            return f"**{word.text}**: {text}"
    tool = _tool(question, analysis)
    field = None if tool is None else names.field_named(tool, word.text)
    if tool is not None and field is not None and _is_argument(question, word, cursor):
        return names.describe_field(tool, field)
    if tool is not None and word.text == tool.name:
        return names.describe_tool(tool)
    named = names.find_declaration(analysis.catalog, word.text)
    return None if named is None else names.describe(named)


def define(question: Question, analysis: Analysis) -> Span | None:
    """The place of the declaration that a word refers to."""
    word = question.word
    if word is None or not analysis.is_spec(question.path):
        return None
    tool = _tool(question, analysis)
    field = None if tool is None else names.field_named(tool, word.text)
    if field is not None and _is_argument(question, word, question.cursor(word.start)):
        return field.span
    named = names.find_declaration(analysis.catalog, word.text)
    return None if named is None else named.span


def corrections(analysis: Analysis, path: Path) -> list[Edit]:
    """The corrections of a file that are certain."""
    source = analysis.source_at(path)
    if source is None:
        return []
    diagnostics = [
        diagnostic
        for diagnostic in analysis.diagnostics
        if diagnostic.span.file == source.name
    ]
    return certain_edits(diagnostics, source.text.split("\n"))


def formatted(path: Path, text: str, analysis: Analysis) -> str | None:
    """The text in the one style; None where it has errors or a rare form of YAML, or is no spec."""
    if not analysis.is_spec(path):
        return None
    try:
        return format_spec(SourceFile(path.name, str(path), text), Diagnostics())
    except CannotFormat:
        return None


def _tool(question: Question, analysis: Analysis) -> Tool | None:
    source = analysis.source_at(question.path)
    return None if source is None else analysis.tool_in(source.name, question.region)


def _is_argument(question: Question, word: names.Word, cursor: Cursor | None) -> bool:
    """Whether a word stands for an argument: a placeholder, or a key among the arguments."""
    before = question.line_text[: word.end - 1]
    match = _PLACEHOLDER.search(before)
    if match is not None and match["word"] == word.text:
        return True
    return cursor is not None and cursor.is_key and "arguments" in cursor.path
