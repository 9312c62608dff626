"""Write spec files of tools that others have published, from the corpora at `BRIMGEN_CORPORA`."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brimgen import api
from brimgen.diagnostics import Diagnostics, Severity
from brimgen.settings.load import Flags, load_settings

CORPORA = {"OpenAPI": "openapi/operations", "MCP": "mcp/items"}
"""What the corpora are called in tables, and their files."""


def has_corpora() -> bool:
    """Whether there are corpora to be read."""
    return bool(os.environ.get("BRIMGEN_CORPORA"))


def write_real_specs(folder: Path, corpus: str) -> int:
    """Write a spec file for each tool of a corpus that brimgen accepts; return how many."""
    folder.mkdir()
    for number, item in enumerate(_items(CORPORA[corpus])):
        words = re.sub(r"[^a-z0-9]+", "_", str(item.get("name", "")).lower())
        described = str(item.get("description") or "").strip() or "It has none."
        (folder / f"{number}.yaml").write_text(
            f"type: python_function\nname: tool_{words[:40].strip('_')}_{number}\n"
            f"description: {json.dumps(described)}\n"
            f"arguments: {json.dumps(item['schema'])}\n"
        )
    for name in _refused(folder):
        (folder.parent / name).unlink()
    return len([*folder.iterdir()])


def _items(name: str) -> Iterator[dict[str, Any]]:
    path = Path(os.environ["BRIMGEN_CORPORA"]) / f"{name}.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _refused(folder: Path) -> set[str]:
    """The names of the spec files with errors."""
    diagnostics = Diagnostics()
    flags = Flags(specs=folder, out=folder.with_name("out"))
    settings = load_settings(flags, diagnostics)
    return {
        each.span.file
        for each in api.build(settings).diagnostics
        if each.rule.severity is Severity.ERROR
    }
