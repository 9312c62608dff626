"""The results of a run: a build, and how it compares with the output folder."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.output.lock_file import PendingLockFile
from brimgen.output.plan import Output, Plan
from brimgen.source.document import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The outcome of the stages.

    ``outputs`` is None if there are errors. ``sources`` are the spec files as they were
    read; ``lock`` is the lock file, if any.
    """

    diagnostics: Diagnostics
    sources: tuple[SourceFile, ...]
    catalog: Catalog
    outputs: tuple[Output, ...] | None
    lock: PendingLockFile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a build compares with the output folder.

    ``plan`` is None if the specs have errors, or if a file cannot be written in its place.
    """

    build: Build
    plan: Plan | None

    @property
    def is_clean(self) -> bool:
        """Whether neither a file nor the lock file has to be written."""
        lock = self.build.lock
        locked = lock is None or not lock.is_stale
        return locked and self.plan is not None and self.plan.is_clean
