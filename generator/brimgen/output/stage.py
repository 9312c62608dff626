"""The stage: a folder beside the output folder that holds new files until the run ends.

It is no part of the output folder, and is removed when a run gives up.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.output.attributes import prepare_folder
from brimgen.output.directory_tree import remove_tree
from brimgen.output.disk import file_identity
from brimgen.output.paths import JOURNAL_NAME
from brimgen.output.plan import FileIdentity

UNSUPPORTED = frozenset(
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
"""Errors of a system that does not support or allow an operation in this place."""

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


def stage_of(root: Path) -> Path:
    """The folder in which the new tree of ``root`` is built; the lock reserves it for one run."""
    return root.parent / f".{root.name}.brimgen-stage"


def stages_of(root: Path) -> Iterator[Path]:
    """The possible stages of ``root``; more than one, as something else may have the name."""
    stage = stage_of(root)
    yield stage
    for number in range(2, 10):
        yield stage.with_name(f"{stage.name}-{number}")


def clear_stages(root: Path) -> None:
    """Remove the stages of runs that died; only folders are removed."""
    for stage in stages_of(root):
        if not stage.is_symlink() and stage.is_dir():
            remove_tree(stage)


@contextmanager
def staging(root: Path) -> Generator[Stage]:
    """Make a stage for ``root``, and remove it at the end; to be used under the lock."""
    stage = Stage(root)
    try:
        yield stage
    finally:
        stage.drop()


class Stage:
    """A folder for the new files of ``root``, made with the first of them.

    ``is_beside`` where it can take the place of ``root``; where nothing can be made beside that,
    it lies in the folder of the journal.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.is_open = False
        self.is_beside = True
        self.folder = stage_of(root)
        self._made = {""}
        self._made_root = False

    def open(self) -> None:
        """Make the folder, unless it is there. Raises `OSError`."""
        if self.is_open:
            return
        places = stages_of(self.root)
        free = next((place for place in places if not os.path.lexists(place)), None)
        try:
            if free is None:
                raise PermissionError(errno.EPERM, "no free name", str(self.folder))
            free.mkdir()
            prepare_folder(self.root, free)
            self.folder, self.is_open = free, True
        except OSError as problem:
            if problem.errno not in UNSUPPORTED:
                raise
            self._made_root = not os.path.lexists(self.root)
            self.folder = self.root / JOURNAL_NAME / "stage"
            self.is_beside, self.is_open = False, True
            self.folder.mkdir(parents=True)

    def put(self, path: str, data: bytes, mode: int | None) -> FileIdentity:
        """Write a file, with the permissions ``mode`` if it replaces one; return its identity.

        Raises `OSError`.
        """
        if not self.is_open:
            self.open()
        folder = path.rpartition("/")[0]
        self._make(folder)
        full = f"{self.folder!s}/{path}"
        # Without the stream that `open` sets up, at half the cost.
        handle = os.open(full, _NEW, 0o666)
        try:
            written = os.write(handle, data)
            while written < len(data):
                written += os.write(handle, memoryview(data)[written:])
            status = os.fstat(handle)
        finally:
            os.close(handle)
        if mode is not None and stat.S_IMODE(status.st_mode) != mode:
            os.chmod(full, mode)
            status = os.stat(full)
        return file_identity(status)

    def _make(self, folder: str) -> None:
        """Make a folder in the stage, in which new files inherit what they would in the root."""
        if folder in self._made:
            return
        self._make(folder.rpartition("/")[0])
        (self.folder / folder).mkdir(exist_ok=True)
        prepare_folder(self.root / folder, self.folder / folder)
        self._made.add(folder)

    def drop(self) -> None:
        """Remove the folder, and what had to be made for it."""
        if not self.is_open:
            return
        self.is_open = False
        self._made = {""}
        if os.path.lexists(self.folder):
            remove_tree(self.folder)
        if not self.is_beside:
            with suppress(OSError):
                self.folder.parent.rmdir()
        if self._made_root:
            with suppress(OSError):  # where the run was carried out it is not empty
                self.root.rmdir()
