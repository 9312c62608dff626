"""Import files of other systems as spec documents; one module for each format.

What a spec cannot express is refused, with its place and the reason; nothing is guessed or dropped
silently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TypeAlias
from urllib.parse import urlsplit

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    IMPORT_HOST_NOT_ALLOWED,
    IMPORT_NO_CALLS,
    IMPORT_NO_SUCH_TOOL,
    IMPORT_NOTHING,
    IMPORT_SAME_NAME,
    IMPORT_SECOND_DOCUMENT,
    IMPORT_UNKNOWN_FORMAT,
    IMPORT_WRONG_SHAPE,
)
from brimgen.frozen import replace
from brimgen.importers import flexigpt, json_schema, tool_lists
from brimgen.importers.draft import Choice, Draft, Format
from brimgen.importers.nodes import items_of
from brimgen.importers.openapi import import_document
from brimgen.importers.openapi.document import is_server, with_files
from brimgen.importers.python import import_module
from brimgen.importers.settle import Check, settle
from brimgen.importers.sql import query_files, toolbox
from brimgen.importers.texts import read_json, read_yaml
from brimgen.importers.tool_lists import find_parts
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.model.project import Connection, Project
from brimgen.source.document import Document
from brimgen.source.nodes import MapNode, Node

__all__ = [
    "FORMATS",
    "NAMES",
    "dialects_of",
    "import_sql",
    "import_store",
    "import_tools",
    "is_queries",
    "is_server",
]

Beside: TypeAlias = Callable[[str], tuple[str, str] | None]
"""Returns name and text of a file by its path from the one that is read; None where none may be."""

FORMATS: tuple[Format, ...] = (
    *tool_lists.FORMATS,
    flexigpt.TOOL,
    flexigpt.BUNDLE,
    import_document.FORMAT,
    toolbox.FORMAT,
    json_schema.FORMAT,
)
"""Formats of JSON and YAML, in the order in which they are tried."""

NAMES: Mapping[str, str] = MappingProxyType(
    {format_.name: format_.summary for format_ in FORMATS}
    | {import_module.NAME: import_module.SUMMARY, **query_files.NAMES}
)
"""The summary of each format by its name."""


def import_tools(
    name: str,
    text: str,
    diagnostics: Diagnostics,
    *,
    format: str | None = None,
    only: tuple[str, ...] = (),
    server: str | None = None,
    hosts: tuple[str, ...] = (),
    check: Check | None = None,
    beside: Beside | None = None,
    handlers: Mapping[str, str] = MappingProxyType({}),
) -> tuple[JsonObject, ...]:
    """Make a document of each spec of a file; report and skip what cannot be imported.

    ``name`` is that of the file, for the reports. ``format`` is one of `NAMES`; None means the
    first that fits. ``only`` are the names of the tools to import, in which ``*`` stands for any
    text; none means all. ``server`` is the URL that replaces the servers of an API. ``hosts`` are
    the allowed hosts of tools whose format names none. ``check`` judges specs as a build does; None
    means that they are only resolved. ``beside`` reads the files that a document refers to.
    ``handlers`` are the functions that answer tools, by their names in the file.
    SQL is imported by `import_sql`.
    """
    choice = Choice(only, server)
    drafts = (
        _with_handler(draft, handlers)
        for draft in _read_drafts(name, text, format, diagnostics, choice, beside)
    )
    return _documents(name, drafts, diagnostics, choice, hosts, check)


def _with_handler(draft: Draft, handlers: Mapping[str, str]) -> Draft:
    """Return a draft whose tool calls its function by keywords, if ``handlers`` has one."""
    handler = handlers.get(str(draft.document.get("x-name", draft.name)))
    if handler is None:
        return draft
    called: dict[str, Json] = {"handler": handler, "call": "keywords"}
    return replace(draft, document={**draft.document, **called})


def is_queries(name: str, format: str | None) -> bool:
    """Whether a file is read as SQL: by its ``format``, or else by its name."""
    return format in query_files.NAMES or (format is None and name.endswith(".sql"))


def dialects_of(
    name: str, text: str, format: str | None, only: tuple[str, ...]
) -> Mapping[str, str]:
    """The dialects of the connections that the tools of a Toolbox file need, by name."""
    is_other = name.endswith(".py") or toolbox.MARK not in text
    if format not in (None, toolbox.FORMAT.name) or is_other:
        return {}
    root = _read_root(name, text, format, Diagnostics())
    if isinstance(root, MapNode) and toolbox.fits(root):
        return toolbox.dialects(root, Choice(only))
    return {}


def import_sql(
    name: str,
    parts: Iterable[query_files.SqlFiles],
    diagnostics: Diagnostics,
    *,
    only: tuple[str, ...] = (),
    check: Check | None = None,
) -> tuple[JsonObject, ...]:
    """Make a document of each query of SQL files, and of each entity of its rows.

    ``name`` is the file that was named, ``only`` the tools to import; none means all. ``check``
    judges specs as a build does. Where a part
    has a name that an earlier one has, all its names begin with that of its connection.
    """
    choice = Choice(only)
    drafts: list[Draft] = []
    for part in parts:
        taken = {(draft.kind, draft.name) for draft in drafts}
        own = [*query_files.read(part, diagnostics)]
        if part.connection and any((draft.kind, draft.name) in taken for draft in own):
            prefixed = replace(part, prefix=part.connection.replace("-", "_"))
            own = [*query_files.read(prefixed, Diagnostics())]
        drafts += own
    return _documents(name, _selected(drafts, choice), diagnostics, choice, (), check)


def import_store(
    folder: str,
    files: Mapping[str, str],
    diagnostics: Diagnostics,
    *,
    only: tuple[str, ...] = (),
    hosts: tuple[str, ...] = (),
    check: Check | None = None,
) -> tuple[JsonObject, ...]:
    """Make a document of each bundle and tool of a FlexiGPT store.

    ``files`` are the texts of its JSON files by their paths in ``folder``: ``tools.bundles.json``,
    and ``<id>_<slug>/<slug>_<version>.json``. The folder of a tool names its bundle.
    """
    choice = Choice(only)
    drafts = (
        draft
        for path, text in sorted(files.items(), key=lambda file: file[0].count("/"))
        for draft in _read_drafts(f"{folder}/{path}", text, None, diagnostics, choice)
    )
    return _documents(folder, _in_bundles(drafts), diagnostics, choice, hosts, check)


def _in_bundles(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Make each tool a member of the bundle that the folder of its file is named after."""
    bundles: dict[str, str] = {}
    for draft in drafts:
        folder = PurePosixPath(draft.span.file).parent.name
        if draft.kind == "bundle":
            document = draft.document
            bundles[f"{document.get('id')}_{document['slug']}"] = draft.name
        yield draft if draft.kind == "bundle" else _member(draft, bundles.get(folder))


def _member(draft: Draft, bundle: str | None) -> Draft:
    document = {**draft.document, "bundle": bundle}
    return replace(draft, document=document) if bundle else draft


def _documents(
    name: str,
    drafts: Iterable[Draft],
    diagnostics: Diagnostics,
    choice: Choice,
    hosts: tuple[str, ...],
    check: Check | None,
) -> tuple[JsonObject, ...]:
    """Return the documents of the drafts that a build takes; report the others.

    A request counts as if its host were allowed; where nothing allows it, that is told.
    """
    unlisted: dict[tuple[str, str], str] = {}
    judged: list[Draft] = []
    for draft in _unique(drafts, diagnostics):
        request = draft.document.get("request")
        allowed = list[Json](hosts)
        if is_object(request) and "allowedHosts" not in draft.document:
            host = urlsplit(str(request.get("urlTemplate"))).netloc
            if host and not allowed:
                unlisted[draft.kind, draft.name] = host
                allowed = [host]
            if allowed:
                document = {**draft.document, "allowedHosts": allowed}
                draft = replace(draft, document=document)
        judged.append(draft)
    start = Span(name, 1, 1, 1, 1)
    for missed, suggestions in choice.missed():
        diagnostics.add(
            IMPORT_NO_SUCH_TOOL, start, suggestions=suggestions, name=missed
        )
    if judged and choice.calls_none:
        diagnostics.add(IMPORT_NO_CALLS, start, server=choice.server())
    if not judged and not diagnostics.has_errors:
        diagnostics.add(IMPORT_NOTHING, start)
    documents: list[JsonObject] = []
    for draft in settle(judged, check or _resolved, diagnostics):
        document = dict(draft.document)
        host = unlisted.get((draft.kind, draft.name), "")
        if host:
            del document["allowedHosts"]
            diagnostics.add(
                IMPORT_HOST_NOT_ALLOWED, draft.span, name=draft.name, host=host
            )
        documents.append(document)
    return tuple(documents)


def _read_drafts(
    name: str,
    text: str,
    format: str | None,
    diagnostics: Diagnostics,
    choice: Choice,
    beside: Beside | None = None,
) -> Iterator[Draft]:
    if format == import_module.NAME or (format is None and name.endswith(".py")):
        yield from _selected(import_module.read(name, text, diagnostics), choice)
        return
    root = _read_root(name, text, format, diagnostics)
    if root is None:
        return
    if beside is not None and isinstance(root, MapNode) and import_document.fits(root):
        root = _with_files(root, name, beside, diagnostics)
    formats = [each for each in FORMATS if format in (None, each.name)]
    nodes = find_parts(root, formats, diagnostics)
    yield from _read_parts(nodes, formats, format is not None, diagnostics, choice)


def _with_files(
    root: MapNode, name: str, beside: Beside, diagnostics: Diagnostics
) -> MapNode:
    def load(path: str) -> Node | None:
        found = beside(path)
        return None if found is None else _read_root(*found, "openapi", diagnostics)

    return with_files(root, PurePosixPath(name).name, load)


def _read_root(
    name: str, text: str, format: str | None, diagnostics: Diagnostics
) -> Node | None:
    """The document of a file; the documents of a Toolbox file count as one."""
    if not name.casefold().endswith((".yaml", ".yml")):
        return read_json(name, text, diagnostics)
    documents = read_yaml(name, text, diagnostics)
    if format in (None, toolbox.FORMAT.name):
        joined = toolbox.join_documents(documents)
        if joined is not None:
            return joined
    for document in documents[1:]:
        diagnostics.add(IMPORT_SECOND_DOCUMENT, document.span)
    return documents[0] if documents else None


def _read_parts(
    nodes: Iterable[Node],
    formats: Sequence[Format],
    is_named: bool,
    diagnostics: Diagnostics,
    choice: Choice,
) -> Iterator[Draft]:
    """Read each object in the first format that it fits, or in the one that ``is_named``.

    The tools in a bundle follow it, as its members.
    """
    for node in nodes:
        if not isinstance(node, MapNode):
            diagnostics.add(
                IMPORT_WRONG_SHAPE, node.span, what="a tool", expected="a mapping"
            )
            continue
        fitting = [each for each in formats if each.fits(node)]
        if not fitting and not is_named:
            diagnostics.add(IMPORT_UNKNOWN_FORMAT, node.span)
            continue
        chosen = (fitting or formats)[0]
        drafts = [*chosen.read(node, diagnostics, choice)]
        yield from _selected(drafts, choice) if chosen.wrappers else drafts
        members = node.get(flexigpt.TOOLS) if chosen is flexigpt.BUNDLE else None
        if members is not None:
            bundle = drafts[0].name if drafts else None
            tools = [each for each in FORMATS if each.wrappers]
            for draft in _read_parts(
                items_of(members), tools, False, diagnostics, choice
            ):
                yield _member(draft, bundle)


def _selected(drafts: Iterable[Draft], choice: Choice) -> Iterator[Draft]:
    """The drafts of the chosen tools, and all drafts that are no tools."""
    for draft in drafts:
        if draft.kind != "tool" or choice.takes(draft.name):
            yield draft


def _unique(drafts: Iterable[Draft], diagnostics: Diagnostics) -> list[Draft]:
    """The drafts without those whose name another one of their kind has."""
    unique: dict[tuple[str, str], Draft] = {}
    for draft in drafts:
        if unique.setdefault((draft.kind, draft.name), draft) is not draft:
            plural = {"tool": "tools", "entity": "entities"}.get(draft.kind, "bundles")
            diagnostics.add(IMPORT_SAME_NAME, draft.span, what=plural, name=draft.name)
    return list(unique.values())


def _resolved(documents: Sequence[Document]) -> Diagnostics:
    """Return what resolving finds, in a project that has every connection that is named."""
    from brimgen.resolve.link import resolve
    from brimgen.syntax.documents import parse

    found = Diagnostics()
    named = {
        getattr(document.root.get("connection"), "text", "default")
        for document in documents
    }
    connection = Connection(dialect="sqlite", drivers=("sqlite3",))
    connections = dict.fromkeys(sorted(named), connection)
    resolve(parse(documents, found), Project(connections=connections), found)
    return found
