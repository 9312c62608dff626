"""Look at the output folder without following links."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from brimgen.diagnostics import Span
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Absent:
    """The path does not exist."""


@dataclass(frozen=True, slots=True)
class Present:
    """A plain file: its bytes and its permissions."""

    data: bytes
    mode: int


@dataclass(frozen=True, slots=True)
class Blocked:
    """Something that cannot be a generated file; ``description`` says what."""

    description: str


Seen: TypeAlias = Absent | Present | Blocked
_ABSENT = Absent()


class Disk:
    """The folder ``root``, whose folders are as they were when they were first looked at.

    `clear` makes files count as removed, so that a folder may take the place of a file of ours.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._folders: dict[str, Seen | None] = {}
        self._cleared: set[str] = set()

    def span(self, path: str) -> Span:
        """The place of a file in messages: the name of the folder, then the path below it."""
        return Span.at_file(f"{self.root.name}/{path}")

    def clear(self, paths: Iterable[str]) -> None:
        """Look at ``paths`` as if they were removed already."""
        self._cleared.update(paths)
        self._folders.clear()

    def look(self, path: str) -> Seen:
        """What is at ``path`` below the root."""
        folder = path.rpartition("/")[0]
        above = self._above(folder)
        return self._read(path) if above is None else above

    def _above(self, folder: str) -> Seen | None:
        """Return what prevents a file in ``folder`` from existing, or None."""
        if folder not in self._folders:
            outer = self._above(folder.rpartition("/")[0]) if folder else None
            self._folders[folder] = outer or self._folder(folder)
        return self._folders[folder]

    def _folder(self, folder: str) -> Seen | None:
        if folder in self._cleared:
            return _ABSENT
        try:
            mode = os.lstat(self.root / folder).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return _ABSENT
        return None if stat.S_ISDIR(mode) else Blocked(_describe(mode))

    def _read(self, path: str) -> Seen:
        full = f"{self.root}/{path}"
        try:
            status = os.lstat(full)
            if not stat.S_ISREG(status.st_mode):
                return Blocked(_describe(status.st_mode))
            return Present(Path(full).read_bytes(), stat.S_IMODE(status.st_mode))
        except (FileNotFoundError, NotADirectoryError):
            return _ABSENT


def _describe(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    return "a file" if stat.S_ISREG(mode) else "a special file"
