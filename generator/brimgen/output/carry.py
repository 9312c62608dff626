"""A plan and the begin of a new tree in; all that stays of the old tree linked into it.

The begin is an empty folder, or one with new files in it, or the tree of an earlier run.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.frozen import dataclass, field
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Plan
from brimgen.output.trees import copy_mode, have_same_rights, opened, remove_tree
from brimgen.output.twins import TWINS_NAME, Mark, Seen, mark


@dataclass(frozen=True, slots=True)
class Begun:
    """The begin of a new tree: a folder with new files in it or none; or the tree of an earlier run
    with the identities of its files by folder and name.

    Folders that are ``alike`` have the files that those of the output folder have, but for the
    ``other`` ones. All were looked at after ``moment`` (nanoseconds), and had these ``marks``.
    """

    folder: Path
    moment: int
    entries: Mapping[str, Mapping[str, int]] = field(
        default_factory=dict[str, Mapping[str, int]]
    )
    alike: Mapping[str, Seen] = field(default_factory=dict[str, Seen])
    other: tuple[str, ...] = ()
    marks: Mapping[str, Mark] = field(default_factory=dict[str, Mark])


@dataclass(frozen=True, slots=True)
class Carried:
    """What was carried over: the folders as they were seen after ``moment``, the outermost first;
    the files of others, each with its identity; and the files that had to be linked for it, in this
    order.
    """

    moment: int
    folders: dict[str, Seen] = field(default_factory=dict[str, Seen])
    foreign: dict[str, int] = field(default_factory=dict[str, int])
    linked: list[str] = field(default_factory=list[str])


def carry(plan: Plan, begun: Begun) -> Carried:
    """Make the tree that was ``begun`` the new tree but for its new files, some of which may lie in
    it.

    Unchanged and foreign files are the same files in it (hard links), with their times. Raises
    `OSError`.
    """
    carried, pending = Carried(begun.moment), [""]
    if not plan.root.exists():
        return carried
    work = _Work(plan, begun, carried)
    while pending:
        folder = pending.pop()
        seen = begun.alike.get(folder)
        if seen is None:
            seen = work.carry_all(folder)
        else:
            work.carry_others(folder)
        carried.folders[folder] = seen
        within = f"{folder}/" if folder else ""
        pending += [within + each for each in seen.within]
    _remove_rest(plan, begun, carried)
    return carried


def _remove_rest(plan: Plan, begun: Begun, carried: Carried) -> None:
    """Remove the folders that the tree of an earlier run has and the output folder has not."""
    gone = (begun.entries.keys() | begun.alike.keys()) - carried.folders.keys()
    for folder in gone:
        if folder in begun.alike:
            raise OSError(errno.ESTALE, "somebody was here", f"{plan.root}/{folder}")
        for name in begun.entries[folder]:
            _check_ours(f"{folder}/{name}", plan)
    for folder in gone:
        remove_tree(begun.folder / folder)
        if os.path.lexists(begun.folder / folder):
            place = f"{begun.folder}/{folder}"
            raise OSError(errno.EBUSY, "it cannot be removed", place)


class _Work:
    """Carries folder by folder.

    Files are named as their folders are open: looking up two whole paths took as long as linking.
    """

    def __init__(self, plan: Plan, begun: Begun, carried: Carried) -> None:
        self._plan, self._begun, self._carried = plan, begun, carried
        self._leave = {*plan.puts, *plan.removes}
        self._device = plan.root.stat().st_dev
        self._others: dict[str, set[str]] = {}
        for path in (*begun.other, *self._leave) if begun.alike else ():
            folder, _, name = path.rpartition("/")
            self._others.setdefault(folder, set()).add(name)

    def carry_all(self, folder: str) -> Seen:
        """Carry all that is in a folder; return what was seen in it."""
        within: list[str] = []
        files: dict[str, int] = {}
        with self._opened(folder) as (old, new):
            found = os.fstat(old)
            if found.st_dev != self._device:
                place = f"{self._plan.root}/{folder}"
                raise OSError(errno.EXDEV, "another file system", place)
            with os.scandir(old) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        with suppress(FileExistsError):  # a new file lies in it
                            os.mkdir(entry.name, dir_fd=new)
                        within.append(entry.name)
                    else:
                        files[entry.name] = entry.inode()
            there = dict(self._begun.entries.get(folder, {}))
            self._carry(folder, old, new, files, there)
        return Seen(mark(found), tuple(within))

    def carry_others(self, folder: str) -> None:
        """Carry the files of a folder that are others in its twin, or no longer to be in it."""
        names = self._others.get(folder)
        if names:
            with self._opened(folder) as (old, new):
                self._carry(folder, old, new, _files(names, old), _files(names, new))
            # All there was generated, though maybe not by the targets of this run.
            for name in names:
                self._carried.foreign.pop(f"{folder}/{name}", None)

    @contextmanager
    def _opened(self, folder: str) -> Generator[tuple[int, int]]:
        with (
            opened(self._plan.root / folder) as old,
            opened(self._begun.folder / folder) as new,
        ):
            was = self._begun.marks.get(folder)
            if was is not None and was != mark(os.fstat(new)):
                raise OSError(errno.ESTALE, "somebody was here", folder)
            yield old, new

    def _carry(
        self,
        folder: str,
        old: int,
        new: int,
        files: dict[str, int],
        there: dict[str, int],
    ) -> None:
        """Link of ``files`` of one folder what stays into the new one, where ``there`` is more or
        less of it already.
        """
        carried, ours = self._carried, self._plan.states
        within = f"{folder}/" if folder else ""
        for name, identity in files.items():
            path = within + name
            if path in self._leave:
                continue
            is_there = there.pop(name, None)
            if is_there != identity:
                if is_there is not None:
                    os.unlink(name, dir_fd=new)
                os.link(
                    name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False
                )
                carried.linked.append(path)
            if path not in ours:
                carried.foreign[path] = identity
        for name in there:
            path = within + name
            _check_ours(path, self._plan)
            if path not in self._plan.puts:  # or the new file takes its place
                os.unlink(name, dir_fd=new)


def _files(names: Iterable[str], folder: int) -> dict[str, int]:
    """The identities of the files that have one of ``names`` in an open folder."""
    found: dict[str, int] = {}
    for name in names:
        with suppress(FileNotFoundError):
            each = os.stat(name, dir_fd=folder, follow_symlinks=False)
            if not stat.S_ISDIR(each.st_mode):
                found[name] = each.st_ino
    return found


def _check_ours(path: str, plan: Plan) -> None:
    """Raise `OSError` where what is to go from a tree of an earlier run was saved there, so soon
    after that run that no time tells it.
    """
    ours = (plan.states, plan.recorded, (MANIFEST_NAME, TWINS_NAME))
    if not any(path in each for each in ours):
        raise OSError(errno.ESTALE, "somebody was here", path)


def close(plan: Plan, begun: Begun, carried: Carried) -> None:
    """Drop the folders that removals have left empty in the new tree, and give the others the
    permissions that they had. Raises `OSError`.
    """
    tree = begun.folder
    _prune(tree, plan.removes)
    for folder in reversed(carried.folders):
        if folder not in begun.alike and (tree / folder).is_dir():
            copy_mode(plan.root / folder, tree / folder)


def keeps_rights(plan: Plan, begun: Begun, carried: Carried) -> bool:
    """Whether the folders of the new tree have all that the old ones had with their permissions.

    A folder that is made has not: so neither tree may come back in the place of the other.
    """
    new = [each for each in carried.folders if (begun.folder / each).is_dir()]
    return all(
        have_same_rights(plan.root / each, begun.folder / each)
        for each in new
        if each not in begun.alike
    )


def _prune(tree: Path, removes: tuple[str, ...]) -> None:
    for path in removes:
        for folder in list(Path(path).parents)[:-1]:
            try:
                (tree / folder).rmdir()
            except OSError:
                break
