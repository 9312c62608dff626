"""The tables of a benchmark: printed in Markdown, and kept for the pages that are made of them.

`bench.py` names a file in the environment variable ``BRIMGEN_FIGURES``; each table is one line of
JSON in it. Without the variable a benchmark only prints.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any

KEEP = "BRIMGEN_FIGURES"


def show(name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table and keep it under its name; the first of ``head`` says what is measured."""
    table: dict[str, Any] = {
        "name": name,
        "head": [*head],
        "rows": [[*each] for each in rows],
    }
    print(f"\n{markdown(table)}", flush=True)
    if file := os.environ.get(KEEP):
        with open(file, "a", encoding="utf-8") as kept:
            kept.write(json.dumps(table) + "\n")


def markdown(table: dict[str, Any]) -> str:
    """A table as Markdown, its first column to the left."""
    lines = [table["head"], ["---", *["---:"] * (len(table["head"]) - 1)]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*lines, *table["rows"]])


def verdict(figure: float, promise: float | None) -> str:
    """What was promised, and whether a figure that must not be larger keeps it."""
    if promise is None:
        return ""
    return f"{promise:g}, {'met' if round(figure, 2) <= promise else 'missed'}"
