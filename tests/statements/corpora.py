"""The corpora of others, read from the folder that BRIMGEN_CORPORA names."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from brimgen.sql import DIALECTS, TokenKind, scan


def folder() -> Path:
    """The folder of the corpora; the test is skipped where there is none."""
    named = os.environ.get("BRIMGEN_CORPORA")
    if not named:
        pytest.skip("BRIMGEN_CORPORA is not set")
    return Path(named)


def placeholders(part: str) -> list[dict[str, Any]]:
    """``cases`` or ``diagnostics`` of the tricky statements."""
    path = folder() / "sql-placeholders" / "cases.json"
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))[part]
    return found


def items(path: str) -> list[dict[str, Any]]:
    """The items of a file of JSON lines."""
    with gzip.open(folder() / path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def rewritten(sql: str, dialect: str) -> tuple[str, tuple[str, ...]]:
    """A statement with its placeholders of another style as ours, and the names they have now."""
    parts: list[str] = []
    names: list[str] = []
    for token in scan(sql, DIALECTS[dialect]).tokens:
        if token.kind is not TokenKind.FOREIGN:
            parts.append(token.text)
            continue
        mark, rest = token.text[0], token.text.strip("$?@:%()s")
        name = f"p{rest or len(names)}" if mark in "$?" else rest or f"r{len(names)}"
        names.append(name)
        parts.append(f":{name}")
    return "".join(parts), tuple(dict.fromkeys(names))
