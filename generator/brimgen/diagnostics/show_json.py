"""Write diagnostics as one JSON document; `json_format` has its JSON Schema.

Text is never shortened, and what is not ASCII is escaped.
"""

from __future__ import annotations

import json
from typing import Any

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


_NAME = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}


def diagnostics_schema() -> dict[str, Any]:
    """The schema (2020-12). While ``version`` is 1, the document only gains properties."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Diagnostics of brimgen",
        "description": "What `brimgen … --format json` writes to standard error.",
        "type": "object",
        "properties": {
            "version": {"const": 1, "description": "The version of this format."},
            "summary": {
                "type": "object",
                "properties": {
                    "errors": {"type": "integer", "minimum": 0},
                    "warnings": {"type": "integer", "minimum": 0},
                },
                "required": ["errors", "warnings"],
            },
            "diagnostics": {
                "type": "array",
                "description": "Sorted by file, place and code.",
                "items": _diagnostic_schema(),
            },
        },
        "required": ["version", "summary", "diagnostics"],
    }


def _diagnostic_schema() -> dict[str, Any]:
    notes = _object_schema(
        {"text": _text_schema("What the place has to do with it."), **_place_schema()},
    )
    return _object_schema(
        {
            "code": {
                "type": "string",
                "pattern": "^[A-Z]+[0-9]{3}$",
                "description": "The kind of mistake; a code never changes its meaning.",
            },
            "slug": {**_NAME, "description": "The name of the code."},
            "reason": {**_NAME, "description": "Which mistake of this kind it is."},
            "severity": {
                "enum": [severity.value for severity in Severity],
                "description": "Only an error stops a run.",
            },
            "message": _text_schema(
                "What is wrong, in one sentence without a full stop."
            ),
            "help": _text_schema("What to do about it."),
            **_place_schema(),
            "notes": {
                "type": "array",
                "description": "Related places, each at most once.",
                "items": notes,
            },
            "suggestions": {
                "type": "array",
                "description": "What was probably meant, the likeliest first.",
                "items": {"type": "string"},
                "maxItems": 2,
            },
        }
    )


def _place_schema() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1}
    return {
        "file": _text_schema(
            "The path of the file, from the working directory, with `/`."
        ),
        "line": {**count, "description": "Counted from 1."},
        "column": {**count, "description": "Counted from 1, in Unicode code points."},
        "endLine": {**count, "description": "The line in which the text ends."},
        "endColumn": {**count, "description": "The column after the last character."},
    }


def _object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def _text_schema(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}
