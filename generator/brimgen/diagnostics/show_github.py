"""Workflow commands: GitHub shows each diagnostic at its line of the change."""

from __future__ import annotations

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report, did_you_mean_text, visible

_COMMANDS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
}


def github(report: Report) -> str:
    """One ``::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`` a diagnostic."""
    return "".join(_command(report, each) for each in report.diagnostics)


def _command(report: Report, diagnostic: Diagnostic) -> str:
    rule, span = diagnostic.rule, diagnostic.span
    properties = {
        "file": report.path(span),
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "title": f"{rule.code} {rule.slug}",
    }
    said = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    suggested = did_you_mean_text(diagnostic.suggestions)
    lines = [visible(diagnostic.message), suggested, rule.help]
    message = _message("\n".join(each for each in lines if each))
    return f"::{_COMMANDS[rule.severity]} {said}::{message}\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _message(str(value)).replace(":", "%3A").replace(",", "%2C")
