"""The plan of a run: the generated files, the state of each, and what to write and remove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass
from brimgen.output.manifest import Entry


@dataclass(frozen=True, slots=True)
class Output:
    """One generated file: its path, its bytes, its target and the specs that it is made from.

    ``is_copy``: it is a file of the runtime, the same in every build.
    """

    path: str
    data: bytes
    target: str
    sources: tuple[str, ...] = ()
    is_copy: bool = False


class State(StrEnum):
    """The state of a file on the disk, compared with the generated one.

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


class File(NamedTuple):
    """One generated file without its bytes, and what is at its place.

    ``in_the_way`` describes something at its path that must not be replaced. ``is_written``:
    a file with these bytes lies in the stage or in the old tree.
    """

    path: str
    target: str
    sources: tuple[str, ...]
    size: int
    sha256: str
    state: State
    in_the_way: str | None = None
    is_written: bool = False

    @property
    def span(self) -> Span:
        """The place to complain about: the first spec behind the file, or the file."""
        return Span.at_file(self.sources[0] if self.sources else self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The changes that a run makes to the folder ``root``.

    ``states`` has every generated file, sorted if any is reported. ``puts`` and ``removes`` are the
    files to write and to remove, the manifest included; ``held`` are the bytes of those puts that
    lie in no stage. ``kept`` are the edited files that stay as they are. ``interrupted``: an
    earlier run left its journal behind. ``manifest`` are the bytes of the manifest, new or
    unchanged.
    """

    root: Path
    states: Mapping[str, State]
    puts: frozenset[str]
    removes: tuple[str, ...]
    held: Mapping[str, bytes]
    kept: tuple[str, ...] = ()
    unmade: frozenset[str] = frozenset()
    interrupted: bool = False
    manifest: bytes = b""

    @property
    def is_clean(self) -> bool:
        """Whether the folder is up to date, with nothing edited or interrupted."""
        return not (self.puts or self.removes or self.kept or self.interrupted)

    def paths(self, state: State) -> tuple[str, ...]:
        """The generated files in ``state``, sorted."""
        return tuple(path for path, current in self.states.items() if current is state)


def _no_row(target: str, path: str) -> Span | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The options that decide which files a run may touch.

    ``version`` is written into the manifest; ``force`` overwrites edited files; ``adopt`` takes
    over a folder with files that brimgen did not write; ``targets`` restricts the run to the files
    of some targets (None: all). ``package`` is the name of the generated package ("": unknown).
    ``row_of`` gives the place in the configuration of the target of the project that writes a path;
    None for targets of brimgen.
    """

    version: str
    force: bool = False
    adopt: bool = False
    targets: frozenset[str] | None = None
    package: str = ""
    row_of: Callable[[str, str], Span | None] = _no_row

    def reaches(self, entry: Entry) -> bool:
        """Whether a file of the manifest may be touched."""
        return self.targets is None or entry.target in self.targets
