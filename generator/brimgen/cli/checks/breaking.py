"""Compare the contracts of a build with those of an earlier tree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.contract.changes import Change, changes
from brimgen.contract.published import NoCommit, NoTree, contracts, of_commit, of_folder
from brimgen.contract.report_changes import report_breaking_changes
from brimgen.source.files import relative_name

if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.settings.load import Settings

_SCHEMAS = "json_schema"


def read_earlier_tree(settings: Settings, against: str) -> list[tuple[str, bytes]]:
    """Return the files of ``against``: of a folder, or of the output folder at a commit.

    Raises `click.BadParameter` if it is neither, or holds no output: everything would be new.
    """
    folder = Path(against)
    if against and folder.is_dir():
        tree = list(of_folder(folder))
        if not tree:
            inner = folder / settings.out.name
            help_ = f"; did you mean {inner}?" if any(of_folder(inner)) else "."
            raise _unusable(f"there is no output of brimgen in {against!r}{help_}")
        return tree
    try:
        tree = list(of_commit(settings.out.absolute(), against))
    except NoCommit as problem:
        raise _unusable(
            f"{against!r} is no folder, and git knows no such commit here: {problem}. "
            "A commit of another place must be there first: run `git fetch`, or give "
            "actions/checkout `fetch-depth: 0`, where only the last commit was fetched."
        ) from problem
    except NoTree as problem:
        raise _unusable(
            f"{against!r} is no folder, and git cannot read it as a commit with "
            f"{settings.out.name}/ in it: {problem}."
        ) from problem
    if not tree:
        raise _unusable(
            f"{settings.out.name}/ at {against!r} is no output of brimgen: "
            "there is no manifest.json in it, and no schema of a tool."
        )
    return tree


def _unusable(problem: str) -> click.BadParameter:
    return click.BadParameter(problem, param_hint="'--against'")


def compare_contracts(
    build: Build, settings: Settings, earlier: Iterable[tuple[str, bytes]]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Return all changes, and the breaking ones without approval, which are reported.

    Without the target ``json_schema`` there is nothing to compare.
    """
    if build.outputs is None or not settings.makes(_SCHEMAS):
        return (), ()
    published = contracts((output.path, output.data) for output in build.outputs)
    all_changes = changes(contracts(earlier), published)
    out = relative_name(settings.out, settings.specs.parent)
    return all_changes, report_breaking_changes(
        all_changes,
        build.catalog,
        settings.lint,
        build.diagnostics,
        out=out,
    )
