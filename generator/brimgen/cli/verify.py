"""Run `brimgen verify`: build, check that all artifacts agree, and print the report."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, TextIO

import click

from brimgen.cli.progress import following
from brimgen.cli.report import BUG, SOUND, SPEC_ERRORS, report_build, write_text
from brimgen.cli.stdout import print_text
from brimgen.cli.verify_report import differences, table

if TYPE_CHECKING:
    from brimgen.agreement.report import Report
    from brimgen.pipeline import Build
    from brimgen.settings.load import Settings
    from brimgen.stages import Stages

_BUG = (
    "brimgen: this is a bug in brimgen, never in your specs; please report it, with these "
    "lines and the spec"
)


def verify_project(settings: Settings, *, goes_on: bool = False) -> int:
    """Build in memory, compare all artifacts, print the report.

    Where all agree and the run ``goes_on`` with a build, that one tells what is to be said of the
    specs. Raises click.UsageError where a target is off without which nothing can be shown.
    """
    from brimgen import pipeline

    for name in ("python", "json_schema"):
        if not settings.makes(name):
            problem = (
                f"the target {name} is off: there is nothing to hold others against."
            )
            raise click.UsageError(problem)
    with following(settings) as stages:
        made = pipeline.build(settings, stages)
    if made.outputs is None:
        report_build(made, settings)
        return SPEC_ERRORS
    with following(settings) as stages:
        report, odd = _verified(made, settings, stages)
    is_sound = not report.differences and not odd
    if not (is_sound and goes_on):
        report_build(made, settings)
    for line in differences(report, odd, _width(sys.stderr)):
        write_text(f"{line}\n")
    for line in table(report, odd, _width(sys.stdout)):
        print_text(f"{line}\n")
    if is_sound:
        return SOUND
    write_text(f"{_BUG}\n")
    return BUG


def _width(stream: TextIO | None) -> int | None:
    """The columns of a terminal; None for what is none, where lines are not broken."""
    if stream is None or not stream.isatty():
        return None
    return shutil.get_terminal_size().columns


def _verified(
    made: Build, settings: Settings, stages: Stages
) -> tuple[Report, Mapping[str, str]]:
    """The report, and the modules that are not in the form of black, with why."""
    from brimgen import pipeline
    from brimgen.agreement.python_style import unlike_black
    from brimgen.agreement.verify import agreement
    from brimgen.emit.losses import losses_of

    through = stages.steps.through
    chosen = pipeline.choose_emitters(settings, stages.emitters)
    descriptors = [
        descriptor
        for emitter in chosen
        if emitter.descriptors is not None
        for descriptor in emitter.descriptors(made.catalog)
    ]
    files = {output.path: output.data.decode() for output in made.outputs or ()}
    losses = losses_of(made.catalog, chosen) or ()
    report = agreement(
        *(made.catalog, files, descriptors, losses),
        through=partial(through, "comparing tools"),
    )
    report.modules = sum(path.endswith(".py") for path in files)
    texts = through("comparing modules with black", sorted(files.items()))
    return report, dict(unlike_black(texts))
