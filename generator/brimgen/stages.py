"""Define what each stage before the output takes and returns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Emitter
from brimgen.frozen import dataclass, field
from brimgen.identity.assign import Supply
from brimgen.lint.options import LintOptions
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.output.lock_file import PendingLockFile
from brimgen.output.plan import Output, Plan
from brimgen.source.document import Document, SourceFile
from brimgen.syntax.decls import SpecSet

_Item = TypeVar("_Item")


class Lint(Protocol):
    """The stage that advises on sound specs; see `brimgen.lint.run_checks.lint`."""

    def __call__(
        self,
        catalog: Catalog,
        options: LintOptions,
        diagnostics: Diagnostics,
        /,
        *,
        notes: bool,
    ) -> None:
        """Report what breaks the rules that apply."""


class Steps:
    """Receives the progress of a run; this base class ignores it."""

    def begin(self, step: str) -> None:
        """Note that a step begins: ``checking tools``."""

    def through(self, step: str, items: Sequence[_Item]) -> Iterable[_Item]:
        """Return ``items``, whose progress a subclass may show while a step consumes them."""
        return items


def _unjudged(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report nothing: for tests whose tools have no statements."""


def _no_templates(diagnostics: Diagnostics) -> None:
    """Report nothing: the project has no templates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """The stages before the output, in order; tests may replace them."""

    read_files: Callable[[Path, Diagnostics], tuple[SourceFile, ...]]
    compose: Callable[[SourceFile, Diagnostics], tuple[Document, ...]]
    parse: Callable[[Iterable[Document], Diagnostics], SpecSet]
    resolve: Callable[[SpecSet, Project, Diagnostics], Catalog]
    emitters: tuple[Emitter, ...]
    judge: Callable[[Catalog, Diagnostics], None] = _unjudged
    check_templates: Callable[[Diagnostics], None] = _no_templates
    lint: Lint | None = None
    supply: Supply = field(default_factory=Supply)
    steps: Steps = field(default_factory=Steps)


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
