"""Packages of Node for tests: a folder with a lock file in, one with its ``node_modules`` out."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]


def installed(source: Path) -> Path:
    """The folder that holds ``node_modules`` with what ``source``/package-lock.json pins.

    `npm ci` fills it, and it is kept for later runs. In CI they must be there; elsewhere the
    tests need Node, and are skipped without it.
    """
    if shutil.which("npm") is None and not os.environ.get("CI"):
        pytest.skip("Node is not installed")
    lock = (source / "package-lock.json").read_bytes()
    folder = ROOT / "build" / source.name / hashlib.sha256(lock).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "ready").exists():
            for name in ("package.json", "package-lock.json", ".npmrc"):
                shutil.copy(source / name, folder)
            quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--silent"]
            subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True)
            (folder / "ready").touch()
    return folder
