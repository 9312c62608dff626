"""The examples of docs/http.md, typed and run over the shop's package as it is generated now."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_example_is_typed_and_runs(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "http.md").read_text("utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert 5 == len(programs)
    out = tmp_path / "out"
    made = [sys.executable, "-m", "brimgen", "generate", "--out", str(out)]
    made += ["--target", "python", "--target", "http"]
    subprocess.run(made, cwd=ROOT, check=True, capture_output=True)
    files = [f"program_{number}.py" for number, _ in enumerate(programs)]
    path = str(out / "python")
    for file, program in zip(files, programs, strict=True):
        (tmp_path / file).write_text(program, encoding="utf-8")
        run = [sys.executable, file]
        subprocess.run(run, cwd=tmp_path, env={"PYTHONPATH": path}, check=True)
    checked = [sys.executable, "-m", "mypy", "--strict", *files]
    subprocess.run(checked, cwd=tmp_path, env={"MYPYPATH": path}, check=True)
