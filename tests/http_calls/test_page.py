"""The examples of docs/http.md, run over the shop's package as it is generated now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from support.pages import DOCS, assert_programs, blocks

ROOT = Path(__file__).parents[2]


def test_every_program_of_the_page_about_http_runs(tmp_path: Path) -> None:
    programs = blocks(DOCS / "http.md", "python")
    assert 5 == len(programs)
    out = tmp_path / "out"
    made = [sys.executable, "-m", "brimgen", "generate", "--out", str(out)]
    made += ["--target", "python", "--target", "http"]
    subprocess.run(made, cwd=ROOT, check=True, capture_output=True)
    assert_programs(tmp_path, programs, out / "python")
