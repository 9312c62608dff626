"""Programs from Debian's packages, unpacked into a folder of this project: nothing is installed.

Packages come through `apt-get` as the machine has it set up; a package that the machine has
installed is not fetched. The folder is kept from run to run (``make clean`` removes it).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from filelock import FileLock

KEPT = Path(__file__).resolve().parents[2] / ".debian"


class NoPackage(Exception):
    """A package cannot be had here, and why."""


def unpacked(package: str) -> Path:
    """The folder where ``package`` lies, with what it needs beside it. Raises `NoPackage`."""
    target = KEPT / package
    if target.is_dir():
        return target
    for program in ("apt-get", "apt-cache", "dpkg"):
        if shutil.which(program) is None:
            raise NoPackage(f"{package} comes from Debian, and there is no {program}")
    KEPT.mkdir(exist_ok=True)
    with FileLock(KEPT / f"{package}.lock"):
        if not target.is_dir():
            _unpack(package, target)
    return target


def _unpack(package: str, target: Path) -> None:
    """Fetch and unpack beside ``target`` first, so that half of it is never there."""
    with tempfile.TemporaryDirectory(dir=KEPT) as name:
        folder = Path(name)
        root = folder / "root"
        options = ["-o", "APT::Sandbox::User="]
        try:
            _fetch(package, folder, options)
        except NoPackage:
            # The lists of the machine are missing, or older than the packages that there are.
            options += _own_lists(folder)
            _run(["apt-get", *options, "update"], folder)
            _fetch(package, folder, options)
        for each in sorted(folder.glob("*.deb")):
            _run(["dpkg", "-x", each.name, "root"], folder)
        root.rename(target)


def _own_lists(folder: Path) -> list[str]:
    for each in ("lists/partial", "cache/archives/partial"):
        (folder / each).mkdir(parents=True)
    return [
        *("-o", f"Dir::State::Lists={folder}/lists"),
        *("-o", f"Dir::Cache={folder}/cache"),
    ]


def _fetch(package: str, folder: Path, options: Sequence[str]) -> None:
    """The package, and those that would have to be installed with it."""
    install = ["install", "--simulate", "--no-install-recommends", package]
    said = _run(["apt-get", *options, *install], folder).splitlines()
    needed = {line.split()[1] for line in said if line.startswith("Inst ")}
    _run(["apt-get", *options, "download", *sorted({package, *needed})], folder)


def _run(arguments: Sequence[str], folder: Path) -> str:
    environment = {**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"}
    try:
        found = subprocess.run(
            arguments,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoPackage(f"{arguments[0]}: {error}") from error
    if found.returncode:
        raise NoPackage(f"{' '.join(arguments)}: {found.stderr.strip()[-400:]}")
    return found.stdout
