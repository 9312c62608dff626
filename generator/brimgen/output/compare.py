"""Compare generated files with the output folder, one by one, and plan the changes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    CUSTOM_PATH,
    FILE_IN_THE_WAY,
    FOLDER_OF_OTHERS,
    FOREIGN_FOLDER,
    MISSING_MANIFEST,
    UNREADABLE_MANIFEST,
)
from brimgen.output.folder import (
    belongs_to_another_project,
    foreign_names,
    is_damaged_manifest,
)
from brimgen.output.paths import (
    JOURNAL_NAME,
    MANIFEST_NAME,
    check_paths,
    leaves_root,
    not_portable,
)
from brimgen.output.plan import (
    EMPTY,
    Entry,
    Manifest,
    Output,
    Plan,
    Scope,
    State,
    UnreadableManifest,
    read_manifest,
)

_A_FILE, _A_FOLDER = "a file", "a folder"
_KINDS = {
    stat.S_IFREG: _A_FILE,
    stat.S_IFDIR: _A_FOLDER,
    stat.S_IFLNK: "a symbolic link",
}

Found: TypeAlias = tuple[State, str | None]
"""The state of a file, and what is at its path that must not be replaced."""


class Comparison:
    """Compares the output folder ``root`` with what a run generates; reads, never writes.

    Reports O51x where the files cannot be written; a plan must not be carried out then.
    """

    def __init__(self, root: Path, *, scope: Scope, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.is_hopeless = os.path.lexists(root) and not root.is_dir()
        self.root, self.scope = root, scope
        self._disk = Disk(root)
        self._was_interrupted = self._disk.look(JOURNAL_NAME) is not None
        self._written: bytes | None = None
        self._has_manifest = True
        self._problem: str | None = None
        self._manifest = EMPTY if self.is_hopeless else self._read_manifest()

    def _read_manifest(self) -> Manifest:
        match self._disk.look(MANIFEST_NAME):
            case bytes(data):
                self._written = data
                try:
                    return read_manifest(data)
                except UnreadableManifest as problem:
                    self._problem = str(problem)
            case str(description):
                self._report(MANIFEST_NAME, description)
            case None:
                self._has_manifest = False
        return EMPTY

    def _find_state(self, output: Output) -> Found:
        """The state of ``output`` on the disk; it is new where no file can be at its path."""
        path = output.path
        if self.is_hopeless or leaves_root(path) or not_portable(path):
            return State.NEW, None
        entry = self._manifest.files.get(path)
        match self._disk.look(path):
            case None:
                return State.MISSING if entry else State.NEW, None
            case bytes(data):
                if data == output.data:
                    return State.SAME, None
                if entry is not None and sha256(data).hexdigest() == entry.sha256:
                    return State.CHANGED, None
                is_ours = entry is not None or self.scope.force
                return State.EDITED, None if is_ours else _A_FILE
            case str(description):
                return State.NEW, description

    def _writes(self, state: State) -> bool:
        """Whether a file in ``state`` is to be written."""
        return state is not State.SAME and (
            state is not State.EDITED or self.scope.force
        )

    def plan(self, outputs: Sequence[Output]) -> Plan:
        """Plan the changes after which ``outputs``, and no other generated files, are on the disk.

        They are sorted by path.
        """
        sound = self._without_clashes_of_rows(outputs)
        check_paths([(file.path, file.span) for file in sound], self.diagnostics)
        if self.is_hopeless:
            self.diagnostics.add(
                FILE_IN_THE_WAY, Span.at_file(self.root.name), what="a file"
            )
        made = {output.path: output for output in outputs}
        orphans = self._orphans(made)
        self._disk.clear(
            path for path, state in orphans.items() if state is State.ORPHANED
        )
        found = {path: self._find_state(output) for path, output in made.items()}
        has_same = any(
            state is State.SAME and made[path].data
            for path, (state, _) in found.items()
        )
        if self.is_hopeless or self._is_refused(outputs, has_same):
            return Plan(root=self.root, states={}, puts={}, removes=())
        self._report_obstacles(found, has_same)
        states = {path: state for path, (state, _) in found.items()}
        puts = {
            path: made[path].data
            for path, state in states.items()
            if self._writes(state)
        }
        if orphans:
            states = dict(sorted((states | orphans).items()))
        edited = {path for path, state in states.items() if state is State.EDITED}
        kept = set[str]() if self.scope.force else edited
        digests = {path: sha256(each.data).hexdigest() for path, each in made.items()}
        text = self._next_manifest(made, digests, kept).encode()
        if text != self._written:
            puts[MANIFEST_NAME] = text
        return Plan(
            root=self.root,
            states=MappingProxyType(states),
            puts=puts,
            removes=tuple(path for path in orphans if self._writes(orphans[path])),
            digests=digests,
            kept=tuple(sorted(kept)),
            unmade=frozenset(orphans),
            interrupted=self._was_interrupted,
            manifest=text,
        )

    def _is_refused(self, outputs: Sequence[Output], has_same: bool) -> bool:
        """Report and return whether the output folder belongs, or may belong, to somebody else.

        ``has_same``: it has one of the outputs byte for byte.
        """
        span, scope = Span.at_file(self.root.name), self.scope
        if self._has_manifest and self._problem is None:
            is_theirs = belongs_to_another_project(
                self._manifest.files, outputs, scope.package
            )
            if is_theirs and not scope.adopt:
                self.diagnostics.add(FOLDER_OF_OTHERS, span)
            return is_theirs and not scope.adopt
        is_ours = has_same or self._was_interrupted
        if self._problem is not None and not scope.force:
            if is_ours or is_damaged_manifest(self._written or b""):
                place = self._disk.span(MANIFEST_NAME)
                self.diagnostics.add(UNREADABLE_MANIFEST, place, reason=self._problem)
                return True
            if scope.adopt:
                self._report(MANIFEST_NAME, _A_FILE)
        if is_ours or scope.adopt or is_damaged_manifest(self._written or b""):
            return False
        names = foreign_names(self.root) if self.root.is_dir() else ""
        if names:
            self.diagnostics.add(FOREIGN_FOLDER, span, names=names)
        return bool(names)

    def _without_clashes_of_rows(self, outputs: Sequence[Output]) -> list[Output]:
        """Report each path that a target of the project shares with another target; return the
        files without those that were reported.
        """
        first: dict[str, Output] = {}
        kept: list[Output] = []
        for file in outputs:
            earlier = first.setdefault(file.path, file)
            pairs = () if earlier is file else ((file, earlier), (earlier, file))
            for own, theirs in pairs:
                row = self.scope.row_of(own.target, own.path)
                if row is not None:
                    problem = f"writes `{own.path}`, which the target `{theirs.target}` writes too"
                    self.diagnostics.add(
                        CUSTOM_PATH, row, name=own.target, problem=problem
                    )
                    break
            else:
                kept.append(file)
        return kept

    def _orphans(self, made: Mapping[str, Output]) -> dict[str, State]:
        """Return the generated files on the disk that no artifact replaces, sorted."""
        orphans: dict[str, State] = {}
        for path, entry in sorted(self._manifest.files.items()):
            if path in made or not self.scope.reaches(entry):
                continue
            data = self._disk.look(path)
            if isinstance(data, bytes):
                is_unchanged = sha256(data).hexdigest() == entry.sha256
                orphans[path] = State.ORPHANED if is_unchanged else State.EDITED
        return orphans

    def _report_obstacles(self, found: Mapping[str, Found], has_same: bool) -> None:
        """Report what is in the way of files, or only that the manifest is gone that named them."""
        obstacles = {
            path: obstacle for path, (_, obstacle) in found.items() if obstacle
        }
        if has_same and not self._has_manifest:
            strange = [path for path in obstacles if obstacles[path] == _A_FILE]
            if strange:
                count = len(strange)
                verb = "1 file differs" if count == 1 else f"{count} files differ"
                span = self._disk.span(MANIFEST_NAME)
                self.diagnostics.add(MISSING_MANIFEST, span, differ=verb)
            for path in strange:
                del obstacles[path]
        for path, obstacle in obstacles.items():
            self._report(path, obstacle)

    def _report(self, path: str, obstacle: str) -> None:
        self.diagnostics.add(FILE_IN_THE_WAY, self._disk.span(path), what=obstacle)

    def _next_manifest(
        self, made: Mapping[str, Output], digests: Mapping[str, str], kept: set[str]
    ) -> str:
        entries = {
            path: Entry(digests[path], output.target, output.sources)
            for path, output in made.items()
        }
        entries |= {
            # The record of a kept file stays, so that it is still known as edited the next time.
            path: entry
            for path, entry in self._manifest.files.items()
            if path in kept or (path not in made and not self.scope.reaches(entry))
        }
        return Manifest(self.scope.version, entries).to_text()


Seen: TypeAlias = bytes | str | None
"""What is at a path: the bytes of a file, a name for what is no file, or nothing."""


class Disk:
    """The folder ``root``, whose folders are as they were when they were first looked at.

    `clear` makes files count as removed, so that a folder may take the place of a file of ours.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, str | None] = {}
        self._cleared: set[str] = set()

    def span(self, path: str) -> Span:
        """The place of a file in messages: the name of the folder, then the path below it."""
        return Span.at_file(f"{self.root.name}/{path}")

    def clear(self, paths: Iterable[str]) -> None:
        """Look at ``paths`` as if they were removed already."""
        self._cleared.update(paths)
        self._folders.clear()

    def look(self, path: str) -> Seen:
        """What is at ``path`` below the root."""
        kind = self._above(path.rpartition("/")[0])
        if kind == _A_FOLDER:
            kind = self._kind(path)
            if kind == _A_FILE:
                try:
                    return (self.root / path).read_bytes()
                except FileNotFoundError:  # somebody has just removed it
                    return None
        return kind

    def _above(self, folder: str) -> str | None:
        """Return what is at ``folder``, or in its way; None where nothing is."""
        if folder not in self._folders:
            found = self._above(folder.rpartition("/")[0]) if folder else _A_FOLDER
            if found == _A_FOLDER:
                found = None if folder in self._cleared else self._kind(folder)
            self._folders[folder] = found
        return self._folders[folder]

    def _kind(self, path: str) -> str | None:
        try:
            mode = os.lstat(self.root / path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        return _KINDS.get(stat.S_IFMT(mode), "a special file")
