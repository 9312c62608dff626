"""What each target makes of a small project: a change to an emitter shows as a diff of its files.

A case is a folder with a configuration, `specs/`, `out/`, and the lock file that keeps ids.
Copies of the runtime are left out.
``BRIMGEN_REGEN=1 pytest tests/golden`` writes the files anew; read the diff before you commit it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

HERE = Path(__file__).parent
CASES = sorted(each.parent.name for each in HERE.glob("*/brimgen.yaml"))
LOCK = "brimgen.lock.json"
LEFT_OUT = {"manifest.json"}  # hashes alone


def is_golden(path: PurePosixPath) -> bool:
    """Whether a generated file speaks of the tools of its project."""
    copied = any(part.startswith("_") for part in path.parent.parts)
    named = path.name.startswith("_") and path.name not in {"__init__.py", "_leaves.py"}
    return not (copied or named or str(path) in LEFT_OUT)


def texts(out: Path) -> dict[str, str]:
    files = (each for each in out.rglob("*") if each.is_file())
    return {
        str(name): file.read_text(encoding="utf-8")
        for file in sorted(files)
        if is_golden(name := PurePosixPath(file.relative_to(out).as_posix()))
        and "__pycache__" not in name.parts
    }


@pytest.mark.parametrize("case", CASES)
def test_files_are_as_they_were_reviewed(case: str, tmp_path: Path) -> None:
    golden = HERE / case
    shutil.copytree(golden / "specs", tmp_path / "specs")
    for name in ("brimgen.yaml", LOCK):
        if (golden / name).exists():
            shutil.copy(golden / name, tmp_path)
    command = [sys.executable, "-m", "brimgen", "generate"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    made = texts(tmp_path / "out")
    if os.environ.get("BRIMGEN_REGEN") == "1":
        shutil.rmtree(golden / "out", ignore_errors=True)
        if (tmp_path / LOCK).exists():
            shutil.copy(tmp_path / LOCK, golden)
        for name, text in made.items():
            target = golden / "out" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
    assert made == texts(golden / "out")
