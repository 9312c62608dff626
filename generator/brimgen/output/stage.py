"""The stage: the folder in the journal that holds new files until all of them are made."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.output.directory_tree import remove_tree
from brimgen.output.paths import JOURNAL_NAME

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)


@contextmanager
def staging(root: Path) -> Generator[Stage]:
    """Make a stage for ``root``, and remove it at the end; to be used under the lock."""
    stage = Stage(root)
    try:
        yield stage
    finally:
        stage.drop()


class Stage:
    """A folder for the new files of ``root``, made with the first of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / JOURNAL_NAME / "stage"
        self._made: set[str] = set()
        self._made_root = False

    def put(self, path: str, data: bytes, mode: int | None) -> None:
        """Write a file, with the permissions ``mode`` if it replaces one. Raises `OSError`."""
        self._make(path.rpartition("/")[0])
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

    def _make(self, folder: str) -> None:
        """Make a folder in the stage, and the stage before the first."""
        if folder in self._made:
            return
        if not self._made:
            self._made_root = not os.path.lexists(self.root)
        (self.folder / folder).mkdir(parents=True, exist_ok=True)
        self._made.add(folder)

    def drop(self) -> None:
        """Remove the folder, and what had to be made for it."""
        if not self._made:
            return
        self._made.clear()
        remove_tree(self.folder)
        with suppress(OSError):  # an interrupted journal stays for the next run
            self.folder.parent.rmdir()
        if self._made_root:
            with suppress(OSError):  # where the run was carried out it is not empty
                self.root.rmdir()
