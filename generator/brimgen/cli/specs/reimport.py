"""Import again into a folder: update its specs, and keep what people edited in them.

Each spec says what it was made of (``x-imported-from: pets.yaml#getPet``), whatever its file and
its name are now. The file `RECORD` beside them has the digests of what was imported last.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import click

from brimgen.cli.console.report import count
from brimgen.cli.specs.new_files import is_there
from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import IMPORT_CONFLICT, IMPORT_GONE
from brimgen.frozen import dataclass
from brimgen.importers.merge import Digests, digests, merged, rewritten
from brimgen.importers.merge import Path as Keys
from brimgen.importers.yaml_text import yaml_document
from brimgen.model.json import Json, JsonObject, is_object
from brimgen.model.lint import IMPORTED_FROM
from brimgen.source.compose import compose
from brimgen.source.document import SourceFile
from brimgen.source.nodes import MapNode, Node, plain

RECORD = ".imports.json"
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Changes:
    """What an import makes of a folder: texts of ``new`` and ``updated`` files, ``removed`` ones.

    ``updates`` specs are updated, ``kept`` ones stay as they are, and ``absent`` ones were removed
    by hand before. ``record`` is the text of `RECORD`.
    """

    new: Mapping[Path, str]
    updated: Mapping[Path, str]
    removed: tuple[Path, ...]
    updates: int
    kept: int
    absent: int
    record: str

    def summary(self, folder: Path) -> str:
        """What is said of the changes."""
        counts = {
            "updated": self.updates,
            "removed": len(self.removed),
            "unchanged": self.kept,
            "left out as removed by hand": self.absent,
        }
        parts = [f"wrote {count(len(self.new), 'spec')} to {folder.as_posix()}"]
        parts += [f"{number} {what}" for what, number in counts.items() if number]
        return ", ".join(parts)


@dataclass(slots=True)
class _Found:
    """A spec file of the folder: its text, as far as it was updated, and its documents."""

    path: Path
    text: str
    roots: list[MapNode]
    is_changed: bool = False

    def root(self, mark: str) -> MapNode:
        """The document that was made of the part ``mark`` of a source."""
        return next(root for root in self.roots if _mark(root) == mark)


class Reimport:
    """One import into ``folder`` of the source of the name ``source``.

    ``read`` returns the text of a file. With ``prune``, what the source has no longer is removed.
    """

    def __init__(
        self,
        folder: Path,
        source: str,
        diagnostics: Diagnostics,
        texts: dict[str, str],
        read: Callable[[Path], str],
    ) -> None:
        self._folder, self._source = folder, source
        self._diagnostics, self._texts = diagnostics, texts
        record = folder / RECORD
        self._record: dict[str, Digests] = (
            json.loads(read(record)) if record.is_file() else {}
        )
        self._places: dict[str, _Found] = {}
        for path in sorted((*folder.rglob("*.yaml"), *folder.rglob("*.yml"))):
            text = read(path) if path.is_file() and not path.is_symlink() else ""
            if f"{source}#" in text:
                found = _Found(path, text, _roots(path, text))
                marks = map(_mark, found.roots)
                self._places |= {mark: found for mark in marks if mark is not None}

    def changes(
        self, specs: Mapping[str, JsonObject], *, chosen: bool, prune: bool
    ) -> Changes:
        """Return what becomes of the folder if ``specs``, by their paths in it, are imported.

        Specs that were removed by hand come back only if they were ``chosen`` by name. Conflicts,
        and what the source has no longer, are reported. Raises `click.UsageError` where a file is
        in the way.
        """
        new: dict[Path, str] = {}
        marks: list[str] = []
        updates = kept = absent = 0
        for path, document in specs.items():
            mark = f"{self._source}#{path.removesuffix('.yaml')}"
            marks.append(mark)
            theirs = {**document, IMPORTED_FROM: mark}
            base = self._record.get(mark)
            if mark in self._places:
                is_updated = self._update(mark, base, theirs)
                updates, kept = updates + is_updated, kept + (not is_updated)
            elif base is None or chosen:
                new[self._folder / path] = yaml_document(theirs)
            else:
                absent += 1
            self._record[mark] = digests(theirs)
        self._refuse_present(new)
        gone = [
            mark
            for mark in self._record
            if mark.startswith(f"{self._source}#") and mark not in marks
        ]
        removed = () if chosen else tuple(self._without(gone, prune=prune))
        updated = {
            found.path: found.text
            for found in self._places.values()
            if found.is_changed
        }
        lines = (
            f"{json.dumps(mark)}: {json.dumps(self._record[mark], separators=(',', ':'))}"
            for mark in sorted(self._record)
        )
        record = "{\n" + ",\n".join(lines) + "\n}\n" if self._record else ""
        return Changes(new, updated, removed, updates, kept, absent, record)

    def _refuse_present(self, new: Mapping[Path, str]) -> None:
        present = [path for path in new if is_there(path)]
        if present:
            others = f"and {len(present) - 1} more exist" if present[1:] else "exists"
            raise click.UsageError(
                f"{present[0].as_posix()} {others} already; nothing was written. "
                "Remove what you want to import again, or import into another folder."
            )

    def _update(self, mark: str, base: Digests | None, theirs: JsonObject) -> bool:
        """Update a spec; report its conflicts. Return whether it changed."""
        found = self._places[mark]
        root = found.root(mark)
        ours = cast("JsonObject", plain(root))
        wanted, conflicts = merged({} if base is None else base, ours, theirs)
        if wanted != ours:
            text = rewritten(found.text, root, wanted)
            roots = _roots(found.path, text)
            if wanted in [plain(each) for each in roots] and len(roots) == len(
                found.roots
            ):
                found.text, found.roots, found.is_changed = text, roots, True
                root = found.root(mark)
            else:
                conflicts = [()]
        self._texts[str(found.path)] = found.text
        for keys in conflicts:
            self._report(root, keys, theirs)
        return wanted != ours and conflicts != [()]

    def _report(self, root: MapNode, keys: Keys, theirs: JsonObject) -> None:
        node: Node | None = root
        new: Any = theirs
        span = root.span
        for key in keys:
            entry = node.entry(key) if isinstance(node, MapNode) else None
            node = None if entry is None else entry.value
            span = span if entry is None else entry.key.span
            new = new.get(key) if is_object(new) else None
        shown = json.dumps(new, ensure_ascii=False)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        self._diagnostics.add(
            IMPORT_CONFLICT,
            span,
            key=".".join(keys) or "the layout",
            name=_name(root),
            source=self._source,
            new=f"says {shown}" if new is not None else "has it no longer",
        )

    def _without(self, gone: list[str], *, prune: bool) -> Iterator[Path]:
        """Yield the files to remove; report the specs that the source has no longer."""
        for mark in gone:
            base = self._record[mark]
            found = self._places.get(mark)
            if found is None:
                del self._record[mark]
                continue
            root = found.root(mark)
            is_edited = digests(cast("Json", plain(root))) != base
            is_alone = len(found.roots) == 1
            if prune and is_alone and not is_edited:
                del self._record[mark]
                yield found.path
                continue
            self._texts[str(found.path)] = found.text
            self._diagnostics.add(
                IMPORT_GONE,
                root.entries[0].key.span,
                name=_name(root),
                source=self._source,
                file=found.path.as_posix(),
                edited=", and was edited" if is_edited else "",
            )


def _roots(path: Path, text: str) -> list[MapNode]:
    documents = compose(SourceFile(str(path), str(path), text), Diagnostics())
    return [document.root for document in documents if not document.is_broken]


def _mark(root: MapNode) -> str | None:
    node = root.get(IMPORTED_FROM)
    return None if node is None else getattr(node, "text", None)


def _name(root: MapNode) -> str:
    return str(getattr(root.get("name"), "text", "the spec"))
