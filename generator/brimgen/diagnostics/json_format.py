"""The JSON Schema of the diagnostics format ``json``."""

from __future__ import annotations

from typing import Any

from brimgen.diagnostics.rule import Severity

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
                "items": _diagnostic(),
            },
        },
        "required": ["version", "summary", "diagnostics"],
    }


def _diagnostic() -> dict[str, Any]:
    notes = _object(
        {"text": _text("What the place has to do with it."), **_place()},
    )
    return _object(
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
            "message": _text("What is wrong, in one sentence without a full stop."),
            "help": _text("What to do about it."),
            **_place(),
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


def _place() -> dict[str, Any]:
    count = {"type": "integer", "minimum": 1}
    return {
        "file": _text("The path of the file, from the working directory, with `/`."),
        "line": {**count, "description": "Counted from 1."},
        "column": {**count, "description": "Counted from 1, in Unicode code points."},
        "endLine": {**count, "description": "The line in which the text ends."},
        "endColumn": {**count, "description": "The column after the last character."},
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}
