"""The same bytes from every version of Python that is at hand.

``BRIMGEN_PYTHONS`` names interpreters, as PATH names folders; without it those of 3.11 to 3.14 on
PATH take part, and always the one that runs the tests. Each gets an environment of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def interpreters() -> list[str]:
    named = os.environ.get("BRIMGEN_PYTHONS")
    if named:
        return [sys.executable, *named.split(os.pathsep)]
    found = (shutil.which(f"python3.{minor}") for minor in range(12, 15))
    return [sys.executable, *(each for each in found if each)]


def environment(python: str, folder: Path) -> str:
    """The interpreter of a new environment of ``python`` with what brimgen needs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    own = str(folder / "bin/python")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needs = [
        each
        for each in project["project"]["dependencies"]
        if not each.startswith("brimgen-runtime")
    ]
    needs += project["project"]["optional-dependencies"]["sql"]
    lock = str(ROOT / "requirements.lock")
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", lock, *needs], check=True)
    return own


def generate(python: str, project: Path, out: Path) -> dict[str, bytes]:
    """What ``python`` makes of the shop."""
    subprocess.run(
        [python, "-m", "brimgen", "generate", "--out", out],
        check=True,
        cwd=project,
        env={
            **os.environ,
            "PYTHONPATH": f"{project}/generator:{project}/runtime",
            "BRIMGEN_CACHE": "",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    return {
        each.relative_to(out).as_posix(): each.read_bytes()
        for each in out.rglob("*")
        if each.is_file()
    }


@pytest.mark.fuzz
def test_every_python_makes_the_same(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("generator", "runtime", "templates", "specs", "db"):
        shutil.copytree(ROOT / name, project / name)
    (project / "docs").mkdir()
    for name in ("pyproject.toml", "brimgen.lock.json", "docs/diagnostics.md"):
        shutil.copyfile(ROOT / name, project / name)
    pythons = [
        environment(each, tmp_path / f"environment-{number}")
        for number, each in enumerate(interpreters())
    ]
    expected, *others = (
        generate(each, project, tmp_path / f"out-{number}")
        for number, each in enumerate(pythons)
    )
    assert expected
    for made in others:
        assert [] == [each for each in expected if made.get(each) != expected[each]]
        assert expected.keys() == made.keys()
