"""Read and write the files of a store, atomically and by one writer at a time."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from .errors import StoreError

_LOCK = ".lock"
_NEW = ".new"
_INDEX = ".search.sqlite3"


class Disk:
    """A folder of JSON files; the first lock creates ``folder``.

    ``folder`` may be a link, but no link below it is followed. Whatever cannot be read or written
    raises StoreError.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def index_file(self) -> Path | None:
        """The file of the full-text index; None while the folder does not exist."""
        return self._place(_INDEX) if self.folder.is_dir() else None

    @contextmanager
    def locked(self) -> Generator[None]:
        """Hold the lock of the folder, waiting for other threads and processes.

        The system releases it when a process dies.
        """
        path = self._place(_LOCK)
        with _told(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle)
            yield
        finally:
            os.close(handle)

    def read(
        self, *names: str, is_sound: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any] | None:
        """Return the object in a file; None if there is no file.

        Raises StoreError for a file that is no JSON, or without an object that ``is_sound``.
        """
        path = self._place(*names)
        value: object = None
        try:
            with _told(path):
                if not stat.S_ISREG(path.stat().st_mode):
                    raise ValueError("a pipe or a device may never end")
                value = json.loads(path.read_bytes().decode())
                # Half characters and infinite numbers can be read, but not be written again.
                json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not is_sound(cast(dict[str, Any], value)):
            raise StoreError("unreadable", f"{path} is no file of the store")
        return cast(dict[str, Any], value)

    def read_sound(
        self, *names: str, is_sound: Callable[[dict[str, Any]], bool]
    ) -> dict[str, Any] | None:
        """Return the object in a file as `read` does; None also if the file is damaged."""
        try:
            return self.read(*names, is_sound=is_sound)
        except StoreError:
            return None

    def write(self, value: dict[str, Any], *names: str) -> None:
        """Write an object to a file, under the lock; readers see the old file or the new one.

        A link or a folder in the place of the file is replaced.
        """
        parent = self._place(*names[:-1])
        path = parent / names[-1]
        new = self.folder / _NEW
        data = json_bytes(value)
        with _told(path):
            parent.mkdir(parents=True, exist_ok=True)
            _remove(new)
            with new.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if path.is_dir() and not path.is_symlink():
                _remove(path)
            new.replace(path)

    def remove(self, *names: str) -> None:
        """Remove a file, or what stands in its place."""
        path = self._place(*names[:-1]) / names[-1]
        with _told(path):
            _remove(path)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        path = self._place(name)
        with _told(path):
            path.rmdir()

    def folders(self) -> list[str]:
        """Return the names of the folders, sorted."""
        if not self.folder.is_dir():
            return []
        with _told(self.folder):
            return sorted(path.name for path in self.folder.iterdir() if path.is_dir())

    def files(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, sorted; none if it does not exist."""
        path = self._place(folder)
        try:
            with _told(path):
                return sorted(os.listdir(path))
        except FileNotFoundError:
            return []

    def _place(self, *names: str) -> Path:
        """Return a path below the folder. Raises StoreError if a link is on the way."""
        path = self.folder
        for name in names:
            path = path / name
            if path.is_symlink():
                refusal = f"{path} is a link, and the store follows none"
                raise StoreError("unreadable", refusal)
        return path


@contextmanager
def _told(path: Path) -> Generator[None]:
    """Raise StoreError for what the system refuses, but for a file that is not there."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise StoreError("unreadable", f"{path}: {reason}") from error


def _remove(path: Path) -> None:
    """Remove a file, a link (not what it leads to) or an empty folder, if there is one.

    Raises StoreError for a folder that holds anything: it may be somebody's work.
    """
    if path.is_dir() and not path.is_symlink():
        try:
            path.rmdir()
        except OSError as error:
            reason = "is a folder that cannot be removed, or holds files"
            raise StoreError("unreadable", f"{path}: {reason}") from error
    else:
        path.unlink(missing_ok=True)


def json_bytes(value: object) -> bytes:
    """Return a value as the JSON of a file. Raises StoreError if JSON cannot represent it."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
        return f"{text}\n".encode()
    except (TypeError, ValueError, RecursionError):
        raise StoreError("invalid", "the body is no JSON") from None


def _lock(handle: int) -> None:
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX)
        return
    import msvcrt

    while True:
        with suppress(OSError):  # raised after ten seconds of waiting
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
            return
