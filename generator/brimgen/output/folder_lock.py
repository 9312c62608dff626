"""Lock the folder that holds the output folder, so that one process writes at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_NO_FOLDER_LOCKS = frozenset(
    {errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS}
)


@contextmanager
def locked(root: Path, *, shared: bool = False) -> Generator[None]:
    """Hold the lock of the output folder ``root``, waiting for other runs.

    The lock is on the parent folder itself, so nothing is left beside the output, and it is
    released by the system if the process dies. Where a folder cannot be locked (Windows, some
    network disks, a parent that cannot be listed) a lock file stays beside the output.
    ``shared`` is for readers: it waits for writers only, and writes nothing, not even that file.
    """
    handle = _lock_folder(root.parent, shared=shared)
    if handle is not None:
        try:
            yield
        finally:
            os.close(handle)
    elif shared:
        yield
    else:
        from filelock import FileLock

        with FileLock(root.parent / f".{root.name}.brimgen-lock"):
            yield


def _lock_folder(folder: Path, *, shared: bool) -> int | None:
    """Lock ``folder`` and return its handle, or None where the system has no such locks."""
    if sys.platform == "win32":
        return None
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        return None
    except FileNotFoundError:
        if shared:
            return None
        raise
    try:
        fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except OSError as problem:
        os.close(handle)
        if problem.errno in _NO_FOLDER_LOCKS:
            return None
        raise
    except BaseException:
        os.close(handle)
        raise
    return handle
