"""Programs over generated packages, and the checkers that they pass: each run as users run it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import brimgen_runtime

# Where a Python that sees no installed packages finds the runtime.
RUNTIME = Path(brimgen_runtime.__file__).parents[1]
BLACK = ("black", "--check", "--quiet")
MYPY = ("mypy", "--strict", "--config-file=")
PYRIGHT = ("pyright", "--pythonpath", sys.executable)
RUFF = ("ruff", "check", "--isolated", "--no-cache")


def mypy_cache() -> dict[str, str]:
    """The variable that lets mypy know again what it knows of the standard library."""
    return {"MYPY_CACHE_DIR": os.environ["MYPY_CACHE_DIR"]}


def checked(
    folder: Path, checker: Sequence[str], *paths: str, packages: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """What ``checker`` says of ``paths`` in ``folder``, which import from ``packages``, too."""
    alone = {"MYPYPATH": str(packages), "PATH": "", **mypy_cache()}
    return subprocess.run(
        [sys.executable, "-m", *checker, *paths],
        cwd=folder,
        env=None if packages is None else alone,
        capture_output=True,
        text=True,
        timeout=600,
    )


def assert_clean(
    folder: Path, *paths: str, by: Sequence[Sequence[str]], packages: Path | None = None
) -> None:
    """None of the checkers has anything to say."""
    for checker in by:
        done = checked(folder, checker, *paths, packages=packages)
        assert 0 == done.returncode, f"{checker[0]}:\n{done.stdout}{done.stderr}"


def assert_runs(folder: Path, program: str, packages: Path) -> None:
    """The file ``program`` in ``folder`` ends well, with ``packages`` to import from."""
    done = subprocess.run(
        [sys.executable, program],
        cwd=folder,
        env={"PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert 0 == done.returncode, f"{program}:\n{done.stdout}{done.stderr}"
