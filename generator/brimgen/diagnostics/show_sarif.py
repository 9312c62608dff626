"""Write diagnostics as SARIF 2.1.0, which code scanning services read.

Each result carries the code of its rule, the place, and the related places; the rules that occur
are described once. Columns count code points and the end is exclusive, as in a `Span`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from urllib.parse import quote

from brimgen.diagnostics.catalogue import Kind, explain, kind_named
from brimgen.diagnostics.diagnostic import Diagnostic
from brimgen.diagnostics.rule import Severity
from brimgen.diagnostics.show_report import Report, did_you_mean_text
from brimgen.diagnostics.span import Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json"
)
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
}
_ROOT = "SRCROOT"


def sarif(report: Report) -> str:
    """One SARIF log with one run, indented, with a final line end."""
    codes = sorted({diagnostic.rule.code for diagnostic in report.diagnostics})
    pairs = zip(report.diagnostics, fingerprints(report), strict=True)
    driver: dict[str, object] = {"name": "brimgen"}
    if report.version:
        driver["version"] = report.version
    driver["rules"] = [_rule(kind_named(code)) for code in codes]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {
            _ROOT: {"description": {"text": "The root of the repository."}}
        },
        "results": [
            _result(report, diagnostic, fingerprint, codes.index(diagnostic.rule.code))
            for diagnostic, fingerprint in pairs
        ],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(kind: Kind) -> dict[str, object]:
    words = kind.slug.split("-")
    return {
        "id": kind.code,
        "name": "".join(word.capitalize() for word in words),
        "shortDescription": {"text": f"{' '.join(words).capitalize()}."},
        "help": {"text": explain(kind)},
        "defaultConfiguration": {"level": _LEVELS[kind.severity]},
    }


def _result(
    report: Report, diagnostic: Diagnostic, fingerprint: str, index: int
) -> dict[str, object]:
    suggested = did_you_mean_text(diagnostic.suggestions)
    parts = [diagnostic.message, suggested, diagnostic.rule.help]
    result: dict[str, object] = {
        "ruleId": diagnostic.rule.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.rule.severity],
        "message": {"text": "\n".join(part for part in parts if part)},
        "locations": [{"physicalLocation": _place(report, diagnostic.span)}],
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
    }
    if diagnostic.notes:
        result["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": note.text},
                "physicalLocation": _place(report, note.span),
            }
            for number, note in enumerate(diagnostic.notes, 1)
        ]
    return result


def _place(report: Report, span: Span) -> dict[str, object]:
    path = (report.prefix + span.file).encode("utf-8", "surrogatepass")
    return {
        "artifactLocation": {"uri": quote(path, safe="/"), "uriBaseId": _ROOT},
        "region": {
            "startLine": span.line,
            "startColumn": span.column,
            "endLine": span.end_line,
            "endColumn": span.end_column,
        },
    }


def fingerprints(report: Report) -> Iterator[str]:
    """A unique text for each diagnostic of a report, in order.

    It is made of the file, the code and the message, without the position; a number tells equal
    ones apart.
    """
    seen: Counter[str] = Counter()
    for diagnostic in report.diagnostics:
        identity = "\0".join(
            (
                report.prefix + diagnostic.span.file,
                diagnostic.rule.code,
                diagnostic.message,
            )
        )
        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[digest] += 1
        yield f"{digest}:{seen[digest]}"
