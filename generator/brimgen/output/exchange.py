"""A plan in; the whole new tree built beside the old one and put in its place in one step."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.output.plan import Plan

_EXCHANGE = 2
_HERE = -100
_NOT_HERE = frozenset(
    {
        errno.EACCES,
        errno.EBUSY,
        errno.EINVAL,
        errno.EMLINK,
        errno.ENOSYS,
        errno.ENOTSUP,
        errno.EPERM,
        errno.EROFS,
        errno.EXDEV,
    }
)
_MANY = 256
_TICK = 0.013
"""Seconds, a little more than `brimgen.stamp.evidence.TICK`. What was written in the last tick
before the exchange would have to be read again by the stamp and by the next run; of many files it
pays to let the tick pass instead, because nobody sees them before.
"""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


class CannotExchange(Exception):
    """This file system, or this folder, does not allow the exchange; nothing was changed."""


def stage_of(root: Path) -> Path:
    """Where the new tree of ``root`` is built; the lock makes it one run's own."""
    return root.parent / f".{root.name}.brimgen-stage"


def clear_stages(root: Path) -> None:
    """Remove what runs that died have left; nothing that is no folder is ours."""
    for stage in _stages(root):
        if not os.path.lexists(stage):
            return
        if not stage.is_symlink() and stage.is_dir():
            remove_tree(stage)


def _stages(root: Path) -> Iterator[Path]:
    """Where the new tree may be built: a stranger, or what nobody may remove, is passed by."""
    stage = stage_of(root)
    yield stage
    for number in range(2, 10):
        yield stage.with_name(f"{stage.name}-{number}")


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours, write-protected folders in it too, as far as the disk lets us."""
    with suppress(OSError):
        _remove_plain(folder)
    if not os.path.lexists(folder):
        return
    import shutil  # with all formats of archives: most runs do without

    shutil.rmtree(folder, ignore_errors=True)
    # Top-down: a folder is opened before it is read.
    for inner, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(inner, 0o700)
            for name in os.listdir(inner):
                path = os.path.join(inner, name)
                if os.path.isdir(path) and not os.path.islink(path):
                    os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _remove_plain(folder: Path) -> None:
    """Remove a folder in which nothing is in the way, with a call a file and no more."""
    if os.unlink not in os.supports_dir_fd:
        return
    with _opened(folder) as handle:
        with os.scandir(handle) as listed:
            entries = [*listed]
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _remove_plain(folder / entry.name)
            else:
                os.unlink(entry.name, dir_fd=handle)
    os.rmdir(folder)


def exchange_tree(plan: Plan) -> int:
    """Carry out ``plan`` so that its root is the old tree up to one moment, the new one after it.

    Unchanged and foreign files are the same files in the new tree (hard links), with their
    times. Returns the moment just before the exchange. Raises `CannotExchange` where the system
    lacks the means, `OSError` where the disk fails; the old tree stands unchanged in both cases.
    """
    if sys.platform != "linux" and os.path.lexists(plan.root):
        raise CannotExchange("the system cannot exchange two folders")
    stages = _stages(plan.root)
    stage = next((each for each in stages if not os.path.lexists(each)), None)
    if stage is None:
        raise CannotExchange("there is no free name for the new tree")
    try:
        carried = _build(plan, stage)
        if len(plan.puts) > _MANY:
            time.sleep(_TICK)
        moment = time.time_ns()
        _swap(stage, plan.root)
    except OSError as problem:
        remove_tree(stage)
        if problem.errno in _NOT_HERE:
            raise CannotExchange(str(problem)) from problem
        raise
    except BaseException:
        remove_tree(stage)
        raise
    if stage.exists():
        _rescue(stage, plan, carried)
        remove_tree(stage)
    return moment


def _build(plan: Plan, stage: Path) -> dict[str, int]:
    """Make the new tree; return the carried files with the identity that each had."""
    leave = {*plan.puts, *plan.removes}
    carried: dict[str, int] = {}
    stage.mkdir()
    folders = [] if not plan.root.exists() else _carry(plan.root, stage, leave, carried)
    made = {""}
    new, root = str(stage), str(plan.root)
    for path, data in plan.puts.items():
        folder = path.rpartition("/")[0]
        if folder not in made:
            (stage / folder).mkdir(parents=True, exist_ok=True)
            made.add(folder)
        target, old = f"{new}/{path}", f"{root}/{path}"
        _put(target, data)
        if folders and os.path.isfile(old):
            copy_mode(old, target)
    _prune(stage, plan.removes)
    for folder in folders:
        if (stage / folder).is_dir():
            copy_mode(plan.root / folder, stage / folder)
    return carried


def _put(path: str, data: bytes) -> None:
    """Write a new file: without the stream that `open` sets up, at half the cost."""
    handle = os.open(path, _NEW, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def copy_mode(source: str | Path, target: str | Path) -> None:
    """Give ``target`` the permissions that ``source`` has."""
    os.chmod(target, stat.S_IMODE(os.stat(source).st_mode))


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
        with _opened(root / folder) as old, _opened(stage / folder) as new:
            if os.fstat(old).st_dev != device:
                raise OSError(errno.EXDEV, "another file system", f"{root}/{folder}")
            # Names in two open folders: looking up two whole paths took as long as linking.
            with os.scandir(old) as entries:
                for entry in entries:
                    name = entry.name
                    path = f"{folder}/{name}" if folder else name
                    if entry.is_dir(follow_symlinks=False):
                        os.mkdir(name, dir_fd=new)
                        pending.append(path)
                    elif path not in leave:
                        _link(name, old, new)
                        carried[path] = entry.inode()
    folders.reverse()
    return folders


def _link(name: str, old: int, new: int) -> None:
    os.link(name, name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)


@contextmanager
def _opened(folder: Path) -> Generator[int]:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


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
