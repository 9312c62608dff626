"""Link files that stay from the old tree into the new one."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from brimgen.frozen import dataclass, field
from brimgen.output.attributes import copy_attributes
from brimgen.output.directory_tree import opened
from brimgen.output.plan import Plan


@dataclass(frozen=True, slots=True)
class Carried:
    """The folders that were carried over, the outermost first, and the inodes of foreign files."""

    folders: list[str] = field(default_factory=list[str])
    foreign: dict[str, int] = field(default_factory=dict[str, int])


def carry(plan: Plan, tree: Path) -> Carried:
    """Link unchanged and foreign files into ``tree``, in which the new files lie already.

    Links keep identity and times. Raises `OSError`.
    """
    carried, pending = Carried(), [""]
    if not plan.root.exists():
        return carried
    device = plan.root.stat().st_dev
    changed = {*plan.puts, *plan.removes}
    while pending:
        folder = pending.pop()
        carried.folders.append(folder)
        within = f"{folder}/" if folder else ""
        # Names relative to open folders: looking up two whole paths takes as long as linking.
        with opened(plan.root / folder) as old, opened(tree / folder) as new:
            if os.fstat(old).st_dev != device:
                place = f"{plan.root}/{folder}"
                raise OSError(errno.EXDEV, "another file system", place)
            with os.scandir(old) as entries:
                for entry in entries:
                    path = within + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        with suppress(FileExistsError):  # a new file lies in it
                            os.mkdir(entry.name, dir_fd=new)
                        pending.append(path)
                    elif path not in changed:
                        _link(entry.name, old, new)
                        if path not in plan.states:
                            carried.foreign[path] = entry.inode()
    return carried


def _link(name: str, old: int, new: int) -> None:
    os.link(name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)


def finish_folders(plan: Plan, tree: Path, carried: Carried) -> None:
    """Remove folders that removals left empty; give the others the attributes of the old ones.

    A folder whose content is the same keeps its times, too. Raises `OSError`, and `CannotKeep`
    where the system does not allow it.
    """
    _prune(tree, plan.removes)
    parents = {path.rpartition("/")[0] for path in (*plan.puts, *plan.removes)}
    changed = {_nearest(parent, tree, plan.root) for parent in parents}
    for folder in reversed(carried.folders):
        if (tree / folder).is_dir():
            is_same = folder not in changed
            copy_attributes(plan.root, tree, folder, times=is_same)


def _nearest(folder: str, new: Path, old: Path) -> str:
    """The folder, or the nearest one above it that both trees have."""
    while folder and not ((new / folder).is_dir() and (old / folder).is_dir()):
        folder = folder.rpartition("/")[0]
    return folder


def _prune(tree: Path, removes: tuple[str, ...]) -> None:
    for path in removes:
        for folder in list(Path(path).parents)[:-1]:
            try:
                (tree / folder).rmdir()
            except OSError:
                break


def rescue_late_files(old: Path, plan: Plan, carried: Carried) -> None:
    """Move files that somebody saved in the old tree during the run into the new one.

    Raises `OSError`.
    """
    ours = {*plan.states, *plan.puts, *plan.removes}
    pending = [""]
    while pending:
        folder = pending.pop()
        within = f"{folder}/" if folder else ""
        with opened(old / folder) as handle, os.scandir(handle) as entries:
            for entry in entries:
                path = within + entry.name
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path)
                elif path not in ours and carried.foreign.get(path) != entry.inode():
                    target = plan.root / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    os.replace(entry.name, target, src_dir_fd=handle)
