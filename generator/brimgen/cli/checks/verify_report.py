"""Print the results of `brimgen verify`: failures, a table, and a summary line."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from brimgen.cli.console.summary import count

if TYPE_CHECKING:
    from brimgen.agreement.report import Difference, Excuse, Report, Times, UntestedTool
    from brimgen.output.written import WrittenFiles

_MOST = 20
_LONGEST = 300
_NARROWEST = 40
_COLUMNS = ("asked", "accepted", "refused")
_NUMBER = 7


def wrong_files(
    problems: Mapping[str, str], folder: str, width: int | None = None
) -> Iterator[str]:
    """Yield each written file that differs from what the specs make, and why."""
    for path, why in [*problems.items()][:_MOST]:
        yield from _wrapped(f"{folder}/{path}: {why}", width, "    ")
    if len(problems) > _MOST:
        yield f"and {count(len(problems) - _MOST, 'more file')}"


def differences(report: Report, width: int | None = None) -> Iterator[str]:
    """Yield each difference once, with the shortest call that shows it.

    Lines are broken at ``width``; if it is None, they are not broken.
    """
    groups: dict[tuple[str, str, str, str], list[Difference]] = {}
    for difference in report.differences:
        key = (
            difference.tool.name,
            difference.artifact,
            difference.says,
            difference.file,
        )
        groups.setdefault(key, []).append(difference)
    for same in [*groups.values()][:_MOST]:
        yield from _difference(same, width)
    if len(groups) > _MOST:
        yield f"and {count(len(groups) - _MOST, 'more difference')}"


def uncalled_tools(report: Report, width: int | None = None) -> Iterator[str]:
    """Yield each tool of which no valid call is known, why, and what its author can do."""
    for untested in report.uncalled:
        text = f"{_place(untested)}: {untested.tool.name}: no valid call is known: {untested.why}"
        yield from _wrapped(text, width, "    ")
        yield from _wrapped(f"    remedy: {untested.remedy}", width, "      ")


def table(
    report: Report,
    width: int | None = None,
    written: WrittenFiles | None = None,
) -> Iterator[str]:
    """Yield a row for each artifact, the excused differences, what was not tested, the verdict."""
    yield from _wrapped(_scope_line(report), width, "")
    if written is not None and written.count:
        read = f"{_counted(written.count, 'file')} read and compared with the specs"
        yield from _wrapped(read, width, "")
    yield ""
    yield from _rows(report, width)
    yield from _excuse_lines(report, width)
    yield from _untested_lines(report.unshown, width)
    yield from _unread_lines(report, written, width)
    yield ""
    problems = {} if written is None else written.problems
    yield from _wrapped(_closing_line(report, problems), width, "")


def _unread_lines(
    report: Report,
    written: WrittenFiles | None,
    width: int | None,
) -> Iterator[str]:
    """Yield what was not tested."""
    lines = [*written.unread] if written is not None else []
    lines += [
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
        for line in lines:
            yield from _wrapped(f"  {line}", width, "    ")


def _unjudged(report: Report) -> int:
    """Return how often the independent validator had no verdict about a call."""
    from brimgen.agreement.report import UNJUDGED

    return sum(
        times.count
        for tally in report.tallies.values()
        for excuse, times in tally.excused.items()
        if excuse.may == UNJUDGED
    )


def _scope_line(report: Report) -> str:
    return (
        f"{_counted(report.tools, 'tool')}, {_counted(report.instances, 'call')} at the edges "
        "of their schemas"
    )


def _counted(number: int, noun: str) -> str:
    return count(number, noun).replace(str(number), f"{number:,}", 1)


def _rows(report: Report, width: int | None) -> Iterator[str]:
    """Yield the tallies; a narrow terminal gets no last column, which follows from the others."""
    rows: list[tuple[str, ...]] = [("", *_COLUMNS)]
    for name, tally in report.tallies.items():
        numbers = (tally.asked, tally.accepted, tally.asked - tally.accepted)
        rows.append((name, *(f"{number:,}" for number in numbers)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if width is not None and sum(widths) + 2 * len(widths) > width:
        del widths[-1]
    for name, *cells in rows:
        numbered = zip(cells, widths[1:], strict=False)
        row = "".join(f"  {cell:>{wide}}" for cell, wide in numbered)
        yield f"  {name:<{widths[0]}}{row}"


def _excuse_lines(report: Report, width: int | None) -> Iterator[str]:
    """Yield how often two artifacts differed with an excuse, by keyword, most frequent first."""
    if not any(tally.excused for tally in report.tallies.values()):
        return
    yield ""
    yield from _wrapped(
        "What may differ, how often it did, and where first:",
        width,
        "",
    )
    for name, tally in report.tallies.items():
        rows = sorted(tally.excused.items(), key=_order)
        for may, same in groupby(rows, key=lambda row: row[0].may):
            yield from _wrapped(f"  {name} {may}", width, "    ")
            yield from _reasons([*same], width)


def _order(row: tuple[Excuse, Times]) -> tuple[str, int, str]:
    excuse, times = row
    return excuse.may, -times.count, excuse.what


def _reasons(rows: Sequence[tuple[Excuse, Times]], width: int | None) -> Iterator[str]:
    longest = max(len(excuse.what) for excuse, _ in rows)
    for excuse, times in rows:
        number = f"    {times.count:>{_NUMBER},}  "
        text = f"{number}{excuse.what:<{longest}}  {times.first}"
        yield from _wrapped(text.rstrip(), width, " " * len(number))


def _untested_lines(
    unshown: Sequence[UntestedTool], width: int | None
) -> Iterator[str]:
    if unshown:
        yield ""
        yield "Not shown:"
    for untested in unshown:
        part = f": {untested.part}" if untested.part else ""
        text = f"  {_place(untested)}: {untested.tool.name}{part}: {untested.why}"
        yield from _wrapped(text, width, "    ")
        yield from _wrapped(f"    to have it shown: {untested.remedy}", width, "      ")


def _closing_line(report: Report, problems: Mapping[str, str]) -> str:
    """Return the last line: whether all agrees, or what does not."""
    bad: list[str] = []
    if problems:
        bad.append(f"{_counted(len(problems), 'file')} not what the specs make")
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


def _difference(same: Sequence[Difference], width: int | None) -> Iterator[str]:
    first = same[0]
    text = f"{_place(first)}: {first.tool.name}: {first.artifact} {first.says}"
    yield from _wrapped(text, width, "    ")
    if first.file:
        yield f"    file: {first.file}"
    calls = sorted((json.dumps(difference.instance) for difference in same), key=len)
    if first.instance is not None or len(same) > 1:
        yield from _wrapped(f"    call: {_shortened(calls[0])}", width, "      ")
    if len(same) > 1:
        yield f"    and {_counted(len(same) - 1, 'other call')}"


def _place(finding: Difference | UntestedTool) -> str:
    span = finding.tool.span
    return f"{span.file}:{span.line}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _wrapped(text: str, width: int | None, indent: str) -> list[str]:
    """Return a text as lines that fit the terminal; words are not broken."""
    if width is None or len(text) <= width:
        return [text]
    return textwrap.wrap(
        text,
        max(width, _NARROWEST),
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
