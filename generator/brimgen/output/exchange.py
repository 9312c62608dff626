"""A plan in; the whole new tree built beside the old one and put in its place in one step."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.output.plan import Plan
from brimgen.output.stage import NOT_HERE, Stage
from brimgen.output.trees import copy_mode, opened

_EXCHANGE = 2
_HERE = -100
_MANY = 256
_TICK = 0.013
"""Seconds, a little more than `brimgen.stamp.evidence.TICK`. What was written in the last tick
before the exchange would have to be read again by the stamp and by the next run; of many files it
pays to let the tick pass instead, because nobody sees them before.
"""


class CannotExchange(Exception):
    """This file system, or this folder, does not allow the exchange; nothing was changed."""


def exchange_tree(plan: Plan, stage: Stage) -> int:
    """Carry out ``plan``, whose files lie in ``stage``, so that its root is the old tree up to one
    moment, the new one after it.

    Unchanged and foreign files are the same files in the new tree (hard links), with their
    times. Returns the moment just before the exchange. Raises `CannotExchange` where the system
    lacks the means, `OSError` where the disk fails; the old tree stands unchanged in both cases.
    """
    if sys.platform != "linux" and os.path.lexists(plan.root):
        raise CannotExchange("the system cannot exchange two folders")
    stage.open()
    if not stage.is_beside:
        raise CannotExchange("nothing can be made beside the folder")
    try:
        carried = _complete(plan, stage.folder)
        if len(plan.puts) > _MANY:
            time.sleep(_TICK)
        moment = time.time_ns()
        _swap(stage.folder, plan.root)
    except OSError as problem:
        if problem.errno in NOT_HERE:
            raise CannotExchange(str(problem)) from problem
        raise
    if stage.folder.exists():
        _rescue(stage.folder, plan, carried)
        stage.drop()
    return moment


def _complete(plan: Plan, stage: Path) -> dict[str, int]:
    """Make the stage the new tree; return the carried files with the identity that each had."""
    carried: dict[str, int] = {}
    if not plan.root.exists():
        return carried
    folders = _carry(plan.root, stage, {*plan.puts, *plan.removes}, carried)
    _prune(stage, plan.removes)
    for folder in folders:
        if (stage / folder).is_dir():
            copy_mode(plan.root / folder, stage / folder)
    return carried


def _carry(
    root: Path, stage: Path, leave: set[str], carried: dict[str, int]
) -> list[str]:
    """Link what stays into the new tree; return all folders, the innermost first."""
    folders: list[str] = []
    pending = [""]
    device = root.stat().st_dev
    while pending:
        folder = pending.pop()
        folders.append(folder)
        with opened(root / folder) as old, opened(stage / folder) as new:
            if os.fstat(old).st_dev != device:
                raise OSError(errno.EXDEV, "another file system", f"{root}/{folder}")
            # Names in two open folders: looking up two whole paths took as long as linking.
            with os.scandir(old) as entries:
                for entry in entries:
                    name = entry.name
                    path = f"{folder}/{name}" if folder else name
                    if entry.is_dir(follow_symlinks=False):
                        with suppress(FileExistsError):  # a new file lies in it
                            os.mkdir(name, dir_fd=new)
                        pending.append(path)
                    elif path not in leave:
                        _link(name, old, new)
                        carried[path] = entry.inode()
    folders.reverse()
    return folders


def _link(name: str, old: int, new: int) -> None:
    os.link(name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)


def _prune(stage: Path, removes: tuple[str, ...]) -> None:
    """Drop the folders of the new tree that a removal has left empty."""
    for path in removes:
        for folder in list(Path(path).parents)[:-1]:
            try:
                (stage / folder).rmdir()
            except OSError:
                break


def _swap(stage: Path, root: Path) -> None:
    if not os.path.lexists(root):
        stage.rename(root)
        return
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "renameat2"):
        raise CannotExchange("the C library cannot exchange two folders")
    old, new = os.fsencode(stage), os.fsencode(root)
    if library.renameat2(_HERE, old, _HERE, new, _EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(root))


def _rescue(old: Path, plan: Plan, carried: Mapping[str, int]) -> None:
    """Take over foreign files that were saved in the old tree while the new one was built."""
    pending = [""]
    while pending:
        folder = pending.pop()
        with os.scandir(old / folder) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                    continue
                ours = path in plan.states or path in plan.puts
                if ours or carried.get(path) == entry.inode():
                    continue
                target = plan.root / path
                target.parent.mkdir(parents=True, exist_ok=True)
                os.replace(entry.path, target)
