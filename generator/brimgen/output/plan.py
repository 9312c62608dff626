"""Generated files and the output folder in; what would change, and what is not ours, out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.output import FILE_IN_THE_WAY, UNREADABLE_MANIFEST
from brimgen.digest import sha256
from brimgen.frozen import dataclass
from brimgen.output.disk import Absent, Blocked, Disk, Present
from brimgen.output.manifest import (
    EMPTY,
    Entry,
    Manifest,
    UnreadableManifest,
    read_manifest,
)
from brimgen.output.paths import JOURNAL_NAME, MANIFEST_NAME, check_paths


@dataclass(frozen=True, slots=True)
class Output:
    """One generated file: where it belongs, its bytes, its target and the specs behind it."""

    path: str
    data: bytes
    target: str
    sources: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """The place to complain about: the first spec behind the file, or the file."""
        return Span.at_file(self.sources[0] if self.sources else self.path)


class State(StrEnum):
    """How a file on disk stands to what the specs say.

    ``NEW`` was never written, ``MISSING`` was and is gone, ``CHANGED`` is ours and outdated,
    ``EDITED`` is ours and was changed by another hand, ``ORPHANED`` is ours and has no spec any
    more, ``SAME`` is as it should be.
    """

    NEW = "new"
    MISSING = "missing"
    CHANGED = "changed"
    EDITED = "edited"
    ORPHANED = "orphaned"
    SAME = "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run has to do to the folder ``root``.

    ``states`` knows every generated file, sorted. ``puts`` and ``removes`` are the whole of the
    work, the manifest included. ``kept`` are the edited files that stay as they are.
    ``interrupted``: an earlier run left its journal behind. ``manifest`` are its bytes, whether
    they are to be written or stand there already.
    """

    root: Path
    states: Mapping[str, State]
    puts: Mapping[str, bytes]
    removes: tuple[str, ...]
    kept: tuple[str, ...] = ()
    unmade: frozenset[str] = frozenset()
    interrupted: bool = False
    manifest: bytes = b""

    @property
    def is_clean(self) -> bool:
        """Whether the folder is exactly what the specs say."""
        return not (self.puts or self.removes or self.kept or self.interrupted)

    def paths(self, state: State) -> tuple[str, ...]:
        """The generated files in ``state``, sorted."""
        return tuple(path for path, each in self.states.items() if each is state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """How far a run reaches: ``version`` signs the manifest; ``force`` overwrites what another
    hand changed; ``targets`` leaves the files of other targets alone (None: all are meant).
    """

    version: str
    force: bool = False
    targets: frozenset[str] | None = None

    def reaches(self, entry: Entry) -> bool:
        """Whether a file of the manifest may be touched."""
        return self.targets is None or entry.target in self.targets


def make_plan(
    outputs: Sequence[Output], root: Path, *, scope: Scope, found: Diagnostics
) -> Plan:
    """Compare ``outputs`` with the folder ``root``; reads, never writes.

    Reports O51x where the outputs cannot be written; the plan must not be carried out then.
    """
    check_paths([(each.path, each.span) for each in outputs], found)
    if os.path.lexists(root) and not root.is_dir():
        found.add(FILE_IN_THE_WAY, Span.at_file(root.name), what="a file")
        return Plan(root=root, states={}, puts={}, removes=())
    disk = Disk(root)
    manifest = _manifest(disk, scope, found)
    wanted = {each.path: each for each in outputs}
    gone = {
        path: entry
        for path, entry in manifest.files.items()
        if path not in wanted and scope.reaches(entry)
    }
    orphans = {path: _orphan_state(disk, path, entry) for path, entry in gone.items()}
    disk.clear(path for path, state in orphans.items() if state is State.ORPHANED)
    states = {path: state for path, state in orphans.items() if state is not None}
    for path, output in wanted.items():
        states[path] = _state(disk, output, manifest, scope, found)
    return _assemble(disk, wanted, manifest, states, scope)


def _manifest(disk: Disk, scope: Scope, found: Diagnostics) -> Manifest:
    match disk.look(MANIFEST_NAME):
        case Present(data=data):
            try:
                return read_manifest(data)
            except UnreadableManifest as problem:
                if not scope.force:
                    span = disk.span(MANIFEST_NAME)
                    found.add(UNREADABLE_MANIFEST, span, reason=problem)
        case Blocked(what=what):
            found.add(FILE_IN_THE_WAY, disk.span(MANIFEST_NAME), what=what)
        case Absent():
            pass
    return EMPTY


def _orphan_state(disk: Disk, path: str, entry: Entry) -> State | None:
    match disk.look(path):
        case Present(data=data):
            same = sha256(data) == entry.sha256
            return State.ORPHANED if same else State.EDITED
        case Absent() | Blocked():
            return None


def _state(
    disk: Disk, output: Output, manifest: Manifest, scope: Scope, found: Diagnostics
) -> State:
    path = output.path
    entry = manifest.files.get(path)
    match disk.look(path):
        case Absent():
            return State.MISSING if entry else State.NEW
        case Present(data=data):
            if data == output.data:
                return State.SAME
            if entry is not None:
                same = sha256(data) == entry.sha256
                return State.CHANGED if same else State.EDITED
            if not scope.force:
                found.add(FILE_IN_THE_WAY, disk.span(path), what="a file")
            return State.EDITED
        case Blocked(what=what):
            found.add(FILE_IN_THE_WAY, disk.span(path), what=what)
            return State.NEW


def _assemble(
    disk: Disk,
    wanted: Mapping[str, Output],
    manifest: Manifest,
    states: Mapping[str, State],
    scope: Scope,
) -> Plan:
    edited = [path for path, state in states.items() if state is State.EDITED]
    kept = frozenset[str]() if scope.force else frozenset(edited)
    puts = {
        path: output.data
        for path, output in sorted(wanted.items())
        if states[path] is not State.SAME and path not in kept
    }
    removes = [path for path in states if path not in wanted and path not in kept]
    text = _next_manifest(wanted, manifest, kept, scope).to_text().encode()
    match disk.look(MANIFEST_NAME):
        case Present(data=data) if data == text:
            pass
        case _:
            puts[MANIFEST_NAME] = text
    return Plan(
        root=disk.root,
        states=MappingProxyType(dict(sorted(states.items()))),
        puts=MappingProxyType(puts),
        removes=tuple(sorted(removes)),
        kept=tuple(sorted(kept)),
        unmade=frozenset(path for path in states if path not in wanted),
        interrupted=not isinstance(disk.look(JOURNAL_NAME), Absent),
        manifest=text,
    )


def _next_manifest(
    wanted: Mapping[str, Output],
    manifest: Manifest,
    kept: frozenset[str],
    scope: Scope,
) -> Manifest:
    files = {
        path: Entry(sha256(output.data), output.target, output.sources)
        for path, output in wanted.items()
    }
    for path, entry in manifest.files.items():
        # The record of a kept file stays, so that it is still known as edited the next time.
        if path in kept or (path not in wanted and not scope.reaches(entry)):
            files[path] = entry
    return Manifest(scope.version, MappingProxyType(files))
