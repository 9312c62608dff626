"""Generated Python is laid out by a formatter: by ruff, or by black where a project asks for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.project import build

LONG = "a_word_that_is_long_" * 3
TOOL = f"""\
type: python_function
name: find
description: Find something.
arguments:
  inline:
    {LONG}: {{type: string, enum: [a, b], default: a}}
    text: {{type: string, default: {"word" * 30}}}
    count: {{type: int, minimum: 1, maximum: 100}}
returns: string
"""


def test_ruff_and_black_leave_what_the_other_made(tmp_path: Path) -> None:
    made = [
        build(tmp_path, {"a.yaml": TOOL}, formatter=each, package="tools").files
        for each in ("ruff", "black")
    ]
    assert made[0] == made[1]


def test_a_project_chooses_its_formatter_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "a.yaml").write_text(TOOL)
    (tmp_path / "brimgen.yaml").write_text("formatter: yapf\n")
    command = [sys.executable, "-m", "brimgen", "generate"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "ruff" in ran.stderr and "black" in ran.stderr
