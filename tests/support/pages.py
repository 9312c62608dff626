"""The examples on the pages of the documentation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from support.checkers import assert_runs

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of ``page`` in one language."""
    text = page.read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def assert_programs(folder: Path, programs: Sequence[str], packages: Path) -> None:
    """Each of ``programs``, written to ``folder``, runs over ``packages``."""
    for number, program in enumerate(programs):
        file = folder / f"program_{number}.py"
        file.write_text(program, encoding="utf-8")
        assert_runs(folder, file.name, packages)
