"""The stages before the output: what each takes, and what it hands on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Emitter
from brimgen.frozen import dataclass, field
from brimgen.keeping.supply import Supply
from brimgen.lint.options import LintOptions
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.source.document import Document, SourceFile
from brimgen.syntax.decls import SpecSet


class Lint(Protocol):
    """The stage that tells what is sound and unwise; see `brimgen.lint.tell.lint`."""

    def __call__(
        self,
        catalog: Catalog,
        options: LintOptions,
        found: Diagnostics,
        /,
        *,
        notes: bool,
    ) -> None:
        """Report what breaks the rules that apply."""


def _unjudged(catalog: Catalog, found: Diagnostics) -> None:
    """Report nothing: what stages say whose tools run nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stages:
    """The stages before the output, in their order; tests may put others in their place."""

    read_files: Callable[[Path, Diagnostics], tuple[SourceFile, ...]]
    compose: Callable[[SourceFile, Diagnostics], tuple[Document, ...]]
    parse: Callable[[Iterable[Document], Diagnostics], SpecSet]
    resolve: Callable[[SpecSet, Project, Diagnostics], Catalog]
    emitters: tuple[Emitter, ...]
    judge: Callable[[Catalog, Diagnostics], None] = _unjudged
    lint: Lint | None = None
    supply: Supply = field(default_factory=Supply)
