"""Lower tools to their pages and to the index of all pages, with every text as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit import markdown
from brimgen.emit.code import Code, header, json_text
from brimgen.emit.projection.describe_keywords import described
from brimgen.emit.projection.examples import input_examples
from brimgen.emit.projection.schema_rows import Row, rows, type_words
from brimgen.emit.projection.tools import call_terms
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, Returns, Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRow:
    """A row of a table: an input, or a part of what is returned."""

    name: Code
    type: Code
    required: Code
    default: Code
    description: Code


@dataclass(frozen=True, slots=True)
class ReturnsText:
    """What a tool returns: its type, and what is said of it."""

    type: Code
    description: Code | None


@dataclass(frozen=True, slots=True)
class Example:
    """An example call as JSON, and the fence around it."""

    call: Code
    fence: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPage:
    """The page of one tool, all of it Markdown."""

    header: Code
    title: Code
    name: Code
    description: Code | None
    when_to_use: Code | None
    terms: tuple[Code, ...]
    inputs: tuple[PageRow, ...]
    returns: ReturnsText | None
    returned: tuple[PageRow, ...]
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class IndexRow:
    """A tool in the index: its name, its page, and the first paragraph of its description."""

    name: Code
    file: Code
    description: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """The list of all tools."""

    header: Code
    tools: tuple[IndexRow, ...]


def lower_page(catalog: Catalog, tool: Tool) -> ToolPage:
    """Return the page of ``tool``, without what is hidden from callers."""
    return ToolPage(
        header=_header(tool.span.file),
        title=markdown.line(tool.title or tool.name),
        name=markdown.code(tool.name),
        description=_paragraphs(tool.description),
        when_to_use=_paragraphs(tool.when_to_use),
        terms=tuple(map(markdown.line, call_terms(catalog, tool))),
        inputs=tuple(_row(row, row.path) for row in rows(tool.input_schema)),
        returns=_returns(tool.returns),
        returned=_returned(tool.returns),
        examples=tuple(
            _example(json_text({"name": tool.name, "arguments": input_example}))
            for input_example in input_examples(tool)
        ),
    )


def lower_index(tools: Sequence[Tool]) -> IndexPage:
    """Return the index of ``tools``."""
    return IndexPage(
        header=_header(),
        tools=tuple(
            IndexRow(
                markdown.code(tool.name),
                Code(f"{tool.name}.md"),
                markdown.cell((tool.description or "").strip().split("\n\n")[0]),
            )
            for tool in tools
        ),
    )


def _header(file: str | None = None) -> Code:
    return markdown.comment(header(file, comment=""))


def _example(text: str) -> Example:
    shown = markdown.without_controls(text)
    return Example(shown, markdown.fence(shown))


def _paragraphs(text: str | None) -> Code | None:
    return markdown.paragraphs(text) if text and text.strip() else None


def _row(row: Row, path: str) -> PageRow:
    return PageRow(
        name=markdown.code(path),
        type=markdown.cell(row.type),
        required=Code("yes" if row.required else "no"),
        default=markdown.code(row.default),
        description=markdown.cell(described(row.description, row.limits) or ""),
    )


def _returns(returns: Returns | None) -> ReturnsText | None:
    if returns is None:
        return None
    kind = markdown.line(type_words(returns.schema, returns.schema))
    description = returns.schema.get("description")
    text = described(returns.description or description, ())
    return ReturnsText(kind, markdown.paragraphs(text) if text else None)


def _returned(returns: Returns | None) -> tuple[PageRow, ...]:
    if returns is None:
        return ()
    whole = {"properties": {"": returns.schema}, "$defs": returns.schema.get("$defs")}
    return tuple(
        _row(row, row.path.removeprefix(".")) for row in rows(whole) if row.path
    )
