"""Run `brimgen verify`: ask the artifacts of a build about calls, and print the report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    BUG,
    SOUND,
    SPEC_ERRORS,
    count,
    print_text,
    report_build,
    write_text,
)

if TYPE_CHECKING:
    from brimgen.agreement.report import Difference, Excuse, Report, Times, UntestedTool
    from brimgen.api import Build
    from brimgen.settings.load import Settings
    from brimgen.stages import Stages

_MOST = 20
_LONGEST = 300
_COLUMNS = ("asked", "accepted", "refused")
_NUMBER = 7
_BUG = (
    "brimgen: this is a bug in brimgen, never in your specs; please report it, with these "
    "lines and the spec\n"
)
_UNCALLED = (
    "brimgen: a tool of which no valid call is known cannot be tried; follow the remedy "
    "of each\n"
)


def verify_project(settings: Settings) -> int:
    """Build in memory, ask the artifacts about calls, print the report; return the exit code.

    Raises click.UsageError if a target is off that the comparison needs.
    """
    from brimgen import api

    for name in ("python", "json_schema"):
        if not settings.makes(name):
            problem = (
                f"the target {name} is off: there is nothing to hold others against."
            )
            raise click.UsageError(problem)
    with showing_progress(settings) as stages:
        build = api.build(settings, stages)
    if build.outputs is None:
        report_build(build, settings)
        return SPEC_ERRORS
    with showing_progress(settings) as stages:
        report = _judge(build, stages)
    report_build(build, settings)
    for line in (*differences(report), *uncalled_tools(report)):
        write_text(f"{line}\n")
    for line in table(report):
        print_text(f"{line}\n")
    if report.differences:
        write_text(_BUG)
        return BUG
    if report.uncalled:
        write_text(_UNCALLED)
        return SPEC_ERRORS
    return SOUND


def _judge(build: Build, stages: Stages) -> Report:
    """Return what the calls show of the files of a build."""
    from brimgen.agreement.verify import agreement
    from brimgen.emit.losses import losses_of

    descriptors = [
        descriptor
        for emitter in stages.emitters
        if emitter.descriptors is not None
        for descriptor in emitter.descriptors(build.catalog)
    ]
    files = {output.path: output.data.decode() for output in build.outputs or ()}
    losses = losses_of(build.catalog, stages.emitters) or ()
    through = partial(stages.steps.through, "comparing tools")
    return agreement(build.catalog, files, descriptors, losses, through=through)


def differences(report: Report) -> Iterator[str]:
    """Yield each difference once, with the shortest call that shows it."""
    groups: dict[tuple[str, str, str], list[Difference]] = {}
    for difference in report.differences:
        key = (
            difference.tool.name,
            difference.artifact,
            difference.says,
        )
        groups.setdefault(key, []).append(difference)
    for same in [*groups.values()][:_MOST]:
        yield from _difference(same)
    if len(groups) > _MOST:
        yield f"and {count(len(groups) - _MOST, 'more difference')}"


def uncalled_tools(report: Report) -> Iterator[str]:
    """Yield each tool of which no valid call is known, why, and what its author can do."""
    for untested in report.uncalled:
        text = f"{_place(untested)}: {untested.tool.name}: no valid call is known: {untested.why}"
        yield text
        yield f"    remedy: {untested.remedy}"


def table(report: Report) -> Iterator[str]:
    """Yield a row for each artifact, the excused differences, what was not tested, the verdict."""
    yield (
        f"{_counted(report.tools, 'tool')}, {_counted(report.instances, 'call')} at the edges "
        "of their schemas"
    )
    yield ""
    yield from _rows(report)
    yield from _excuse_lines(report)
    yield from _untested_lines(report.unshown)
    yield from _unread_lines(report)
    yield ""
    yield _closing_line(report)


def _unread_lines(report: Report) -> Iterator[str]:
    """Yield what was not tested."""
    lines = [
        f"{subject}: {times.count:,}, the first of {times.first}"
        for subject, times in report.left_out.items()
    ]
    unjudged = _unjudged(report)
    if unjudged:
        lines.append(
            f"{_counted(unjudged, 'question')} that the independent validator cannot answer"
        )
    if lines:
        yield ""
        yield "Not looked at:"
        yield from (f"  {line}" for line in lines)


def _unjudged(report: Report) -> int:
    """Return how often the independent validator had no verdict about a call."""
    from brimgen.agreement.report import UNJUDGED

    return sum(
        times.count
        for tally in report.tallies.values()
        for excuse, times in tally.excused.items()
        if excuse.may == UNJUDGED
    )


def _counted(number: int, noun: str) -> str:
    return count(number, noun).replace(str(number), f"{number:,}", 1)


def _rows(report: Report) -> Iterator[str]:
    """Yield the tallies."""
    rows: list[tuple[str, ...]] = [("", *_COLUMNS)]
    for name, tally in report.tallies.items():
        numbers = (tally.asked, tally.accepted, tally.asked - tally.accepted)
        rows.append((name, *(f"{number:,}" for number in numbers)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        numbered = zip(cells, widths[1:], strict=True)
        row = "".join(f"  {cell:>{wide}}" for cell, wide in numbered)
        yield f"  {name:<{widths[0]}}{row}"


def _excuse_lines(report: Report) -> Iterator[str]:
    """Yield how often two artifacts differed with an excuse, by keyword, most frequent first."""
    if not any(tally.excused for tally in report.tallies.values()):
        return
    yield ""
    yield "What may differ, how often it did, and where first:"
    for name, tally in report.tallies.items():
        rows = sorted(tally.excused.items(), key=_order)
        for may, same in groupby(rows, key=lambda row: row[0].may):
            yield f"  {name} {may}"
            yield from _reasons([*same])


def _order(row: tuple[Excuse, Times]) -> tuple[str, int, str]:
    excuse, times = row
    return excuse.may, -times.count, excuse.what


def _reasons(rows: Sequence[tuple[Excuse, Times]]) -> Iterator[str]:
    longest = max(len(excuse.what) for excuse, _ in rows)
    for excuse, times in rows:
        number = f"    {times.count:>{_NUMBER},}  "
        text = f"{number}{excuse.what:<{longest}}  {times.first}"
        yield text.rstrip()


def _untested_lines(unshown: Sequence[UntestedTool]) -> Iterator[str]:
    if unshown:
        yield ""
        yield "Not shown:"
    for untested in unshown:
        part = f": {untested.part}" if untested.part else ""
        text = f"  {_place(untested)}: {untested.tool.name}{part}: {untested.why}"
        yield text
        yield f"    to have it shown: {untested.remedy}"


def _closing_line(report: Report) -> str:
    """Return the last line: whether all agrees, or what does not."""
    bad: list[str] = []
    if report.differences:
        tools = {difference.tool.name for difference in report.differences}
        differ = count(len(report.differences), "difference")
        bad.append(f"{differ} in {len(tools)} of {_counted(report.tools, 'tool')}")
    if report.uncalled:
        whole = _counted(report.tools, "tool")
        bad.append(f"no valid call is known of {len(report.uncalled):,} of {whole}")
    if bad:
        return "; ".join(bad)
    if not report.unshown and (report.left_out or _unjudged(report)):
        whole = _counted(report.tools, "tool")
        return f"all that was asked of {whole} agrees; some was not looked at"
    if not report.unshown:
        return f"all artifacts of {_counted(report.tools, 'tool')} agree"
    unshown = len({untested.tool.name for untested in report.unshown})
    whole = _counted(report.tools, "tool")
    return f"all that is shown agrees; {unshown} of {whole} not shown, or not wholly"


def _difference(same: Sequence[Difference]) -> Iterator[str]:
    first = same[0]
    text = f"{_place(first)}: {first.tool.name}: {first.artifact} {first.says}"
    yield text
    calls = sorted((json.dumps(difference.instance) for difference in same), key=len)
    if first.instance is not None or len(same) > 1:
        yield f"    call: {_shortened(calls[0])}"
    if len(same) > 1:
        yield f"    and {_counted(len(same) - 1, 'other call')}"


def _place(finding: Difference | UntestedTool) -> str:
    span = finding.tool.span
    return f"{span.file}:{span.line}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
