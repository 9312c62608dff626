"""Write a plan to the disk, as a whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from brimgen.output.folder_lock import locked
from brimgen.output.journal import Journal
from brimgen.output.plan import Plan
from brimgen.output.stage import Stage


@contextmanager
def writing(root: Path) -> Generator[None]:
    """Hold the lock of ``root``, and finish first what an interrupted run left there.

    The manifest must be read, the plan made and `write` called inside.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    with locked(root):
        Journal(root).recover()
        yield


def write(plan: Plan, stage: Stage) -> None:
    """Replace and remove the files of ``plan``; ``stage`` has new files that the plan lacks.

    Raises `OSError` where the disk fails; the folder is then as it was.
    """
    if not plan.puts and not plan.removes:
        return
    for path, data in plan.held.items():
        stage.put(path, data, mode_of(plan.root / path))
    Journal(plan.root).carry_out(plan, stage)


def mode_of(path: Path) -> int | None:
    """The permissions of the file that is to be replaced, if there is one."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
