"""Write workflow commands: GitHub shows each diagnostic at its line of the change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Rule, Severity
from brimgen.diagnostics.show_drift import (
    BY_CHECK,
    ON_DISK,
    STATES,
    advice,
    file_lines,
    headline,
    sort_by_importance,
)
from brimgen.diagnostics.show_report import Report, did_you_mean_text, visible
from brimgen.diagnostics.span import Span

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def github(report: Report) -> str:
    """One ``::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`` a diagnostic.

    Diagnostics of specs come first, and several outdated files come as one, last: GitHub shows ten
    annotations of a kind for each step. Diagnostics that only `check` reports are errors, because
    they fail its step.
    """
    alike = [
        diagnostic
        for diagnostic in report.diagnostics
        if diagnostic.rule.reason in STATES
    ]
    are_many = len(alike) > 1
    separate = [
        diagnostic
        for diagnostic in report.diagnostics
        if not (are_many and diagnostic.rule.reason in STATES)
    ]
    separate.sort(key=lambda diagnostic: diagnostic.rule.code in ON_DISK)
    commands = [_command(report, diagnostic) for diagnostic in separate]
    if are_many:
        commands.append(_drift(report, sort_by_importance(alike)))
    return "".join(commands)


def _command(report: Report, diagnostic: Diagnostic) -> str:
    rule = diagnostic.rule
    suggested = did_you_mean_text(diagnostic.suggestions)
    lines = [visible(diagnostic.message), suggested, rule.help]
    title = f"{rule.code} {rule.reason}"
    return _written(report, _level([rule]), diagnostic.span, title, lines)


def _drift(report: Report, diagnostics: Sequence[Diagnostic]) -> str:
    level = _level([diagnostic.rule for diagnostic in diagnostics])
    lines = [*file_lines(report, diagnostics), *advice(diagnostics)]
    return _written(report, level, diagnostics[0].span, headline(diagnostics), lines)


def _level(rules: Iterable[Rule]) -> str:
    """The level of the most severe of ``rules``."""
    levels = {
        "error" if rule.code in BY_CHECK else _LEVELS[rule.severity] for rule in rules
    }
    return next(level for level in _LEVELS.values() if level in levels)


def _written(
    report: Report, level: str, span: Span, title: str, lines: Iterable[str]
) -> str:
    properties = {
        "file": report.path(span),
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "title": title,
    }
    parameters = ",".join(
        f"{key}={_property(value)}" for key, value in properties.items()
    )
    message = _message("\n".join(line for line in lines if line))
    return f"::{level} {parameters}::{message}\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _message(str(value)).replace(":", "%3A").replace(",", "%2C")
