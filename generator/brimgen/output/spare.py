"""Spares: the old tree of a run kept in the user's cache, of which the next new tree is made.

A new tree of five thousand files is made by linking them, and the old one removed by as many calls
more, whatever few of them a run has changed: a quarter of its time, and work for a disk each time a
spec is saved. An old tree that is kept has them linked already. It costs folders and no files, and
lies where stamps lie; files of others are not in it, and the manifest tells the others. What is
made of it is held to the output folder name by name (`carry`), so that a spare can save time and
cannot change an outcome.

A shell that stands in the output folder stands in the spare after a run, and may save files there.
They are moved to where they were meant to be, and never removed (`saved`).
"""

from __future__ import annotations

import errno
import os
import stat
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from brimgen.frozen import replace
from brimgen.output.carry import Begun
from brimgen.output.plan import Plan
from brimgen.output.trees import entries_of, folders_of, remove_tree
from brimgen.output.twins import Mark, Seen, mark, read_twins
from brimgen.stamp.evidence import cache_folder

FEW = 64
"""Files that a run changes; where it changes more, most of a spare would be of no use."""
MANY = 500
"""Files of ours. Fewer are linked and removed in less time than anybody notices."""
MOST_SPARES = 4
"""Of all output folders of a user; of one that is gone nobody else would remove the spare."""
_DOOMED = "removed-"


def is_worth_it(plan: Plan) -> bool:
    """Whether a run changes few of many files."""
    is_few = len(plan.puts) + len(plan.removes) <= FEW
    return is_few and len(plan.states) >= MANY and plan.root.is_dir()


def claimed(plan: Plan, place: Path) -> Begun | None:
    """The spare of its root, moved to ``place``; None where there is none that can be trusted.

    What somebody saved in others is given back first.
    """
    for kept in reversed(_sound(plan)):
        with suppress(OSError):
            os.rename(kept.folder, place)
            return replace(kept, folder=place)
    return None


def discard(plan: Plan) -> None:
    """Remove the spare of its root, which has become too different."""
    for kept in _sound(plan):
        _remove(kept.folder)


def park(tree: Path, root: Path, moment: int | None = None) -> bool:
    """Keep ``tree``, which was ``root`` before, as its spare; False: it is where it was.

    A folder of it that changed after ``moment`` (nanoseconds; None: now) tells that somebody was
    in it.
    """
    cache = cache_folder()
    if cache is None:
        return False
    try:
        for folder in (cache, os.path.join(cache, "spares")):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        home = _home(root)
        if home is None:
            return False
        _make_room(home)
        os.rename(tree, home / f"{_key(root)}-{moment or time.time_ns()}")
    except OSError:
        return False
    return True


def _home(root: Path) -> Path | None:
    """Where spares of ``root`` lie: in its file system, and where nobody else can put anything."""
    cache = cache_folder()
    if cache is None:
        return None
    home = Path(cache) / "spares"
    try:
        device = os.stat(root.parent).st_dev
        for each in (os.stat(cache), found := os.lstat(home)):
            if each.st_uid != os.geteuid() or each.st_mode & 0o022:
                return None
    except OSError:
        return None
    return home if stat.S_ISDIR(found.st_mode) and found.st_dev == device else None


def _key(root: Path) -> str:
    name = os.fsencode(os.path.abspath(root))
    return f"{zlib.crc32(name):08x}{zlib.adler32(name):08x}"


def _sound(plan: Plan) -> list[Begun]:
    """The spares in which nobody was, the oldest first; what was saved in others is given back."""
    home = _home(plan.root)
    found: list[Begun] = []
    for kept, moment in () if home is None else _kept(home, plan.root):
        with suppress(OSError):
            begun = _looked_at(kept, moment, plan.root)
            if begun is not None:
                found.append(begun)
                continue
            from brimgen.output.saved import give_back  # most runs do without

            if not give_back(kept, plan):
                _remove(kept)
    return found


def _kept(home: Path, root: Path) -> Iterator[tuple[Path, int]]:
    """The spares of ``root`` and when each was put there (nanoseconds), the oldest first."""
    key = _key(root)
    for moment, name in _listed(home):
        if name.startswith(f"{key}-"):
            yield home / name, moment


def _listed(home: Path) -> list[tuple[int, str]]:
    """When each spare was put there, and its name; the oldest first."""
    found: list[tuple[int, str]] = []
    with suppress(OSError):
        for name in os.listdir(home):
            moment = name.rpartition("-")[2]
            if moment.isdecimal():
                found.append((int(moment), name))
    return sorted(found)


def _looked_at(tree: Path, moment: int, root: Path) -> Begun | None:
    """What is in a spare of ``root``, folder by folder; None where somebody was in it after
    ``moment``.

    Raises `OSError`, also where the file system tells no identities that could be compared.
    """
    looked_at, twins = time.time_ns(), read_twins(tree)
    if twins is not None and twins.is_touched(tree, moment):
        return None
    if twins is not None and not twins.is_of(root):
        twins = None
    alike: dict[str, Seen] = {}
    found: dict[str, dict[str, int]] = {}
    marks: dict[str, Mark] = {}
    pending = [""]
    while pending:
        folder = pending.pop()
        if twins is not None and twins.is_twin(folder, root):
            here, marks[folder], within = twins.folders[folder]
            alike[folder] = Seen(here, within)
        else:
            seen, within, found[folder] = _listed_in(tree, folder)
            if seen.st_mtime_ns > moment:
                return None
            marks[folder] = mark(seen)
        pending += [f"{folder}/{each}".lstrip("/") for each in within]
    del marks[""]  # it is moved
    other = () if twins is None else twins.other
    return Begun(tree, looked_at, found, alike, other, marks)


def _listed_in(
    tree: Path, folder: str
) -> tuple[os.stat_result, tuple[str, ...], dict[str, int]]:
    """How a folder of a spare was found; the folders in it, and the identities of the files."""
    seen, entries = entries_of(tree, folder)
    within = tuple(each.name for each in entries if each.is_dir(follow_symlinks=False))
    files = {each.name: each.inode() for each in entries if each.name not in within}
    for name in [*files][:1]:
        if files[name] != os.lstat(tree / folder / name).st_ino:
            raise PermissionError(errno.EPERM, "no identities", str(tree))
    return seen, within, files


def _make_room(home: Path) -> None:
    """Remove the oldest spares where there are many, and what runs that died were removing."""
    listed = _listed(home)
    for _, name in listed:
        if name.startswith(_DOOMED):
            remove_tree(home / name)
    kept = [each for each in listed if not each[1].startswith(_DOOMED)]
    for moment, name in kept[: 1 - MOST_SPARES]:
        with suppress(OSError):
            if not _was_somebody_in(home / name, moment):
                _remove(home / name)


def _was_somebody_in(tree: Path, moment: int) -> bool:
    return any(moved > moment for _, moved, _ in folders_of(tree))


def _remove(spare: Path) -> None:
    """Remove a spare, first from where it can be claimed: one that loses its files while another
    run makes a tree of it would be missed in that tree.
    """
    doomed = spare.with_name(f"{_DOOMED}{spare.name.rpartition('-')[2]}")
    with suppress(OSError):
        os.rename(spare, doomed)
        remove_tree(doomed)
