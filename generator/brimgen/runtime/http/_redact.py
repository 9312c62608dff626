"""Secrets by value: a text in, the same without them out, however they are encoded in it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import quote, quote_plus

from .._runtime import REDACTED, Violation
from ._outcome import HttpError

MARK: Final = "***"


def forms(values: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds the values and their usual encodings; None where there is no value."""
    found: set[str] = set()
    for each in filter(None, values):
        plain = each.encode("utf-8", "surrogatepass")
        found |= {
            each,
            quote(plain, safe=""),
            quote(plain),
            quote_plus(plain),
            each.replace("~", "~0").replace("/", "~1"),
            json.dumps(each)[1:-1],
            json.dumps(each, ensure_ascii=False)[1:-1],
            b64encode(plain).decode("ascii").rstrip("="),
        }
    ordered = sorted(found, key=lambda each: (-len(each), each))
    if not ordered:
        return None
    return re.compile("|".join(map(re.escape, ordered)), re.IGNORECASE)


def redacted(error: HttpError, pattern: re.Pattern[str] | None) -> HttpError:
    """Return an error in which no secret can be read."""
    if pattern is None:
        return error

    def clean(text: str) -> str:
        return pattern.sub(MARK, text)

    violations = tuple(
        Violation(
            clean(each.pointer),
            each.rule,
            clean(each.expected),
            REDACTED,
            clean(each.message),
        )
        for each in error.violations
    )
    detail = None if error.detail is None else clean(error.detail)
    message = clean(error.message)
    return replace(error, message=message, violations=violations, detail=detail)
