"""Lower tools to their pages and to the index of all pages, with every text as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code, header, json_text
from brimgen.emit.docs import markdown
from brimgen.emit.projection.describe_keywords import described
from brimgen.emit.projection.examples import input_examples
from brimgen.emit.projection.schema_rows import Row, rows, type_words
from brimgen.frozen import dataclass
from brimgen.model.catalog import Returns, Tool

_JSON = Code("json")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPage:
    """The page of one tool. ``inputs`` and ``returned`` are lines of tables."""

    header: Code
    title: Code
    name: Code
    description: Code | None
    when_to_use: Code | None
    inputs: tuple[Code, ...]
    returns: Code
    returned: tuple[Code, ...]
    examples: tuple[Code, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """The list of all tools: lines of a table."""

    header: Code
    tools: tuple[Code, ...]


def lower_page(tool: Tool) -> ToolPage:
    """Return the page of ``tool``, without what is hidden from callers."""
    return ToolPage(
        header=markdown.comment(header(tool.span.file, comment="")),
        title=markdown.line(tool.title or tool.name),
        name=markdown.code(tool.name),
        description=_paragraphs(tool.description),
        when_to_use=_paragraphs(tool.when_to_use),
        inputs=tuple(_input(each) for each in rows(tool.input_schema)),
        returns=_returns(tool.returns),
        returned=_returned(tool.returns),
        examples=tuple(
            markdown.fenced(json_text({"name": tool.name, "arguments": each}), _JSON)
            for each in input_examples(tool)
        ),
    )


def lower_index(tools: Sequence[Tool]) -> IndexPage:
    """Return the index, one line per tool: its name, and the first paragraph of its
    description.
    """
    lines: list[Code] = []
    for tool in tools:
        first = (tool.description or "").strip().split("\n\n")[0]
        link = f"[{markdown.code(tool.name)}]({tool.name}.md)"
        lines.append(Code(f"| {link} | {markdown.cell(first)} |"))
    return IndexPage(header=markdown.comment(header(comment="")), tools=tuple(lines))


def _paragraphs(text: str | None) -> Code | None:
    return markdown.paragraphs(text) if text and text.strip() else None


def _input(row: Row) -> Code:
    return _cells(
        markdown.code(row.path),
        markdown.cell(row.type),
        Code("yes" if row.required else "no"),
        markdown.code(row.default),
        markdown.cell(described(row.description, row.limits) or ""),
    )


def _returns(returns: Returns | None) -> Code:
    if returns is None:
        return Code("Nothing.")
    kind = markdown.line(type_words(returns.schema, returns.schema))
    said = returns.schema.get("description")
    text = described(returns.description or said, ())
    return Code(f"{kind}: {markdown.paragraphs(text)}" if text else f"{kind}.")


def _returned(returns: Returns | None) -> tuple[Code, ...]:
    if returns is None:
        return ()
    whole = {"properties": {"": returns.schema}, "$defs": returns.schema.get("$defs")}
    inner = [each for each in rows(whole) if each.path]
    return tuple(
        _cells(
            markdown.code(each.path.removeprefix(".")),
            markdown.cell(each.type),
            markdown.cell(described(each.description, each.limits) or ""),
        )
        for each in inner
    )


def _cells(*cells: Code) -> Code:
    return Code(f"| {' | '.join(cells)} |")
