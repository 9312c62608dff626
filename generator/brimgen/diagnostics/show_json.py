"""Diagnostics as one JSON document, for programs.

Its shape, which only grows while ``version`` stays::

    {
      "version": 1,
      "summary": {"errors": 1, "warnings": 0},
      "diagnostics": [
        {
          "code": "S103", "slug": "duplicate-key", "severity": "error",
          "message": "…", "help": "…",
          "file": "specs/orders.yaml",
          "line": 8, "column": 5, "endLine": 8, "endColumn": 6,
          "notes": [{"text": "first here", "file": "…", "line": 6, …, "endColumn": 6}],
          "suggestions": []
        }
      ]
    }

Lines and columns count from 1, columns count code points, and the end is exclusive. Text is
never shortened, and what is not ASCII is escaped.
"""

from __future__ import annotations

import json

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report
from brimgen.diagnostics.span import Span


def as_json(report: Report) -> str:
    """The document described above, indented, with a final line end."""
    severities = [each.rule.severity for each in report.diagnostics]
    document = {
        "version": 1,
        "summary": {
            "errors": severities.count(Severity.ERROR),
            "warnings": severities.count(Severity.WARNING),
        },
        "diagnostics": [_diagnostic(report, each) for each in report.diagnostics],
    }
    return json.dumps(document, indent=2) + "\n"


def _diagnostic(report: Report, diagnostic: Diagnostic) -> dict[str, object]:
    rule = diagnostic.rule
    return {
        "code": rule.code,
        "slug": rule.slug,
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
