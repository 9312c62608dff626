"""Write a plan to the disk, as a whole or not at all."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.output import FOLDER_KEPT
from brimgen.output.attributes import CannotKeep, copy_owner_of_file
from brimgen.output.exchange import CannotExchange, exchange_tree
from brimgen.output.folder_lock import locked
from brimgen.output.journal import Journal
from brimgen.output.plan import Plan, State
from brimgen.output.stage import Stage, clear_stages


@contextmanager
def writing(root: Path) -> Generator[None]:
    """Be the one run that writes to ``root``, after repairing what an earlier one left.

    The manifest must be read, the plan made and `write` called inside.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    with locked(root):
        Journal(root).recover()
        clear_stages(root)
        yield


def write(plan: Plan, stage: Stage, diagnostics: Diagnostics) -> int:
    """Carry out ``plan``, of which ``stage`` has what it does not hold itself: afterwards its root
    is the new tree, or, with an `OSError`, the old.

    Returns the moment (nanoseconds of the clock) before which nobody could see the new files.
    Where a new folder cannot have the owner of the old, folders stay in place; that is reported.
    """
    if not plan.puts and not plan.removes:
        return time.time_ns()
    for path, data in plan.held.items():
        stage.put(path, data, mode_of(plan.root / path))
    for path in plan.puts:
        if plan.states.get(path) is not State.NEW:
            copy_owner_of_file(plan.root / path, stage.folder / path)
    try:
        return exchange_tree(plan, stage)
    except CannotExchange:
        pass
    except CannotKeep as problem:
        place = Span.at_file(f"{plan.root.name}/{problem.folder}")
        diagnostics.add(FOLDER_KEPT, place, reason=problem.reason)
    return Journal(plan.root).carry_out(plan, stage)


def mode_of(path: Path) -> int | None:
    """The permissions of the file that is to be replaced, if there is one."""
    try:
        return stat.S_IMODE(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
