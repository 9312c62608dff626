"""A plan in; the whole new tree built beside the old one and put in its place in one step."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.output.plan import Plan, Written
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


_COARSE = 10_000_000
"""Nanoseconds. A time that is a multiple of this is of a clock that ticks too seldom to be waited
for (`brimgen.stamp.evidence.COARSE`).
"""


class CannotExchange(Exception):
    """This file system, or this folder, does not allow the exchange; nothing was changed."""


def exchange_tree(plan: Plan, stage: Stage) -> Written:
    """Carry out ``plan``, whose files lie in ``stage``, so that its root is the old tree up to one
    moment, the new one after it.

    Unchanged and foreign files are the same files in the new tree (hard links), with their
    times. Raises `CannotExchange` where the system lacks the means, `OSError` where the disk
    fails; the old tree stands unchanged in both cases.
    """
    if sys.platform != "linux" and os.path.lexists(plan.root):
        raise CannotExchange("the system cannot exchange two folders")
    stage.open()
    if not stage.is_beside:
        raise CannotExchange("nothing can be made beside the folder")
    try:
        foreign = _complete(plan, stage.folder)
        if len(plan.puts) > _MANY:
            time.sleep(_TICK)
        moment = time.time_ns()
        _swap(stage.folder, plan.root)
    except OSError as problem:
        if problem.errno in NOT_HERE:
            raise CannotExchange(str(problem)) from problem
        raise
    if not stage.folder.exists():
        return Written(moment)
    stayed = _Retreat(plan, foreign).remove(stage.folder)
    stage.drop()
    return _seen(plan.root, moment, stayed)


def _complete(plan: Plan, stage: Path) -> dict[str, int]:
    """Make the stage the new tree; return the foreign files in it with the identity of each."""
    foreign: dict[str, int] = {}
    if not plan.root.exists():
        return foreign
    folders = _carry(plan, stage, foreign)
    _prune(stage, plan.removes)
    for folder in folders:
        if (stage / folder).is_dir():
            copy_mode(plan.root / folder, stage / folder)
    return foreign


def _carry(plan: Plan, stage: Path, foreign: dict[str, int]) -> list[str]:
    """Link what stays into the new tree; return all folders, the innermost first."""
    leave, ours = {*plan.puts, *plan.removes}, plan.states
    folders: list[str] = []
    pending = [""]
    device = plan.root.stat().st_dev
    while pending:
        folder = pending.pop()
        folders.append(folder)
        within = f"{folder}/" if folder else ""
        with opened(plan.root / folder) as old, opened(stage / folder) as new:
            if os.fstat(old).st_dev != device:
                raise OSError(
                    errno.EXDEV, "another file system", f"{plan.root}/{folder}"
                )
            # Names in two open folders: looking up two whole paths took as long as linking.
            with os.scandir(old) as entries:
                for entry in entries:
                    name = entry.name
                    path = within + name
                    if entry.is_dir(follow_symlinks=False):
                        with suppress(FileExistsError):  # a new file lies in it
                            os.mkdir(name, dir_fd=new)
                        pending.append(path)
                    elif path not in leave:
                        _link(name, old, new)
                        if path not in ours:
                            foreign[path] = entry.inode()
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


class _Retreat:
    """The way out of the old tree, in one walk: what is in the new one is removed; what is not,
    because it was saved while that was built, is taken over.
    """

    def __init__(self, plan: Plan, foreign: Mapping[str, int]) -> None:
        self._root, self._ours, self._foreign = plan.root, plan.states, foreign
        self._left = {*plan.puts, *plan.removes}
        self._stayed: list[str] = []

    def remove(self, old: Path) -> list[str]:
        """Remove the old tree as far as nothing is in the way; return what stayed, in the order in
        which it was removed here.
        """
        self._remove(old, "")
        return self._stayed

    def _remove(self, old: Path, within: str) -> None:
        names: list[str] = []
        stayed: list[str] = []
        with opened(old) as handle:
            with os.scandir(handle) as listed:
                entries = [*listed]
            for entry in entries:
                name = entry.name
                path = within + name
                if entry.is_dir(follow_symlinks=False):
                    self._remove(old / name, f"{path}/")
                    continue
                if path not in self._left:
                    known = self._foreign.get(path)
                    if path not in self._ours and known != entry.inode():
                        self._take_over(path, handle)
                        continue
                    stayed.append(path)
                names.append(name)
            with suppress(OSError):  # what cannot be removed so is left to `Stage.drop`
                for name in names:
                    os.unlink(name, dir_fd=handle)
        self._stayed += stayed
        with suppress(OSError):
            old.rmdir()

    def _take_over(self, path: str, folder: int) -> None:
        target = self._root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(target.name, target, src_dir_fd=folder)


def _seen(root: Path, moment: int, stayed: list[str]) -> Written:
    """What there is to tell of an exchange after which files have ``stayed``."""
    if not stayed:
        return Written(moment)
    try:
        first, last = (os.lstat(root / stayed[end]).st_ctime_ns for end in (0, -1))
    except OSError:
        return Written(moment, is_exact=False)
    if last % _COARSE == 0:
        return Written(moment, is_exact=False)
    return Written(moment, (first, last), time.monotonic_ns())
