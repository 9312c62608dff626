"""Answer what may stand at the cursor, what it means, and where a name is defined."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal, TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.certain_fixes import Edit, certain_edits
from brimgen.emit.catalog_view.field_view import fields_view
from brimgen.formatting.format_spec import format_spec
from brimgen.formatting.tree import CannotFormat
from brimgen.frozen import dataclass
from brimgen.languageserver.analysis import Analysis, Region, region_at
from brimgen.languageserver.key_schemas import Cursor, Place, cursor_at, document_types
from brimgen.model.catalog import Bundle, Catalog, Entity, EnumEntity, Tool
from brimgen.model.json import JsonObject
from brimgen.model.leaves import Leaf
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field
from brimgen.source.document import SourceFile
from brimgen.syntax.decls import ToolKind

_WORD = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line; columns count from 1."""

    text: str
    start: int
    end: int


def word_at(line: str, column: int) -> Word | None:
    """The word that ``column`` is in, or right behind."""
    for match in _WORD.finditer(line):
        if match.start() < column <= match.end() + 1:
            return Word(match[0], match.start() + 1, match.end() + 1)
    return None


def find_declaration(
    catalog: Catalog, name: str
) -> Entity | EnumEntity | Leaf | Bundle | None:
    """Return the declaration that specs refer to by ``name``."""
    for group in (catalog.entities, catalog.enums, catalog.leaves):
        if name in group:
            return group[name]
    return next((bundle for bundle in catalog.bundles if bundle.name == name), None)


def field_named(tool: Tool, name: str) -> Field | None:
    """The argument of a tool that is called ``name``."""
    return next((field for field in tool.fields if field.name == name), None)


def describe_field(tool: Tool, field: Field) -> str:
    """An argument in Markdown: its type, its limits, its schema."""
    [view] = fields_view((field,), tool.bound_schema)
    state = "required" if view["required"] else "optional"
    if view["has_default"]:
        state = f"default {json.dumps(view['default'], ensure_ascii=False)}"
    if view["context_path"]:
        state = f"from the context: {'.'.join(view['context_path'])}"
    facts = "; ".join([view["type_text"], state, *view["limits"]])
    return _described(field.name, field.description, field.schema, f": {facts}")


def describe(named: Entity | EnumEntity | Leaf | Bundle) -> str:
    """An entity, enum, leaf or bundle in Markdown, with its schema."""
    kinds = {Entity: "entity", EnumEntity: "enum", Leaf: "leaf", Bundle: "bundle"}
    kind = f" ({kinds[type(named)]})"
    schema = None if isinstance(named, Bundle) else named.schema
    return _described(named.name, getattr(named, "description", None), schema, kind)


def _described(
    name: str, text: str | None, schema: JsonObject | None, facts: str = ""
) -> str:
    parts = [f"**{name}**{facts}", text, "" if schema is None else _code(schema)]
    return "\n\n".join(filter(None, parts))


def _code(schema: object) -> str:
    return f"```json\n{json.dumps(schema, ensure_ascii=False, indent=2)}\n```"


_PLACEHOLDER = re.compile(
    r"(?:(?<![:\w]):|\$\{\s*|\bargs\.)(?P<word>[\w-]*)$", re.ASCII
)
_TYPE = re.compile(r"^type:\s*[\"']?([\w-]+)", re.MULTILINE)
_TOOL_NAME = re.compile(r"^\s*name:\s*[\"']?([\w-]+)", re.MULTILINE)
_TYPES_BY_SUFFIX = {".sql": "sql_function", ".md": "template_function"}
Declaration: TypeAlias = Tool | Entity | EnumEntity | Leaf | Bundle
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
    def word(self) -> Word | None:
        """The word at the place."""
        return word_at(self.line_text, self.column)

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
            Suggestion(field.name, "argument", describe_field(tool, field))
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
    types: dict[str, str] = {}
    if place.takes_types():
        is_path = question.document_type() == ToolKind.RESOURCE
        types = {
            scalar.value: ""
            for scalar, row in SCALARS.items()
            if is_path or not row.is_path_rest
        }
    catalog = analysis.catalog
    groups = (catalog.entities, catalog.enums, catalog.leaves)
    for group in groups if types else groups[:1]:
        types |= {name: describe(value) for name, value in group.items()}
    return suggestions + [
        Suggestion(name, "type", types[name]) for name in place.names_of_types(types)
    ]


def declared_in(file: str, analysis: Analysis) -> list[Declaration]:
    """What a spec file declares, in its order: tools, entities, enums, leaves, bundles."""
    catalog = analysis.catalog
    groups = (catalog.entities, catalog.enums, catalog.leaves)
    every: list[Declaration] = [*catalog.tools, *catalog.bundles]
    every += [named for group in groups for named in group.values()]
    here = [each for each in every if each.span.file == file]
    return sorted(here, key=lambda each: (each.span.line, each.span.column))


def references(question: Question, analysis: Analysis) -> list[Span]:
    """Where the spec files say the name of the entity, enum, leaf or bundle under the cursor; of an
    argument, where its tool does. Comments and descriptions that say it count.
    """
    word = question.word
    if word is None or not analysis.is_spec(question.path):
        return []
    tool = _tool(question, analysis)
    source = analysis.source_at(question.path)
    if find_declaration(analysis.catalog, word.text) is not None:
        sources, first, last = [*analysis.sources.values()], 1, 0
    elif tool and source and field_named(tool, word.text) is not None:
        region = question.region
        sources, first, last = [source], region.first, region.last
    else:
        return []
    return [
        Span(each.name, number, found.start() + 1, number, found.end() + 1)
        for each in sources
        for number, line in enumerate(each.text.split("\n"), 1)
        if first <= number <= (last or number)
        for found in _WORD.finditer(line)
        if found[0] == word.text
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
    meant = _meant(question, word, analysis)
    return None if meant is None else meant[0]


def define(question: Question, analysis: Analysis) -> Span | None:
    """The place of the declaration that a word refers to."""
    word = question.word
    if word is None or not analysis.is_spec(question.path):
        return None
    meant = _meant(question, word, analysis)
    return None if meant is None else meant[1]


def _meant(
    question: Question, word: Word, analysis: Analysis
) -> tuple[str, Span] | None:
    """What a word names, in Markdown, and where it is declared."""
    tool = _tool(question, analysis)
    field = None if tool is None else field_named(tool, word.text)
    if tool is not None and field is not None and _is_argument(question, word):
        return describe_field(tool, field), field.span
    if tool is not None and word.text == tool.name:
        return _described(tool.name, tool.description, tool.input_schema), tool.span
    named = find_declaration(analysis.catalog, word.text)
    return None if named is None else (describe(named), named.span)


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


def _is_argument(question: Question, word: Word) -> bool:
    """Whether a word stands for an argument: a placeholder, or a key among the arguments."""
    match = _PLACEHOLDER.search(question.line_text[: word.end - 1])
    if match is not None and match["word"] == word.text:
        return True
    cursor = question.cursor(word.start)
    return cursor is not None and cursor.is_key and "arguments" in cursor.path
