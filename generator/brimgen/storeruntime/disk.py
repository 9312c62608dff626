"""Read and write the files of a store, atomically and by one writer at a time."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from .errors import StoreError

_LOCK = ".lock"
_NEW = ".new"
_INDEX = ".search.sqlite3"


class Disk:
    """A folder of JSON files; the first lock creates ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def index_file(self) -> Path | None:
        """The file of the full-text index; None while the folder does not exist."""
        return self.folder / _INDEX if self.folder.is_dir() else None

    @contextmanager
    def locked(self) -> Generator[None]:
        """Hold the lock of the folder, waiting for other threads and processes.

        The system releases it when a process dies.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(handle)
            yield
        finally:
            os.close(handle)

    def read(self, *names: str, keys: Collection[str] = ()) -> dict[str, Any] | None:
        """Return the object in a file; None if there is no file.

        Raises StoreError for a file without an object that has all ``keys``.
        """
        path = self.folder.joinpath(*names)
        try:
            value = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except ValueError:
            value = None
        if not isinstance(value, dict) or not all(key in value for key in keys):
            raise StoreError("unreadable", f"{path} is no file of the store")
        return cast(dict[str, Any], value)

    def write(self, value: dict[str, Any], *names: str) -> None:
        """Write an object to a file, under the lock; readers see the old file or the new one."""
        path = self.folder.joinpath(*names)
        path.parent.mkdir(parents=True, exist_ok=True)
        new = self.folder / _NEW
        with new.open("wb") as file:
            file.write(json_bytes(value))
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)

    def remove(self, *names: str) -> None:
        """Remove a file, or an empty folder."""
        path = self.folder.joinpath(*names)
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink()

    def folders(self) -> list[str]:
        """Return the names of the folders, sorted."""
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if path.is_dir())

    def files(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, sorted; none if it does not exist."""
        try:
            return sorted(os.listdir(self.folder / folder))
        except FileNotFoundError:
            return []


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
