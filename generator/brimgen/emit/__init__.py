"""Import targets by name, and check statements.

A target is imported when it is chosen: most runs need a few of them, and all of them together take
longer to import than one changed spec takes to build (`docs/internal/performance.md`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

from brimgen.diagnostics.rules import CONFIRM_READ_ONLY
from brimgen.model.catalog import SqlBody
from brimgen.model.targets import TARGETS, target_named

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostics
    from brimgen.emit.artifact import Emitter
    from brimgen.model.catalog import Catalog
    from brimgen.model.project import Project
    from brimgen.model.targets import Target

EMITTERS: tuple[Emitter, ...]
"""All targets, imported when they are asked for."""

__all__ = ["EMITTERS", "describing_emitters", "emitter", "emitter_of", "judge"]


def emitter(name: str) -> Emitter:
    """Import the target called ``name``."""
    return emitter_of(target_named(name))


def emitter_of(target: Target) -> Emitter:
    """Import a target from the folder of its name, or make it of its files."""
    if target.files:
        from brimgen.emit.custom.project_targets import ProjectTargets

        return ProjectTargets(None, describing_emitters).of_files(target)
    return cast("Emitter", import_module(f"brimgen.emit.{target.name}").EMITTER)


def describing_emitters(project: Project) -> tuple[Emitter, ...]:
    """Import the targets of ``project`` that describe tools to models.

    They do not depend on the flags of a run, so that every run describes the same tools.
    """
    from brimgen.emit.chosen_targets import makes

    return tuple(
        emitter_of(target)
        for target in TARGETS
        if target.profiles and makes(project, target.name)
    )


def judge(catalog: Catalog, diagnostics: Diagnostics) -> None:
    """Report what is wrong with statements and their parameters (SQLxxx), whatever targets there
    are: a server runs what `sql` makes, and descriptors tell models what a statement gives. Also
    report questions that nobody needs to be asked.
    """
    for tool in catalog.tools:
        if tool.confirm is not None:
            from brimgen.emit.protocol.annotations import annotations_of

            if annotations_of(catalog, tool).read_only:
                diagnostics.add(CONFIRM_READ_ONLY, tool.confirm.span, tool=tool.name)
    # Without a statement, nothing that reads SQL is imported.
    if any(isinstance(tool.body, SqlBody) for tool in catalog.tools):
        from brimgen.sql.checks.run_checks import check

        check(catalog, diagnostics)


def __getattr__(name: str) -> tuple[Emitter, ...]:
    if name != "EMITTERS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(emitter_of, TARGETS))
