"""Copy owner, permissions, times and extended attributes from the old tree to the new one.

Access lists are among the extended attributes.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

_DEFAULT_LIST = "system.posix_acl_default"
"""The access list that new files in a folder get."""


class CannotKeep(Exception):
    """The system does not let this user give a new ``folder`` what the old one has."""

    def __init__(self, folder: str, reason: str) -> None:
        super().__init__(folder, reason)
        self.folder, self.reason = folder, reason


def copy_attributes(root: Path, tree: Path, folder: str, *, times: bool) -> None:
    """Copy the attributes of a folder in ``root`` to the same folder in ``tree``.

    ``times`` are copied on request. Raises `CannotKeep` where the system does not allow it.
    """
    old, new = root / folder, tree / folder
    status = os.stat(old)
    try:
        _copy_rights(old, new, status)
        if times:
            os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
        is_same = _rights(new) == _rights(old)
    except OSError as problem:
        raise CannotKeep(folder, problem.strerror or str(problem)) from problem
    if not is_same:
        raise CannotKeep(folder, "the file system gives it others")


def copy_owner_of_file(old: Path, new: Path) -> None:
    """Give a file that replaces another one its owner and attributes, as far as possible."""
    with suppress(OSError):
        status = os.lstat(old)
        if stat.S_ISREG(status.st_mode):
            _copy_rights(old, new, status)


def prepare_folder(old: Path, new: Path) -> None:
    """Let new files in ``new`` inherit the same group and access list as in ``old``."""
    with suppress(OSError):
        status = os.stat(old)
        if status.st_mode & stat.S_ISGID:
            os.chown(new, -1, status.st_gid)
            os.chmod(new, stat.S_IMODE(os.stat(new).st_mode) | stat.S_ISGID)
        if sys.platform == "linux" and _DEFAULT_LIST in os.listxattr(old):
            os.setxattr(new, _DEFAULT_LIST, os.getxattr(old, _DEFAULT_LIST))


def _copy_rights(old: Path, new: Path, status: os.stat_result) -> None:
    current = os.stat(new)
    if (current.st_uid, current.st_gid) != (status.st_uid, status.st_gid):
        os.chown(new, status.st_uid, status.st_gid)
    if sys.platform == "linux":
        wanted, existing = _extended_attributes(old), _extended_attributes(new)
        for name in existing.keys() - wanted.keys():
            os.removexattr(new, name)
        for name, value in wanted.items():
            if existing.get(name) != value:
                os.setxattr(new, name, value)
    # Last: the other two change permissions.
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_IMODE(os.stat(new).st_mode) != mode:
        os.chmod(new, mode)


def _rights(path: Path) -> tuple[int, int, int, dict[str, bytes]]:
    status = os.stat(path)
    return status.st_uid, status.st_gid, status.st_mode, _extended_attributes(path)


def _extended_attributes(path: Path) -> dict[str, bytes]:
    """The extended attributes; none where the file system has none. Raises `OSError`."""
    if sys.platform != "linux":
        return {}
    try:
        names = os.listxattr(path)
    except OSError as problem:
        if problem.errno in (errno.ENOTSUP, errno.ENOSYS):
            return {}
        raise
    return {name: os.getxattr(path, name) for name in names}
