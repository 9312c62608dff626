"""Build the whole new tree beside the old one, and exchange them in one step."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from brimgen.output.hard_links import carry, finish_folders, rescue_late_files
from brimgen.output.mounts import has_mounts
from brimgen.output.plan import Plan
from brimgen.output.stage import UNSUPPORTED, Stage

_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


class CannotExchange(Exception):
    """The file system or folder does not support the exchange; nothing was changed."""


def exchange_tree(plan: Plan, stage: Stage) -> int:
    """Replace the old tree by the new one in one step; return the moment, in nanoseconds.

    The new files of ``plan`` lie in ``stage``. Unchanged and foreign files are hard links, with
    their times. Folders are new, with the owner, permissions, times and extended attributes of the
    old ones. Raises `CannotExchange` where the system lacks the means, `CannotKeep` where it does
    not allow to copy the attributes, `OSError` where the disk fails; in all cases the old tree
    stays as it is.
    """
    if sys.platform != "linux" and os.path.lexists(plan.root):
        raise CannotExchange("the system cannot exchange two folders")
    if has_mounts(plan.root):
        raise CannotExchange("something is mounted in the folder")
    stage.open()
    if not stage.is_beside:
        raise CannotExchange("nothing can be made beside the folder")
    try:
        carried = carry(plan, stage.folder)
        finish_folders(plan, stage.folder, carried)
        moment = time.time_ns()
        _swap(stage.folder, plan.root)
    except OSError as problem:
        if problem.errno in UNSUPPORTED:
            raise CannotExchange(str(problem)) from problem
        raise
    if stage.folder.exists():
        # The new tree is in its place: whatever goes wrong now, the run has not failed.
        with suppress(OSError):
            rescue_late_files(stage.folder, plan, carried)
        stage.drop()
    return moment


def _swap(stage: Path, root: Path) -> None:
    if not os.path.lexists(root):
        stage.rename(root)
        return
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        raise CannotExchange("the C library cannot exchange two folders")
    old, new = os.fsencode(stage), os.fsencode(root)
    if library.renameat2(_AT_FDCWD, old, _AT_FDCWD, new, _RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(root))
