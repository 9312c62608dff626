"""Write a Code Quality report, which GitLab shows in the widget and at the change."""

from __future__ import annotations

import json

from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.fingerprints import fingerprints
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report, advice

_SEVERITIES = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFO: "info",
}


def gitlab(report: Report) -> str:
    """Write a JSON array with an entry for each diagnostic; it is empty if there are none."""
    pairs = zip(report.diagnostics, fingerprints(report), strict=True)
    entries = [
        _entry(report, diagnostic, fingerprint) for diagnostic, fingerprint in pairs
    ]
    return json.dumps(entries, indent=2) + "\n"


def _entry(
    report: Report, diagnostic: Diagnostic, fingerprint: str
) -> dict[str, object]:
    span, rule = diagnostic.span, diagnostic.rule
    return {
        "description": f"{rule.code}: {diagnostic.message}",
        "check_name": rule.slug,
        "content": {"body": advice(report, diagnostic)},
        "categories": ["Bug Risk" if rule.severity is Severity.ERROR else "Clarity"],
        "severity": _SEVERITIES[rule.severity],
        "fingerprint": fingerprint,
        "location": {
            "path": report.prefix + span.file,
            "positions": {
                "begin": {"line": span.line, "column": span.column},
                "end": {"line": span.end_line, "column": span.end_column},
            },
            "lines": {"begin": span.line, "end": span.end_line},
        },
    }
