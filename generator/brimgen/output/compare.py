"""Compare generated files with the output folder, one by one, and plan the changes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    CUSTOM_PATH,
    FILE_IN_THE_WAY,
    FOLDER_OF_OTHERS,
    FOREIGN_FOLDER,
    MISSING_MANIFEST,
    UNREADABLE_MANIFEST,
)
from brimgen.output.disk import Absent, Blocked, Disk, Present
from brimgen.output.folder import (
    belongs_to_another_project,
    foreign_names,
    foreign_names_text,
    is_damaged_manifest,
    is_generated,
)
from brimgen.output.manifest import (
    EMPTY,
    Manifest,
    UnreadableManifest,
    manifest_text,
    read_manifest,
)
from brimgen.output.paths import (
    JOURNAL_NAME,
    MANIFEST_NAME,
    check_paths,
    is_sound,
)
from brimgen.output.plan import File, Output, Plan, Scope, State


class FileStatus(NamedTuple):
    """The state of a generated file on the disk (see `File`).

    ``mode`` are the permissions of the plain file at its path, if there is one.
    """

    state: State
    in_the_way: str | None = None
    is_written: bool = False
    mode: int | None = None


_A_FILE = "a file"
_NEW = FileStatus(State.NEW)
_MISSING = FileStatus(State.MISSING)


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

    def find_status(self, output: Output) -> FileStatus | None:
        """Return the state of ``output`` on the disk; None if no file can stand at its path."""
        path = output.path
        if self.is_hopeless or not is_sound(path):
            return None
        entry = self._manifest.files.get(path)
        match self._disk.look(path):
            case Absent():
                return _MISSING if entry else _NEW
            case Present(data=data, mode=mode):
                if data == output.data:
                    return FileStatus(State.SAME, None, is_written=True, mode=mode)
                if entry is not None and sha256(data).hexdigest() == entry.sha256:
                    return FileStatus(State.CHANGED, mode=mode)
                is_ours = entry is not None or self.scope.force
                in_the_way = None if is_ours else _A_FILE
                return FileStatus(State.EDITED, in_the_way, mode=mode)
            case Blocked(description=description):
                return FileStatus(State.NEW, description)

    def writes(self, state: State) -> bool:
        """Whether a file in ``state`` is to be written."""
        return state is not State.SAME and (
            state is not State.EDITED or self.scope.force
        )

    def plan(self, files: Iterable[File], held: Mapping[str, bytes]) -> Plan:
        """Plan the changes after which ``files``, and no other generated files, are on the disk.

        ``held`` are the bytes of those that may have to be written and lie in no stage.
        """
        ordered = sorted(files, key=itemgetter(0))
        self._check(ordered)
        if self.is_hopeless:
            self.diagnostics.add(
                FILE_IN_THE_WAY, Span.at_file(self.root.name), what="a file"
            )
        if self.is_hopeless or self._is_refused(ordered):
            return Plan(
                root=self.root, states={}, puts=frozenset(), removes=(), held={}
            )
        paths = {file.path for file in ordered}
        orphans = self._orphans(paths)
        self._disk.clear(
            path for path, state in orphans.items() if state is State.ORPHANED
        )
        states = self._states(ordered)
        puts = [path for path, state in states.items() if self.writes(state)]
        if orphans:
            states = dict(sorted((states | orphans).items()))
        kept = set[str]() if self.scope.force else _edited(states)
        text = self._next_manifest(ordered, paths, kept).encode()
        if text != self._written:
            puts.append(MANIFEST_NAME)
            held = {**held, MANIFEST_NAME: text}
        return Plan(
            root=self.root,
            states=MappingProxyType(states),
            puts=frozenset(puts),
            removes=tuple(path for path in orphans if self.writes(orphans[path])),
            held={path: held[path] for path in puts if path in held},
            kept=tuple(sorted(kept)),
            unmade=frozenset(orphans),
            interrupted=self._was_interrupted,
            manifest=text,
        )

    def _is_refused(self, files: Sequence[File]) -> bool:
        """Report and return whether the output folder belongs, or may belong, to somebody else."""
        span, scope = Span.at_file(self.root.name), self.scope
        if self._has_manifest and self._problem is None:
            is_theirs = belongs_to_another_project(
                self._manifest.files, files, scope.package
            )
            if is_theirs and not scope.adopt:
                self.diagnostics.add(FOLDER_OF_OTHERS, span)
            return is_theirs and not scope.adopt
        is_ours = is_generated(files) or self._was_interrupted
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

    def _check(self, files: Sequence[File]) -> None:
        """Report invalid paths."""
        kept = self._without_clashes_of_rows(files)
        check_paths([(file.path, file.span) for file in kept], self.diagnostics)

    def _without_clashes_of_rows(self, files: Sequence[File]) -> list[File]:
        """Report each path that a target of the project shares with another target; return the
        files without those that were reported.
        """
        first: dict[str, File] = {}
        kept: list[File] = []
        for file in files:
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

    def _orphans(self, paths: set[str]) -> dict[str, State]:
        """Return the generated files on the disk that no artifact replaces, sorted."""
        orphans: dict[str, State] = {}
        for path, entry in sorted(self._manifest.files.items()):
            if path in paths or not self.scope.reaches(entry):
                continue
            match self._disk.look(path):
                case Present(data=data):
                    is_unchanged = sha256(data).hexdigest() == entry.sha256
                    orphans[path] = State.ORPHANED if is_unchanged else State.EDITED
                case Absent() | Blocked():
                    pass
        return orphans

    def _states(self, files: Sequence[File]) -> dict[str, State]:
        states = {file.path: file.state for file in files}
        lost = self._report_lost_manifest(files)
        for file in files:
            if file.in_the_way is not None and file.path not in lost:
                states[file.path] = self._state(file, file.in_the_way)
        return states

    def _report_lost_manifest(self, files: Sequence[File]) -> frozenset[str]:
        """Report a manifest that is gone; return the files that are in the way only for that."""
        strange = frozenset(file.path for file in files if file.in_the_way == _A_FILE)
        if self._has_manifest or not strange or not is_generated(files):
            return frozenset()
        span = self._disk.span(MANIFEST_NAME)
        files_differ = (
            "1 file differs" if len(strange) == 1 else f"{len(strange)} files differ"
        )
        self.diagnostics.add(MISSING_MANIFEST, span, differ=files_differ)
        return strange

    def _state(self, file: File, in_the_way: str) -> State:
        """The state of a file; reports what is still in its way without the orphans."""
        match self._disk.look(file.path):
            case Absent():
                is_ours = file.path in self._manifest.files
                return State.MISSING if is_ours else State.NEW
            case _:
                self._report(file.path, in_the_way)
                return file.state

    def _report(self, path: str, obstacle: str) -> None:
        self.diagnostics.add(FILE_IN_THE_WAY, self._disk.span(path), what=obstacle)

    def _next_manifest(
        self, files: Sequence[File], paths: set[str], kept: set[str]
    ) -> str:
        rows = [(file.path, file.sha256, file.target, file.sources) for file in files]
        retained = {
            # The record of a kept file stays, so that it is still known as edited the next time.
            path: (path, entry.sha256, entry.target, entry.sources)
            for path, entry in self._manifest.files.items()
            if path in kept or (path not in paths and not self.scope.reaches(entry))
        }
        if retained:
            rows = sorted(
                [row for row in rows if row[0] not in retained] + [*retained.values()]
            )
        return manifest_text(self.scope.version, rows)


def _edited(states: Mapping[str, State]) -> set[str]:
    return {path for path, state in states.items() if state is State.EDITED}
