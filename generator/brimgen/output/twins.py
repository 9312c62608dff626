"""Twins: folders known to be alike in the output folder and in its spare, which nobody lists.

Listing five thousand files three times took as long as building a tool and its lists. A folder of
each is known by its device, its identity and the time of its inode: whoever puts a name into it,
takes one out, or another file to one, gives it a later time, and nobody can set that back. Where
both folders are as a run left them, they have the same names for the same files, but for those
that the run replaced.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from brimgen.frozen import dataclass
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Known
from brimgen.stamp.evidence import (
    COARSE,
    COARSE_STEP,
    TICK,
    own_bytes,
    packed,
    state,
    unpacked,
)

TWINS_NAME = ".brimgen-twins"
"""In the spare, so that it goes wherever that goes; no path of an output can be called so."""

Mark: TypeAlias = tuple[int, int, int]
"""Device, identity and time of the inode (nanoseconds) of a folder."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A folder as it was before it was looked at, and the names of the folders in it."""

    mark: Mark
    within: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Twins:
    """Folders by path: how they were in the output folder and in the spare, and the paths of what
    lies in them; ``other`` are the files that are others there, ``manifest`` tells whose all are.
    """

    folders: Mapping[str, tuple[Mark, Mark, tuple[str, ...]]]
    other: tuple[str, ...]
    manifest: Known | None

    def is_of(self, root: Path) -> bool:
        """Whether no other run has written to ``root`` since."""
        return self.manifest == state(f"{root}/{MANIFEST_NAME}")

    def is_twin(self, folder: str, root: Path) -> bool:
        """Whether a folder of ``root`` has not changed, as far as those above have not."""
        known = self.folders.get(folder)
        with suppress(OSError):
            return known is not None and known[0] == mark(os.lstat(root / folder))
        return False

    def is_touched(self, spare: Path, moment: int) -> bool:
        """Whether somebody was in the spare, which was put away at ``moment`` (nanoseconds): has
        changed a folder, whatever its times say, or written to a file that is in the spare alone.
        """
        try:
            return any(
                known[1] != mark(os.lstat(spare / folder))
                for folder, known in self.folders.items()
            ) or not all(
                is_settled(mark(os.lstat(spare / path)), moment) for path in self.other
            )
        except OSError:
            return True


def mark(found: os.stat_result) -> Mark:
    """What a folder is known by."""
    return found.st_dev, found.st_ino, found.st_ctime_ns


def is_settled(known: Mark, moment: int) -> bool:
    """Whether a folder that changes after ``moment`` (nanoseconds) is known by another mark then:
    clocks of file systems tick (`brimgen.stamp.evidence.unsettled`).
    """
    changed = known[2]
    return changed < moment - (TICK if changed % COARSE_STEP else COARSE)


@dataclass(frozen=True, slots=True)
class Made:
    """The marks of the folders of a new tree, and what its manifest is known by, at ``moment``
    (nanoseconds), when it was done.
    """

    marks: Mapping[str, Mark]
    manifest: Known | None
    moment: int

    @classmethod
    def of(cls, tree: Path, folders: Iterable[str]) -> Made:
        """Look at a tree that is done, of whose ``folders`` some may be gone. Raises `OSError`."""
        moment, marks = time.time_ns(), dict[str, Mark]()
        for folder in folders:
            with suppress(FileNotFoundError):
                marks[folder] = mark(os.lstat(tree / folder))
        return cls(marks, state(str(tree / MANIFEST_NAME)), moment)


def write_twins(spare: Path, twins: Twins) -> None:
    """Lay down what is known of a spare, in it. Raises `OSError`."""
    said = {**twins.folders}, twins.other, twins.manifest
    # What has this name there, after all, may be a file of somebody else.
    with (spare / TWINS_NAME).open("xb") as stream:
        stream.write(packed(said))


def read_twins(spare: Path) -> Twins | None:
    """What is known of a spare; None where that is not to be believed: it is damaged."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = own_bytes(str(spare / TWINS_NAME))
        said = None if data is None else unpacked(data)
        return None if said is None else Twins(*said)
    return None
