"""Specs in; whether everything that is made of them says the same, as a table for people, out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from brimgen.cli.report import BUG, SOUND, SPEC_ERRORS, tell_build
from brimgen.cli.stamps import count

if TYPE_CHECKING:
    from brimgen.agreement.report import Report
    from brimgen.pipeline import Build
    from brimgen.settings.load import Settings

_MOST = 20
_LONGEST = 300


def show_agreement(settings: Settings) -> int:
    """Build in memory, hold the artifacts against each other, tell what was found.

    Raises click.UsageError where a target is off without which nothing can be shown.
    """
    from brimgen import pipeline

    for name in ("python", "json_schema"):
        if not settings.wants(name, default=True):
            problem = (
                f"the target {name} is off: there is nothing to hold others against."
            )
            raise click.UsageError(problem)
    made = pipeline.build(settings)
    tell_build(made, settings)
    if made.outputs is None:
        return SPEC_ERRORS
    report, odd = _found(made, settings)
    for line in _table(report):
        click.echo(line)
    for line in _wrong(report, odd):
        click.echo(line, err=True)
    if not report.differences and not odd:
        return SOUND
    click.echo("brimgen: this is a bug in brimgen; please report it", err=True)
    return BUG


def _found(made: Build, settings: Settings) -> tuple[Report, Mapping[str, str]]:
    """The report, and the modules that are not in the form of black, with why."""
    from brimgen import pipeline
    from brimgen.agreement.show import agreement
    from brimgen.agreement.style import unlike_black
    from brimgen.emit.losses import losses_of

    stages = pipeline.real_stages(settings)
    chosen = pipeline.choose_emitters(settings, stages.emitters)
    descriptors = [
        each
        for emitter in chosen
        if emitter.descriptors is not None
        for each in emitter.descriptors(made.catalog)
    ]
    files = {each.path: each.data.decode() for each in made.outputs or ()}
    losses = losses_of(made.catalog, chosen) or ()
    report = agreement(made.catalog, files, descriptors, losses)
    report.modules = sum(path.endswith(".py") for path in files)
    return report, dict(unlike_black(files))


def _table(report: Report) -> Iterator[str]:
    """A row for each artifact, and below it what it may say otherwise."""
    verdicts = sum(each.asked for each in report.tallies.values())
    yield (
        f"{count(report.tools, 'tool')}, {count(report.instances, 'call')} at the edges of "
        f"their schemas, {count(verdicts, 'verdict')}, {count(report.modules, 'module')}"
    )
    width = max(map(len, report.tallies), default=0)
    for name, tally in report.tallies.items():
        yield f"  {name:<{width}}  {tally.accepted:>7} accepted  {tally.asked:>7} asked"
        for reason, times in sorted(tally.excepted.items(), key=lambda x: (-x[1], x)):
            yield f"  {'':<{width}}    {count(times, 'time')}: {reason}"
    for tool, why in report.unshown:
        yield f"  not shown: {tool.name} ({tool.span.file}:{tool.span.line}): {why}"
    differ = len(report.differences)
    agree = f"all of {'the others' if report.unshown else 'them'} agree"
    yield count(differ, "difference") if differ else agree


def _wrong(report: Report, odd: Mapping[str, str]) -> Iterator[str]:
    for each in report.differences[:_MOST]:
        span = each.tool.span
        yield f"{span.file}:{span.line}: {each.tool.name}: {each.artifact} {each.says}"
        yield f"    {_shortened(each.instance)}"
    if len(report.differences) > _MOST:
        yield f"    and {len(report.differences) - _MOST} more"
    for path, why in odd.items():
        yield f"{path}: {why}"


def _shortened(instance: Any) -> str:
    text = json.dumps(instance)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
