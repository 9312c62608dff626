"""Trees of folders: opened without following links, removed, and their permissions copied."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def copy_mode(source: str | Path, target: str | Path) -> None:
    """Give ``target`` the permissions that ``source`` has, if it has others."""
    mode = stat.S_IMODE(os.stat(source).st_mode)
    if stat.S_IMODE(os.stat(target).st_mode) != mode:
        os.chmod(target, mode)


def have_same_rights(one: Path, other: Path) -> bool:
    """Whether two folders have the same owner, group, permissions and extended attributes, such as
    lists of who may do what. Raises `OSError`.
    """
    return _rights(one) == _rights(other)


def _rights(folder: Path) -> tuple[int, int, int, dict[str, bytes]]:
    found = os.stat(folder)
    attributes: dict[str, bytes] = {}
    with suppress(OSError):  # where the file system has none
        for name in os.listxattr(folder):
            attributes[name] = os.getxattr(folder, name)
    return found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode), attributes


@contextmanager
def opened(folder: Path) -> Generator[int]:
    """The handle of a folder that is no link."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


def folders_of(tree: Path) -> Iterator[tuple[str, int, list[os.DirEntry[str]]]]:
    """The folders of a tree, all of this user: when names came or went, and what is in each.

    Raises `OSError`.
    """
    pending = [""]
    while pending:
        folder = pending.pop()
        found, entries = entries_of(tree, folder)
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                pending.append(f"{folder}/{each.name}".lstrip("/"))
        yield folder, found.st_mtime_ns, entries


def entries_of(
    tree: Path, folder: str
) -> tuple[os.stat_result, list[os.DirEntry[str]]]:
    """How a folder of a tree of this user was found, and what is in it. Raises `OSError`."""
    with opened(tree / folder) as handle:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid():
            raise PermissionError(errno.EPERM, "another owner", str(tree))
        with os.scandir(handle) as listed:
            return found, [*listed]


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
    folders: list[str] = []
    # One handle at a time, and none for the folders within: a process may have few.
    with os.scandir(folder) as listed:
        entries = [*listed]
    with opened(folder) as handle:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                os.unlink(entry.name, dir_fd=handle)
    for name in folders:
        _remove_plain(folder / name)
    os.rmdir(folder)
