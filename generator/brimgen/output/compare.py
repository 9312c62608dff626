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
from brimgen.frozen import dataclass
from brimgen.output.folder import (
    belongs_to_another_project,
    foreign_names,
    foreign_names_text,
    is_damaged_manifest,
)
from brimgen.output.paths import (
    JOURNAL_NAME,
    MANIFEST_NAME,
    check_paths,
    is_sound,
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

_A_FILE = "a file"

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
        self._was_interrupted = not isinstance(self._disk.look(JOURNAL_NAME), Absent)
        self._written: bytes | None = None
        self._has_manifest = True
        self._problem: str | None = None
        self._manifest = EMPTY if self.is_hopeless else self._read_manifest()

    def _read_manifest(self) -> Manifest:
        match self._disk.look(MANIFEST_NAME):
            case Present(data=data):
                self._written = data
                try:
                    return read_manifest(data)
                except UnreadableManifest as problem:
                    self._problem = str(problem)
            case Blocked(description=description):
                self._report(MANIFEST_NAME, description)
            case Absent():
                self._has_manifest = False
        return EMPTY

    def _find_state(self, output: Output) -> Found:
        """The state of ``output`` on the disk; it is new where no file can be at its path."""
        if self.is_hopeless or not is_sound(output.path):
            return State.NEW, None
        entry = self._manifest.files.get(output.path)
        match self._disk.look(output.path):
            case Absent():
                return State.MISSING if entry else State.NEW, None
            case Present(data=data):
                if data == output.data:
                    return State.SAME, None
                if entry is not None and sha256(data).hexdigest() == entry.sha256:
                    return State.CHANGED, None
                is_ours = entry is not None or self.scope.force
                return State.EDITED, None if is_ours else _A_FILE
            case Blocked(description=description):
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
        self._check(outputs)
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
        kept = set[str]() if self.scope.force else _edited(states)
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
        names = foreign_names(self.root) if self.root.is_dir() else ()
        if names:
            self.diagnostics.add(FOREIGN_FOLDER, span, names=foreign_names_text(names))
        return bool(names)

    def _check(self, outputs: Sequence[Output]) -> None:
        """Report invalid paths."""
        kept = self._without_clashes_of_rows(outputs)
        check_paths([(file.path, file.span) for file in kept], self.diagnostics)

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
            match self._disk.look(path):
                case Present(data=data):
                    is_unchanged = sha256(data).hexdigest() == entry.sha256
                    orphans[path] = State.ORPHANED if is_unchanged else State.EDITED
                case Absent() | Blocked():
                    pass
        return orphans

    def _report_obstacles(self, found: Mapping[str, Found], has_same: bool) -> None:
        """Report what is in the way of files, or only that the manifest is gone that named them."""
        obstacles = {
            path: obstacle for path, (_, obstacle) in found.items() if obstacle
        }
        if has_same and not self._has_manifest:
            strange = [path for path in obstacles if obstacles[path] == _A_FILE]
            if strange:
                verb = (
                    "1 file differs"
                    if len(strange) == 1
                    else f"{len(strange)} files differ"
                )
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


def _edited(states: Mapping[str, State]) -> set[str]:
    return {path for path, state in states.items() if state is State.EDITED}


@dataclass(frozen=True, slots=True)
class Absent:
    """The path does not exist."""


@dataclass(frozen=True, slots=True)
class Present:
    """A plain file."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that cannot be a generated file; ``description`` says what."""

    description: str


Seen: TypeAlias = Absent | Present | Blocked
_ABSENT = Absent()


class Disk:
    """The folder ``root``, whose folders are as they were when they were first looked at.

    `clear` makes files count as removed, so that a folder may take the place of a file of ours.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, Seen | None] = {}
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
        folder = path.rpartition("/")[0]
        above = self._above(folder)
        return self._read(path) if above is None else above

    def _above(self, folder: str) -> Seen | None:
        """Return what prevents a file in ``folder`` from existing, or None."""
        if folder not in self._folders:
            outer = self._above(folder.rpartition("/")[0]) if folder else None
            self._folders[folder] = outer or self._folder(folder)
        return self._folders[folder]

    def _folder(self, folder: str) -> Seen | None:
        if folder in self._cleared:
            return _ABSENT
        try:
            mode = os.lstat(self.root / folder).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return _ABSENT
        return None if stat.S_ISDIR(mode) else Blocked(_describe(mode))

    def _read(self, path: str) -> Seen:
        full = f"{self.root}/{path}"
        try:
            status = os.lstat(full)
            if not stat.S_ISREG(status.st_mode):
                return Blocked(_describe(status.st_mode))
            return Present(Path(full).read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            return _ABSENT


def _describe(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a file" if stat.S_ISREG(mode) else "a special file"
