"""What an import makes of a document, and what is built of that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.imports import import_tools
from support.project import Built, build


def imported(name: str, data: Any, **options: Any) -> tuple[tuple[str, ...], list[str]]:
    """The specs that are made of ``data``, and what was told, with its line."""
    text = data if isinstance(data, str) else json.dumps(data, indent=1)
    documents, diagnostics = import_tools(name, text, **options)
    told = [f"{each.span.line} {each.rule.code} {each.message}" for each in diagnostics]
    return documents, told


def built(folder: Path, name: str, data: Any, *targets: str) -> Built:
    """The project of the specs that are made of ``data``, of which nothing is told."""
    documents, told = imported(name, data)
    assert [] == told
    files = {"a.yaml": "---\n".join(documents)}
    return build(folder, files, targets=targets) if targets else build(folder, files)
