"""Show many generated files that are out of date as one block of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rules.output import STATES
from brimgen.diagnostics.show_full import BLUE, BOLD, COLOURS, Paint
from brimgen.diagnostics.show_report import Report, visible

_SHOWN = 10


def drift(report: Report) -> str:
    """The first files of a report whose rules are all in `STATES`, those that matter most before
    others; how many there are in each state, and what is to be done about them."""
    paint = Paint(report.colour)
    found = by_weight(report.diagnostics)
    severity = found[0].rule.severity
    lines = [
        f"{paint(COLOURS[severity], severity)}{paint(BOLD, f': {headline(found)}')}"
    ]
    arrow = paint(BLUE, "-->")
    lines += [f" {arrow} {item}" for item in listed(report, found)]
    lines += [f"  {paint(BLUE, '=')} {each}" for each in advice(found)]
    return "\n".join(lines) + "\n"


def with_drift(
    shown: Sequence[Diagnostic], texts: Sequence[str], *, colour: bool
) -> tuple[tuple[str, ...], tuple[Diagnostic, ...]]:
    """The ``texts`` of those that are ``shown``, with all of rules in `STATES` in one, the last;
    and those that count, of which this is one.
    """
    alike = tuple(each for each in shown if each.rule in STATES)
    pairs = zip(shown, texts, strict=True)
    others = [pair for pair in pairs if pair[0].rule not in STATES]
    block = drift(Report(diagnostics=alike, sources={}, colour=colour))
    all_texts = (*(text for _, text in others), block)
    return all_texts, (*(each for each, _ in others), alike[0])


def by_weight(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort the reports of rules in `STATES` by importance."""
    order = [*STATES]
    return sorted(found, key=lambda each: order.index(each.rule))


def headline(found: Sequence[Diagnostic]) -> str:
    """How many files ``found`` is about."""
    return f"{len(found)} generated files are not what the specs say"


def listed(report: Report, found: Sequence[Diagnostic]) -> Iterator[str]:
    """The first files of ``found``, each with its state, and how many there are besides."""
    for each in found[:_SHOWN]:
        yield f"{visible(report.path(each.span))} ({STATES[each.rule]})"
    if (more := len(found) - _SHOWN) > 0:
        yield f"and {more} more; `--format concise` lists them all"


def advice(found: Sequence[Diagnostic]) -> Iterator[str]:
    """``8 missing (O522), 190 outdated (O521): Run …`` for each thing that is to be done."""
    kinds: dict[str, list[str]] = {}
    for rule, state in STATES.items():
        number = sum(each.rule is rule for each in found)
        if number:
            kinds.setdefault(rule.help, []).append(f"{number} {state} ({rule.code})")
    for help, counted in kinds.items():
        yield f"{', '.join(counted)}: {help}"
