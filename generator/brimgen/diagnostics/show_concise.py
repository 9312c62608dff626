"""One line for each diagnostic: ``specs/orders.yaml:8:5: error[S103] the key `a` stands twice``."""

from __future__ import annotations

from brimgen.diagnostics.show_report import Report, did_you_mean_text, visible


def concise(report: Report) -> str:
    """The place, severity, code, message and suggestions of each diagnostic on its line."""
    return "".join(lines(report))


def lines(report: Report) -> tuple[str, ...]:
    """The line of each diagnostic."""
    return tuple(
        f"{report.place(diagnostic.span)}: {diagnostic.rule.severity}[{diagnostic.rule.code}] "
        f"{visible(diagnostic.message)}{_suggested(diagnostic.suggestions)}\n"
        for diagnostic in report.diagnostics
    )


def _suggested(suggestions: tuple[str, ...]) -> str:
    return f"; {did_you_mean_text(suggestions)}" if suggestions else ""
