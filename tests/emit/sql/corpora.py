"""The corpora of others, read from the folder that BRIMGEN_CORPORA names."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest


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
