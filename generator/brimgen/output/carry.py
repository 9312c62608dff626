"""A plan and the begin of a new tree in; all that stays of the old tree linked into it.

The begin is an empty folder, or one with new files in it, or the tree of an earlier run.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path

from brimgen.frozen import dataclass, field
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Plan
from brimgen.output.trees import copy_mode, opened, remove_tree

Entries = Mapping[str, Mapping[str, int]]
"""The identities of files by folder and name."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What was carried over: the folders, the innermost first; the files of others, each with its
    identity; and the files that had to be linked for it, in this order.
    """

    folders: list[str] = field(default_factory=list[str])
    foreign: dict[str, int] = field(default_factory=dict[str, int])
    linked: list[str] = field(default_factory=list[str])


def carry(plan: Plan, tree: Path, there: Entries | None = None) -> Carried:
    """Make ``tree`` the new tree but for its new files, some of which may lie in it.

    Unchanged and foreign files are the same files in it (hard links), with their times. ``there``
    is what lies in it where it is the tree of an earlier run. Raises `OSError`.
    """
    carried, known = Carried(), there or {}
    if not plan.root.exists():
        return carried
    leave, pending = {*plan.puts, *plan.removes}, [""]
    device = plan.root.stat().st_dev
    while pending:
        folder = pending.pop()
        carried.folders.append(folder)
        with opened(plan.root / folder) as old, opened(tree / folder) as new:
            if os.fstat(old).st_dev != device:
                raise OSError(
                    errno.EXDEV, "another file system", f"{plan.root}/{folder}"
                )
            within = f"{folder}/" if folder else ""
            pending += _carry(old, new, within, leave, plan, carried, known)
    carried.folders.reverse()
    gone = known.keys() - carried.folders
    for folder in gone:
        for name in known[folder]:
            _check_ours(f"{folder}/{name}", plan)
    for folder in gone:
        remove_tree(tree / folder)
        if os.path.lexists(tree / folder):
            raise OSError(errno.EBUSY, "it cannot be removed", f"{tree}/{folder}")
    return carried


def _carry(
    old: int,
    new: int,
    within: str,
    leave: Container[str],
    plan: Plan,
    carried: Carried,
    known: Entries,
) -> list[str]:
    """Link what stays in one folder into the new one; return the folders that lie in it.

    They are named as they are open: looking up two whole paths took as long as linking.
    """
    folders: list[str] = []
    ours = plan.states
    left = {**known.get(within[:-1], {})}
    with os.scandir(old) as entries:
        for entry in entries:
            name = entry.name
            path = within + name
            if entry.is_dir(follow_symlinks=False):
                with suppress(FileExistsError):  # a new file lies in it
                    os.mkdir(name, dir_fd=new)
                folders.append(path)
            elif path not in leave:
                identity = entry.inode()
                there = left.pop(name, None)
                if there != identity:
                    if there is not None:
                        os.unlink(name, dir_fd=new)
                    _link(name, old, new)
                    carried.linked.append(path)
                if path not in ours:
                    carried.foreign[path] = identity
    for name in left:
        path = within + name
        _check_ours(path, plan)
        if path not in plan.puts:  # or the new file takes its place
            os.unlink(name, dir_fd=new)
    return folders


def _check_ours(path: str, plan: Plan) -> None:
    """Raise `OSError` where what is to go from a tree of an earlier run was saved there, so soon
    after that run that no time tells it.
    """
    if path not in plan.states and path != MANIFEST_NAME:
        raise OSError(errno.ESTALE, "somebody was here", path)


def close(plan: Plan, tree: Path, carried: Carried) -> None:
    """Drop the folders that removals have left empty in the new ``tree``, and give the others the
    permissions that they had. Raises `OSError`.
    """
    _prune(tree, plan.removes)
    for folder in carried.folders:
        if (tree / folder).is_dir():
            copy_mode(plan.root / folder, tree / folder)


def _link(name: str, old: int, new: int) -> None:
    os.link(name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)


def _prune(tree: Path, removes: tuple[str, ...]) -> None:
    for path in removes:
        for folder in list(Path(path).parents)[:-1]:
            try:
                (tree / folder).rmdir()
            except OSError:
                break
