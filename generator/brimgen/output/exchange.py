"""A plan in; the whole new tree built beside the old one and put in its place in one step."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from brimgen.output import spare as spares
from brimgen.output.carry import Begun, Carried, carry, close, keeps_rights
from brimgen.output.mounts import has_mounts
from brimgen.output.plan import Plan, Written
from brimgen.output.retreat import Retreat
from brimgen.output.stage import NOT_HERE, Stage
from brimgen.output.trees import remove_tree
from brimgen.output.twins import TWINS_NAME, Made, write_twins

_EXCHANGE = 2
_HERE = -100
_MANY = 256
_TICK = 13_000_000
"""Nanoseconds, a little more than `brimgen.stamp.evidence.TICK`. What was written in the last tick
before the exchange would have to be read again by the stamp and by the next run; among many files
it pays to let the tick pass instead, because nobody sees them before.
"""
_COARSE = 10_000_000
"""Nanoseconds. A time that is a multiple of this is of a clock that ticks too seldom to be waited
for (`brimgen.stamp.evidence.COARSE`).
"""


Meanwhile: TypeAlias = Callable[[], None]
"""What a run has to do anyway and can do before its files are in their place: it is done while the
tick passes, if that is waited for."""


class CannotExchange(Exception):
    """This file system, or this folder, does not allow the exchange; nothing was changed."""


def exchange_tree(plan: Plan, stage: Stage, meanwhile: Meanwhile | None) -> Written:
    """Carry out ``plan``, whose files lie in ``stage``, so that its root is the old tree up to one
    moment, the new one after it.

    Unchanged and foreign files are the same files in the new tree (hard links), with their
    times. Raises `CannotExchange` where the system lacks the means, `OSError` where the disk
    fails; the old tree stands unchanged in both cases.
    """
    if sys.platform != "linux" and os.path.lexists(plan.root):
        raise CannotExchange("the system cannot exchange two folders")
    if has_mounts(plan.root):
        raise CannotExchange("something is mounted in the folder")
    stage.open()
    if not stage.is_beside:
        raise CannotExchange("nothing can be made beside the folder")
    if not spares.is_worth_it(plan):
        spares.discard(plan)
    elif (place := stage.beside()) and (spare := spares.claimed(plan, place)):
        written = _exchanged_with(spare, plan, stage, meanwhile)
        if written is not None:
            return written
    return _exchanged(plan, stage, meanwhile)


def _exchanged(plan: Plan, stage: Stage, meanwhile: Meanwhile | None) -> Written:
    """`exchange_tree` with a tree of which all has to be linked."""
    is_worth_it, begun = spares.is_worth_it(plan), time.monotonic_ns()
    new = Begun(stage.folder, time.time_ns())
    try:
        carried = carry(plan, new)
        close(plan, new, carried)
        is_worth_it = is_worth_it and keeps_rights(plan, new, carried)
        if is_worth_it:
            _let_the_tick_pass(time.monotonic_ns(), meanwhile)
        elif len(plan.states) > _MANY:
            _let_the_tick_pass(begun, meanwhile)
        made = Made.of(stage.folder, carried.folders)
        moment = time.time_ns()
        _swap(stage.folder, plan.root)
    except OSError as problem:
        if problem.errno in NOT_HERE:
            raise CannotExchange(str(problem)) from problem
        raise
    if not stage.folder.exists():
        return Written(moment)
    is_parked = is_worth_it and _parked(stage.folder, plan, carried, made)
    stayed = carried.linked if is_parked else Retreat(plan, carried).go(stage.folder)
    stage.drop()
    return _seen(plan.root, moment, stayed)


def _exchanged_with(
    spare: Begun, plan: Plan, stage: Stage, meanwhile: Meanwhile | None
) -> Written | None:
    """`exchange_tree` with a tree that has most of the files; None, and no spare any more, where
    it cannot be made the new tree: the stage is as it was then.
    """
    tree = spare.folder
    moved: dict[str, int] = {}
    try:
        try:
            carried = carry(plan, spare)
            _move(plan.puts, stage.folder, tree, moved)
            close(plan, spare, carried)
            done = Made.of(tree, carried.folders)
            times = _times(tree, plan, (*moved, *carried.linked))
            _let_the_tick_pass(time.monotonic_ns(), meanwhile)
            made = Made.of(tree, carried.folders)
            if made.marks != done.marks or not keeps_rights(plan, spare, carried):
                raise OSError(errno.ESTALE, "somebody was here", str(tree))
            moment = time.time_ns()
            _swap(tree, plan.root)
        except (OSError, CannotExchange):
            _move_back(moved, stage.folder, tree)
            return None
        moved.clear()
        is_parked = _parked(tree, plan, carried, made)
    finally:
        if os.path.lexists(tree):
            _clear(tree, plan, None if moved else spare.moment)
    stage.drop()
    linked_at = time.monotonic_ns()
    return Written(moment, None, linked_at, times=times, is_exact=is_parked)


def _move(paths: Iterable[str], stage: Path, tree: Path, moved: dict[str, int]) -> None:
    """Move files from ``stage`` to ``tree``; ``moved`` gets their identities. Raises `OSError`."""
    for path in paths:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        identity = os.lstat(stage / path).st_ino
        os.rename(stage / path, tree / path)
        moved[path] = identity


def _move_back(moved: dict[str, int], stage: Path, tree: Path) -> None:
    """Take `_move` back. Raises `OSError` where one is no longer the file that was moved."""
    for path, identity in moved.items():
        if os.lstat(tree / path).st_ino != identity:
            raise OSError(errno.ESTALE, "somebody was here", path)
        os.rename(tree / path, stage / path)
    moved.clear()


def _parked(tree: Path, plan: Plan, carried: Carried, made: Made) -> bool:
    """Keep the old tree, with what is known of it and of the new one that was ``made``."""
    retreat = Retreat(plan, carried, kept=True)
    if retreat.go(tree) is None:
        return False
    with suppress(OSError):
        write_twins(tree, retreat.twins(made))
    is_parked = spares.park(tree, plan.root)
    if not is_parked:
        with suppress(OSError):
            (tree / TWINS_NAME).unlink(missing_ok=True)
    return is_parked


def _clear(tree: Path, plan: Plan, moment: int | None) -> None:
    """Remove a tree that is of no use; what somebody saved in it is given back, or put away with
    it. Nobody was in it at ``moment``; None: new files are in it, which nothing tells from others.
    """
    from brimgen.output.saved import give_back  # most runs do without

    is_left = False
    with suppress(OSError):
        is_left = give_back(tree, plan)
    if not is_left or moment is None or not spares.park(tree, plan.root, moment):
        remove_tree(tree)


def _let_the_tick_pass(begun: int, meanwhile: Meanwhile | None) -> None:
    """Wait until no file is young any more that was written before ``begun``, and no folder."""
    if meanwhile is not None:
        meanwhile()
    left = begun + _TICK - time.monotonic_ns()
    if left > 0:
        time.sleep(left / 1e9)


def _times(tree: Path, plan: Plan, paths: Iterable[str]) -> dict[str, int]:
    """The times of the inodes of our files at ``paths``, which were moved or linked into ``tree``.

    Whatever else has become of one since it was staged or compared is not for the stamp to believe.
    """
    return {
        path: os.lstat(tree / path).st_ctime_ns
        for path in paths
        if path in plan.puts or path in plan.states
    }


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


def _seen(root: Path, moment: int, stayed: list[str] | None) -> Written:
    """What there is to tell of an exchange after which files have ``stayed``, if that is known."""
    if stayed is None:
        return Written(moment, is_exact=False)
    if not stayed:
        return Written(moment)
    try:
        first, last = (os.lstat(root / stayed[end]).st_ctime_ns for end in (0, -1))
    except OSError:
        return Written(moment, is_exact=False)
    if last % _COARSE == 0:
        return Written(moment, is_exact=False)
    return Written(moment, (first, last), time.monotonic_ns())
