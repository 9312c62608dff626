"""What builds leave and say, for tests that hold one build against another."""

from __future__ import annotations

import re
from pathlib import Path


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, with their bytes."""
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def told(said: str) -> str:
    """What was said but for how many files were written."""
    return re.sub(r"(\d+ files? written|nothing to do).*", "", said)
