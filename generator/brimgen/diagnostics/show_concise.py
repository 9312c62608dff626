"""One line for each diagnostic: ``specs/orders.yaml:8:5: error[S103] the key `a` stands twice``."""

from __future__ import annotations

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.show_full import COLOURS, Paint
from brimgen.diagnostics.show_report import Report, did_you_mean_text, visible


def concise(report: Report) -> str:
    """The place, severity, code, message and suggestions of each diagnostic on its line."""
    return "".join(lines(report))


def lines(report: Report) -> tuple[str, ...]:
    """The line of each diagnostic."""
    paint = Paint(report.colour)
    return tuple(_line(report, paint, each) for each in report.diagnostics)


def _line(report: Report, paint: Paint, diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    head = paint(COLOURS[rule.severity], f"{rule.severity}[{rule.code}]")
    message = f"{visible(diagnostic.message)}{_suggested(diagnostic.suggestions)}"
    return f"{report.place(diagnostic.span)}: {head} {message}\n"


def _suggested(suggestions: tuple[str, ...]) -> str:
    return f"; {did_you_mean_text(suggestions)}" if suggestions else ""
