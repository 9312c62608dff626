"""The results of a run: a build, and how it compares with the output folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics
from brimgen.emitting import Changed
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.output.lock_file import PendingLockFile
from brimgen.output.plan import File, Output, Plan
from brimgen.source.document import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The outcome of the stages: what was found, and the files, None if anything is wrong (or if
    they are not held, but were taken one by one).

    ``sources`` are the spec files as they were read, ``lock`` is the lock file, if there is one.
    """

    diagnostics: Diagnostics
    sources: tuple[SourceFile, ...]
    catalog: Catalog
    outputs: tuple[Output, ...] | None
    lock: PendingLockFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a run against the output folder; ``plan`` is None if the specs have errors
    (or the files cannot be written where they belong). ``files`` are those that were made, but for
    the manifest.

    Files that stay as they are were compared after ``compared_at``; nobody could see the others
    before ``written_at``. Both are nanoseconds of the clock.
    """

    build: Build
    plan: Plan | None
    files: tuple[File, ...] = ()
    compared_at: int = 0
    written_at: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing is to be written, the lock file included."""
        lock = self.build.lock
        locked = lock is None or not lock.is_stale
        return locked and self.plan is not None and self.plan.is_clean


Emit: TypeAlias = Callable[[Callable[[Output], None], Changed | None], None]
"""Hands the files of a sound build to somebody; see `brimgen.emitting.emit_into`."""

Prepared: TypeAlias = tuple[Build, Emit]
"""A build up to the gate, and the rest of it."""
