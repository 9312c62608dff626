"""Chromium over a generated page: a plan of steps in, what each of them saw out.

The browser is the machine's own, or comes from Debian's packages; what drives it, and axe-core,
come from npm (`tests/browser/driver`). In CI they must be there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from databases.debian import NoPackage, unpacked
from support.node import installed

DRIVER = Path(__file__).resolve().parents[1] / "browser" / "driver"
LONGEST = 300


@dataclass(frozen=True)
class Visit:
    """What a browser saw: the result of each step, all messages, and all addresses it asked for."""

    seen: list[Any]
    said: list[str]
    asked: list[str]


def visit(page: Path, *steps: tuple[str, Any]) -> Visit:
    """Take ``steps`` on ``page``; `drive.mjs` says which there are."""
    program, libraries = chromium()
    plan = {"url": page.as_uri(), "libraries": libraries, "steps": steps}
    run = subprocess.run(
        ["node", str(DRIVER / "drive.mjs"), str(installed(DRIVER)), str(program)],
        input=json.dumps(plan),
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert 0 == run.returncode, run.stderr
    return Visit(**json.loads(run.stdout))


def chromium() -> tuple[Path, Sequence[str]]:
    """The program, and the folders of the libraries that it needs beside those of the machine."""
    own = shutil.which("chromium")
    if own is not None:
        return Path(own), []
    try:
        root = unpacked("chromium")
    except NoPackage as problem:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"there is no Chromium: {problem}")
    found = (root / "usr" / "lib").glob("*-linux-gnu/**/*.so*")
    folders = {each.parent for each in found}
    return root / "usr/lib/chromium/chromium", sorted(map(str, folders))
