"""The memo of tools: what files of tools alone mean, so that they are not read again.

What such a file means depends on its text, on the *shared* files (those that hold anything else,
such as entities and bundles), on the project and on the program. A run reads the shared files and
those that it does not know; the tools of all others, and what was reported of them, are taken from
the memo. Wherever that might not be what a whole reading gives, all files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from brimgen.build.cache import entry_path, read_entry, write_entry
from brimgen.diagnostics import Diagnostic, Diagnostics
from brimgen.frozen import replace
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.lint import Waiver
from brimgen.model.rows import NotOfModel, Writer, read_rows

if TYPE_CHECKING:
    from brimgen.source.document import SourceFile

    Link: TypeAlias = Callable[[Sequence[SourceFile], Diagnostics], Catalog]

KIND = "tools"
_FRESH = 16
"""The memo is written anew once it lacks more than one of so many files."""


class Meaning(NamedTuple):
    """What a file of tools means, and what was reported of it."""

    tools: tuple[Tool, ...]
    reported: tuple[Diagnostic, ...]
    waivers: tuple[Waiver, ...]


class ToolMemo:
    """What files of tools mean, for one folder of specs; ``made_by`` is project and program."""

    def __init__(self, folder: str, specs: str, made_by: str) -> None:
        self._key = [specs, made_by]
        self._path = entry_path(folder, specs, KIND)
        self._known: dict[str, Meaning] = {}
        self._others: tuple[str, Any] = "", ()
        self._linked: tuple[Sequence[SourceFile], Catalog, Diagnostics] | None = None
        try:
            entry = read_entry(self._path)
            if entry is not None and entry["key"] == self._key:
                values = read_rows(entry["rows"])
                files = {name: _meaning(values[row]) for name, row in entry["files"]}
                self._others = entry["shared"], values[entry["reported"]]
                self._known = files
        except (LookupError, TypeError, ValueError, AttributeError):
            pass

    def link(
        self, sources: Sequence[SourceFile], link: Link, diagnostics: Diagnostics
    ) -> Catalog:
        """Do what ``link`` does of all sources, but let it read no file that is known."""
        known = {source.name: self._known.get(_key(source)) for source in sources}
        meanings = [each for each in known.values() if each is not None]
        rest = [source for source in sources if known[source.name] is None]
        reported = Diagnostics(diagnostics)
        catalog = link(rest, reported)
        fresh = _files_of_tools(rest, catalog)
        if meanings:
            is_known = self._others == _others(rest, fresh, reported)
            merged = _merged(catalog, meanings)
            if is_known and not reported.has_errors and _is_sum_of_tools(merged):
                for meaning in meanings:
                    reported.extend(meaning.reported)
                catalog = merged
            else:
                reported = Diagnostics(diagnostics)
                catalog = link(sources, reported)
                meanings = []
        if not meanings or len(fresh) * _FRESH > len(meanings):
            self._linked = sources, catalog, Diagnostics(reported)
        diagnostics.extend(reported)
        return catalog

    def save(self) -> None:
        """Write down what the files of a sound run mean, if much of it is new."""
        if self._linked is None:
            return
        sources, catalog, reported = self._linked
        if reported.has_errors or not _is_sum_of_tools(catalog):
            return
        own, writer = _files_of_tools(sources, catalog), Writer()
        shared, others = _others(sources, own, reported)
        keys = {each.name: _key(each) for each in sources}
        try:
            entry = {
                "key": self._key,
                "shared": shared,
                "reported": writer.part(others)[0],
                "files": [
                    [keys[name], writer.part(each)[0]]
                    for name, each in _meanings(own, catalog, reported).items()
                ],
                "rows": writer.rows,
            }
        except (NotOfModel, RecursionError, ValueError):
            return
        write_entry(self._path, entry)


def _key(file: SourceFile) -> str:
    return f"{file.name} {digest(file.text)}"


def _files_of_tools(sources: Iterable[SourceFile], catalog: Catalog) -> set[str]:
    """The files that hold only tools, which need no other file but shared ones."""
    shared = {entity.span.file for entity in catalog.entities.values()}
    shared |= {enum.span.file for enum in catalog.enums.values()}
    shared |= {leaf.span.file for leaf in catalog.leaves.values()}
    shared |= {bundle.span.file for bundle in catalog.bundles}
    own = {each.span.file for each in catalog.tools} - shared
    for tool in catalog.tools:
        if not shared.issuperset({*tool.sources} - {tool.span.file}):
            own.discard(tool.span.file)
    return own.intersection([source.name for source in sources])


def _others(
    sources: Iterable[SourceFile], own: Collection[str], reported: Diagnostics
) -> tuple[str, tuple[Diagnostic, ...]]:
    """The digest of all files but those of tools alone, and what was reported of them."""
    texts = [(source.name, source.text) for source in sources if source.name not in own]
    others = tuple(each for each in reported if each.span.file not in own)
    return digest(repr(texts)), others


def _meanings(
    own: Collection[str], catalog: Catalog, reported: Diagnostics
) -> dict[str, tuple[Any, ...]]:
    found: dict[str, Any] = {name: ([], [], []) for name in sorted(own)}
    parts: tuple[Iterable[Any], ...] = catalog.tools, reported, catalog.waivers
    for index, values in enumerate(parts):
        for each in values:
            if each.span.file in own:
                found[each.span.file][index].append(each)
    return {name: tuple(map(tuple, each)) for name, each in found.items()}


def _meaning(value: Any) -> Meaning:
    """Raises TypeError or ValueError for what is none."""
    for values, kind in zip(value, (Tool, Diagnostic, Waiver), strict=True):
        if not {kind}.issuperset(map(type, values)):
            raise TypeError(kind)
    return Meaning(*value)


def _merged(catalog: Catalog, meanings: Iterable[Meaning]) -> Catalog:
    tools, waivers = list(catalog.tools), list(catalog.waivers)
    for meaning in meanings:
        tools += meaning.tools
        waivers += meaning.waivers
    tools.sort(key=lambda each: each.name)
    return replace(catalog, tools=tuple(tools), waivers=tuple(waivers))


def _is_sum_of_tools(catalog: Catalog) -> bool:
    """Whether no tool matters to another one: no two claim one name, one place in a bundle or one
    id, and no entity holds itself, of which all tools together are asked who names it.
    """
    tools, bundles = catalog.tools, catalog.bundles
    names = [tool.name.casefold().replace("-", "_") for tool in tools]
    slugs = [(x.bundle, x.slug, x.version) for x in tools if x.bundle is not None]
    ids = [tool.identity.id for tool in tools] + [
        bundle.identity.id for bundle in bundles
    ]
    ids = [identifier for identifier in ids if identifier is not None]
    return all(len(each) == len({*each}) for each in (names, slugs, ids)) and not any(
        entity.recursive for entity in catalog.entities.values()
    )


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
