"""Write diagnostics as one JSON document; `json_format` has its JSON Schema.

Text is never shortened, and what is not ASCII is escaped.
"""

from __future__ import annotations

import json

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report
from brimgen.diagnostics.span import Span


def as_json(report: Report) -> str:
    """The document, indented, with a final line end."""
    severities = [diagnostic.rule.severity for diagnostic in report.diagnostics]
    document = {
        "version": 1,
        "summary": {
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
        },
        "diagnostics": [
            _diagnostic(report, diagnostic) for diagnostic in report.diagnostics
        ],
    }
    return json.dumps(document, indent=2) + "\n"


def _diagnostic(report: Report, diagnostic: Diagnostic) -> dict[str, object]:
    rule = diagnostic.rule
    return {
        "code": rule.code,
        "slug": rule.slug,
        "reason": rule.reason,
        "severity": rule.severity.value,
        "message": diagnostic.message,
        "help": rule.help,
        **_place(report, diagnostic.span),
        "notes": [
            {"text": note.text, **_place(report, note.span)}
            for note in diagnostic.notes
        ],
        "suggestions": list(diagnostic.suggestions),
    }


def _place(report: Report, span: Span) -> dict[str, object]:
    return {
        "file": report.prefix + span.file,
        "line": span.line,
        "column": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
