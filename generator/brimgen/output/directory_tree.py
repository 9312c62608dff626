"""Open folders without following links, and remove whole trees."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def opened(folder: Path) -> Generator[int]:
    """The handle of a folder that is no link."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


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
    """Remove a folder without obstacles, with one system call for each file."""
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
