"""Show many generated files that are out of date as one block of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rules import (
    EDITED_ORPHAN,
    EXTRA_OUTPUT,
    HAND_EDITED,
    MISSING_OUTPUT,
    OUTDATED,
)
from brimgen.diagnostics.show_full import BLUE, BOLD, COLOURS, Paint
from brimgen.diagnostics.show_report import Report, visible

STATES: Mapping[str, str] = MappingProxyType(
    {
        HAND_EDITED.reason: "edited by hand",
        EDITED_ORPHAN.reason: "edited by hand, without a spec",
        MISSING_OUTPUT.reason: "missing",
        EXTRA_OUTPUT.reason: "without a spec",
        OUTDATED.reason: "outdated",
    }
)
"""The reasons about single outdated files, the most important first, each with the state of the
file.
"""
BY_CHECK = frozenset({"O521", "O524", "O526"})
"""The codes that only `check` reports, and that make it fail."""
ON_DISK = BY_CHECK | {"O513", "O514", "O520", "O525", "O530"}
"""The codes whose places are files beside or in the output folder, not specs."""
_SHOWN = 10


def drift(report: Report) -> str:
    """The first files of a report whose rules are all in `STATES`, the most important first, and
    the number of files in each state with what to do about them.
    """
    paint = Paint(report.colour)
    diagnostics = sort_by_importance(report.diagnostics)
    severity = diagnostics[0].rule.severity
    lines = [
        f"{paint(COLOURS[severity], severity)}{paint(BOLD, f': {headline(diagnostics)}')}"
    ]
    arrow = paint(BLUE, "-->")
    lines += [f" {arrow} {item}" for item in file_lines(report, diagnostics)]
    lines += [f"  {paint(BLUE, '=')} {line}" for line in advice(diagnostics)]
    return "\n".join(lines) + "\n"


def with_drift(
    shown: Sequence[Diagnostic], texts: Sequence[str], *, colour: bool
) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """Replace the ``texts`` of rules in `STATES` by one block at the end.

    Returns the texts, and the diagnostics to count: the block counts as one.
    """
    alike = tuple(
        diagnostic for diagnostic in shown if diagnostic.rule.reason in STATES
    )
    pairs = zip(shown, texts, strict=True)
    remaining = [pair for pair in pairs if pair[0].rule.reason not in STATES]
    block = drift(Report(diagnostics=alike, sources={}, colour=colour))
    all_texts = (*(text for _, text in remaining), block)
    return all_texts, (*(diagnostic for diagnostic, _ in remaining), alike[0])


def sort_by_importance(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort the reports of rules in `STATES` by importance."""
    order = [*STATES]
    return sorted(
        diagnostics, key=lambda diagnostic: order.index(diagnostic.rule.reason)
    )


def headline(diagnostics: Sequence[Diagnostic]) -> str:
    """How many files ``diagnostics`` is about."""
    return f"{len(diagnostics)} generated files are not what the specs say"


def file_lines(report: Report, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """The first files of ``diagnostics``, each with its state, and how many there are besides."""
    for diagnostic in diagnostics[:_SHOWN]:
        yield f"{visible(report.path(diagnostic.span))} ({STATES[diagnostic.rule.reason]})"
    if (more := len(diagnostics) - _SHOWN) > 0:
        yield f"and {more} more; `--format concise` lists them all"


def advice(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    """``8 missing (O521), 190 outdated (O521): Run …`` for each thing that is to be done."""
    kinds: dict[str, list[str]] = {}
    for reason, state in STATES.items():
        rules = [each.rule for each in diagnostics if each.rule.reason == reason]
        for rule in rules[:1]:
            told = f"{len(rules)} {state} ({rule.code})"
            kinds.setdefault(rule.help, []).append(told)
    for help, counted in kinds.items():
        yield f"{', '.join(counted)}: {help}"
