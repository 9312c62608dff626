"""Choose the lock file of a run: each project has one, and no run writes to that of another."""

from __future__ import annotations

import os
from pathlib import Path

from brimgen.frozen import dataclass
from brimgen.identity import LOCK_FILE


@dataclass(frozen=True, slots=True)
class Folders:
    """The folder of the specs and the folder to generate into."""

    specs: Path
    out: Path


@dataclass(frozen=True, slots=True)
class LockFile:
    """The path of a lock file, and whether this run may write to it."""

    path: Path
    is_writable: bool = True


def choose_lock_file(configuration: Path, project: Folders, run: Folders) -> LockFile:
    """Choose the lock file for the folders of this ``run``.

    ``project`` are the folders that ``configuration`` names, or the default ones; the file need
    not exist. Their lock file lies beside it. A run with other specs has a lock file of its own
    beside these specs. A run with another output folder reads the ids of the project, and leaves
    writing them to a run of the project.
    """
    if not _is_same(run.specs, project.specs):
        specs = Path(os.path.abspath(run.specs))
        return LockFile(specs.with_name(f"{specs.name}.{LOCK_FILE}"))
    is_usual = configuration.name in ("brimgen.yaml", "pyproject.toml")
    name = LOCK_FILE if is_usual else f"{configuration.stem}.{LOCK_FILE}"
    path = Path(os.path.abspath(configuration.with_name(name)))
    return LockFile(path, _is_same(run.out, project.out))


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same folder."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
