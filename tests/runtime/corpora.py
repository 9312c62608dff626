"""Corpora written by others: read where BRIMGEN_CORPORA says they are, never kept here."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PLACE = os.environ.get("BRIMGEN_CORPORA", "")

needs_corpora = pytest.mark.skipif(not PLACE, reason="BRIMGEN_CORPORA is not set")


def lines(name: str) -> Iterator[dict[str, Any]]:
    """Yield the items of a corpus file (``bfcl/items``)."""
    with gzip.open(Path(PLACE) / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
