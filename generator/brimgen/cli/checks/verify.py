"""Run `brimgen verify`: compare written files with the specs and each other; print the report."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from brimgen.cli.checks.verify_report import (
    differences,
    table,
    uncalled_tools,
    wrong_files,
)
from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    BUG,
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    report_build,
    write_text,
)
from brimgen.cli.console.stdout import print_text

if TYPE_CHECKING:
    from brimgen.agreement.report import Report
    from brimgen.output.written import WrittenFiles
    from brimgen.pipeline import Build
    from brimgen.settings.load import Settings
    from brimgen.stages import Stages

_BUG = (
    "brimgen: this is a bug in brimgen, never in your specs; please report it, with these "
    "lines and the spec\n"
)
_DRIFT = "brimgen: the files are not what the specs make; `brimgen generate` writes them again\n"
_UNCALLED = (
    "brimgen: a tool of which no valid call is known cannot be tried; follow the remedy "
    "of each\n"
)
_EMPTY = (
    "brimgen: nothing is generated in {}/: run `brimgen generate`, or "
    "`brimgen verify --built` to judge a build in memory\n"
)


def verify_project(
    settings: Settings,
    *,
    built: bool = False,
    installed: str | None = None,
    goes_on: bool = False,
) -> int:
    """Compare the written files with what the specs make, and with each other; print the report.

    ``built`` judges a build in memory instead, ``installed`` a package: its import name, its
    folder or a wheel. If all agree and the run ``goes_on`` with a build, that build reports the
    diagnostics of the specs. Raises click.UsageError if a target is off that the comparison needs.
    """
    from brimgen import pipeline

    package = None if installed is None else _package(installed)
    _check_targets(settings)
    with showing_progress(settings) as stages:
        build = pipeline.build(settings, stages)
    if build.outputs is None:
        report_build(build, settings)
        return SPEC_ERRORS
    written = _read(build, settings, package, built=built)
    folder = (package or settings.out).name
    if not (built or written.count):
        report_build(build, settings)
        write_text(_EMPTY.format(folder))
        return DRIFT
    with showing_progress(settings) as stages:
        report = _judge(build, settings, stages, written.texts)
    code, verdict = _verdict(report, written.problems)
    if not (code == SOUND and goes_on):
        report_build(build, settings)
    width = _width(sys.stderr)
    for line in wrong_files(written.problems, folder, width):
        write_text(f"{line}\n")
    for line in differences(report, width):
        write_text(f"{line}\n")
    for line in uncalled_tools(report, width):
        write_text(f"{line}\n")
    for line in table(report, _width(sys.stdout), written):
        print_text(f"{line}\n")
    write_text(verdict)
    return code


def _verdict(report: Report, problems: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit code, and the line that says what to do."""
    if problems:
        return DRIFT, _DRIFT
    if report.differences:
        return BUG, _BUG
    return (SPEC_ERRORS, _UNCALLED) if report.uncalled else (SOUND, "")


def _check_targets(settings: Settings) -> None:
    """Raise click.UsageError if a target is off that the comparison needs."""
    for name in ("python", "json_schema"):
        if not settings.makes(name):
            problem = (
                f"the target {name} is off: there is nothing to hold others against."
            )
            raise click.UsageError(problem)


def _package(name: str) -> Path:
    """Find a package. Raises click.UsageError if there is none."""
    from brimgen.output.written import find_package

    folder = find_package(name)
    if folder is None:
        problem = (
            f"there is no file or folder {name}, and {sys.executable} imports no package of that "
            "name. Run brimgen in the environment that has the package, or name its folder."
        )
        raise click.UsageError(problem)
    return folder


def _read(
    build: Build, settings: Settings, package: Path | None, *, built: bool
) -> WrittenFiles:
    """Read what was written, or take what is ``built``."""
    from zipfile import BadZipFile

    from brimgen.output.folder_lock import locked
    from brimgen.output.written import WrittenFiles, read_folder, read_package

    outputs = build.outputs or ()
    if built:
        texts = {output.path: output.data.decode() for output in outputs}
        unread = ("the files in the output folder",)
        return WrittenFiles(texts, {}, 0, unread)
    if package is None:
        with locked(settings.out, shared=True):
            return read_folder(settings.out, outputs, finds_extra=settings.only is None)
    try:
        return read_package(package, settings.project.package, outputs)
    except BadZipFile as problem:
        message = f"{package} is neither a folder nor a wheel."
        raise click.UsageError(message) from problem


def _width(stream: TextIO | None) -> int | None:
    """Return the width of a terminal; None for other streams, where lines are not broken."""
    if stream is None or not stream.isatty():
        return None
    return shutil.get_terminal_size().columns


def _judge(
    build: Build, settings: Settings, stages: Stages, files: Mapping[str, str]
) -> Report:
    """Return what the calls show of ``files``, the generated texts by path."""
    from brimgen import pipeline
    from brimgen.agreement.verify import agreement
    from brimgen.emit.losses import losses_of

    chosen = pipeline.choose_emitters(settings, stages.emitters)
    descriptors = [
        descriptor
        for emitter in chosen
        if emitter.descriptors is not None
        for descriptor in emitter.descriptors(build.catalog)
    ]
    losses = losses_of(build.catalog, chosen) or ()
    through = partial(stages.steps.through, "comparing tools")
    return agreement(build.catalog, files, descriptors, losses, through=through)
