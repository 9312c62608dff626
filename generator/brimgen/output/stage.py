"""The stage: the folder in the journal that holds new files until all of them are made."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.output.directory_tree import remove_tree
from brimgen.output.paths import JOURNAL_NAME


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
        full = self.folder / path
        full.write_bytes(data)
        if mode is not None:
            full.chmod(mode)

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
