"""What a run knows of generated files and of the output folder; what it has to do to that."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass, field
from brimgen.named import NamedTuple
from brimgen.output.manifest import Entry

Known: TypeAlias = tuple[int, int, int, int]
"""Identity, size and times (of content, of inode) of a file, as `brimgen.stamp` tells files by."""


@dataclass(frozen=True, slots=True)
class Output:
    """One generated file: where it belongs, its bytes, its target and the specs behind it."""

    path: str
    data: bytes
    target: str
    sources: tuple[str, ...] = ()


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


class File(NamedTuple):
    """One generated file without its bytes, and what is at its place.

    ``in_the_way`` says in words what must not be replaced. ``known`` is the state of the file that
    holds these bytes, in the stage or in the old tree; None where there is none.
    """

    path: str
    target: str
    sources: tuple[str, ...]
    size: int
    sha256: str
    state: State
    in_the_way: str | None = None
    known: Known | None = None

    @property
    def span(self) -> Span:
        """The place to complain about: the first spec behind the file, or the file."""
        return Span.at_file(self.sources[0] if self.sources else self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run has to do to the folder ``root``.

    ``states`` knows every generated file, sorted where any is told of. ``puts`` and ``removes`` are
    the whole of the work, the manifest included; ``held`` are the bytes of those puts that lie in
    no stage. ``kept`` are the edited files that stay as they are. ``interrupted``: an earlier run
    left its journal behind. ``manifest`` are its bytes, whether they are to be written or stand
    there already; ``recorded`` are the files of the one that was there.
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
    recorded: Collection[str] = ()

    @property
    def is_clean(self) -> bool:
        """Whether the folder is exactly what the specs say."""
        return not (self.puts or self.removes or self.kept or self.interrupted)

    def paths(self, state: State) -> tuple[str, ...]:
        """The generated files in ``state``, sorted."""
        return tuple(path for path, each in self.states.items() if each is state)


@dataclass(frozen=True, slots=True)
class Written:
    """How a plan was carried out. Nobody else could see what was written before ``moment``
    (nanoseconds of the clock).

    ``links`` are the first and the last time that making and removing links has given to the
    inodes of what stayed, None where not all of it was linked; it had passed at ``linked_at``, of
    the monotonic clock, if anything was. ``known`` are the states of files that were staged for it.
    ``times`` are the times that moving and linking has given to the inodes of files; nothing else
    about these is new since they were staged or compared, or it is not of this run. Where files may
    be known by other states than they have now, ``is_exact`` is False.
    """

    moment: int
    links: tuple[int, int] | None = None
    linked_at: int = 0
    known: Mapping[str, Known] = field(default_factory=dict[str, Known])
    times: Mapping[str, int] = field(default_factory=dict[str, int])
    is_exact: bool = True


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
