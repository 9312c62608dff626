"""Compare the pages for people with the specs: Markdown pages of tools, and the HTML catalogue."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from brimgen.agreement.ledger_file import parsed
from brimgen.agreement.report import Fault, entry_faults
from brimgen.agreement.stated_limits import holds_words
from brimgen.agreement.table_laws import Row, argument_faults, result_faults
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.json import is_list, is_object

PAGES = "docs"
CATALOGUE = "catalogue"
ALL_TOOLS = "catalogue/index.html"
_CELLS = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(`+) ?(.*?) ?\1")
_DATA = re.compile(
    r'<script type="application/json" id="catalog">(.*?)</script>', re.DOTALL
)


def page_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """Yield where pages differ from the specs."""
    for tool in catalog.tools:
        path = f"docs/tools/{tool.name}.md"
        if path in files:
            for says in _page_faults(tool, files[path]):
                yield Fault(tool, PAGES, path, says)
    yield from _index_faults(catalog, files)
    yield from _catalogue_faults(catalog, files)


def _page_faults(tool: Tool, page: str) -> Iterator[str]:
    text = _plain(page)
    if f"`{tool.name}`" not in page:
        yield "does not say the name of the tool"
    for words, name in (
        (tool.description, "description"),
        (tool.when_to_use, "`when_to_use`"),
    ):
        if not holds_words(text, words):
            yield f"does not say the {name} of the spec"
    tables = _tables(page)
    rows = [
        Row(
            path=_code(cells[0]),
            type=_plain(cells[1]),
            required={"yes": True, "no": False}.get(cells[2]),
            default=_code(cells[3]),
            text=_plain(cells[4]),
        )
        for cells in tables.get("Inputs", ())
        if len(cells) == 5
    ]
    yield from argument_faults(tool.input_schema, rows)
    if tool.returns is not None:
        rows = [
            Row(path=_code(cells[0]), type=_plain(cells[1]), text=_plain(cells[2]))
            for cells in tables.get("Returns", ())
            if len(cells) == 3
        ]
        yield from result_faults(tool.returns.schema, rows)


def _tables(page: str) -> dict[str, list[list[str]]]:
    """The cells of the tables of a page, by the headings that they stand below."""
    tables: dict[str, list[list[str]]] = {}
    heading = ""
    for line in page.split("\n"):
        if line.startswith("## "):
            heading = line[3:]
        elif line.startswith("| ") and not line.startswith(("| Name |", "| --- |")):
            cells = [cell.strip() for cell in _CELLS.split(line)[1:-1]]
            tables.setdefault(heading, []).append(cells)
    return tables


def _code(cell: str) -> str:
    """The text of a cell that is all code."""
    match = _CODE.fullmatch(cell)
    return match[2].replace("\\|", "|") if match else _plain(cell)


def _plain(text: str) -> str:
    """The text that a reader of Markdown sees."""
    text = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text.replace("<br>", "\n"))
    return html.unescape(text)


def index_file(catalog: Catalog) -> str:
    """The list of the pages: ``index.md``, unless that is the page of a tool."""
    is_taken = any(tool.name.casefold() == "index" for tool in catalog.tools)
    return f"docs/tools/{'README' if is_taken else 'index'}.md"


def _index_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """The index lists each tool that has a page."""
    path = index_file(catalog)
    index = files.get(path)
    for tool in catalog.tools if index is not None else ():
        has_page = f"docs/tools/{tool.name}.md" in files
        if has_page and f"[`{tool.name}`]({tool.name}.md)" not in (index or ""):
            yield Fault(tool, PAGES, path, "does not list the tool")


def _catalogue_faults(catalog: Catalog, files: Mapping[str, str]) -> Iterator[Fault]:
    """The page has each tool in its data, as the spec has it."""
    if ALL_TOOLS in files:
        listed = dict(_catalogue_entries(files[ALL_TOOLS]))
        place = (CATALOGUE, ALL_TOOLS, "the tool")
        for tool in catalog.tools:
            entry = listed.get(tool.name)
            yield from entry_faults(tool, place, entry, _entry_faults)


def _catalogue_entries(page: str) -> Iterator[tuple[str, Any]]:
    """What the data of the page says of tools, by their names; nothing if there is no data."""
    data = _DATA.search(page)
    value = parsed(data[1]) if data else None
    entries = value.get("tools") if is_object(value) else None
    for entry in entries if is_list(entries) else ():
        if is_object(entry) and is_object(entry.get("about")):
            yield str(entry["about"].get("name")), entry


def _entry_faults(tool: Tool, entry: Any) -> Iterator[str]:
    about = entry["about"]
    for key, wanted in (
        ("description", tool.description),
        ("when_to_use", tool.when_to_use),
        ("version", tool.version),
        ("bundle", tool.bundle),
    ):
        if (about.get(key) or None) != (wanted or None):
            yield f"says another {key} than the spec"
    yield from argument_faults(tool.input_schema, [*_listed(about.get("inputs"))])
    if tool.returns is not None:
        yield from result_faults(tool.returns.schema, [*_listed(about.get("outputs"))])


def _listed(rows: Any) -> Iterator[Row]:
    for row in rows if is_list(rows) else ():
        if is_object(row):
            limits = row.get("limits", ())
            yield Row(
                path=str(row.get("path")),
                type=str(row.get("type_text")),
                required=bool(row.get("required")),
                default=str(row.get("default") or ""),
                text=" ".join([str(row.get("description") or ""), *map(str, limits)]),
            )
