"""The cache folder: private to the user, with files that count only while they are intact.

Values are written by `marshal`: importing `json` took a fifth of a run that has nothing to do.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import zlib
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_ENTRIES = 96
"""Entries of a kind that are kept, of all projects of a user."""


def cache_folder() -> str | None:
    """The path of the cache: ``$BRIMGEN_CACHE``, or a folder of the user; None if that is empty."""
    configured = os.environ.get("BRIMGEN_CACHE")
    if configured is not None:
        return os.path.abspath(configured) if configured else None
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        home = os.path.expanduser("~/Library/Caches")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "brimgen") if os.path.isabs(home) else None


def private_folder(*, create: bool = False) -> str | None:
    """Return the cache folder if only this user can enter it, else None.

    With ``create`` it is made where it is missing.
    """
    folder = cache_folder()
    if folder is None:
        return None
    try:
        if create and not os.path.lexists(folder):
            os.makedirs(os.path.dirname(folder), exist_ok=True)
            os.mkdir(folder, 0o700)
        status = os.lstat(folder)
    except OSError:
        return None
    is_private = stat.S_ISDIR(status.st_mode)
    if hasattr(os, "geteuid"):
        is_owner = status.st_uid == os.geteuid()
        is_private &= is_owner and stat.S_IMODE(status.st_mode) == 0o700
    return folder if is_private else None


def entry_path(folder: str, key: object, kind: str) -> str:
    """The file for ``key`` in the cache; its content holds the whole key, as names may collide."""
    text = repr(key).encode("utf-8", "backslashreplace")
    return os.path.join(
        folder, f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}.{kind}"
    )


def read_bytes(path: str) -> bytes | None:
    """The bytes in a file of the cache; None where it is missing or damaged."""
    try:
        with open(path, "rb") as stream:
            checksum, _, data = stream.read().partition(b"\n")
    except OSError:
        return None
    return data if checksum == _checksum(data) else None


def read_entry(path: str) -> Any:
    """The plain value in a file of the cache; None where it is missing or damaged."""
    data = read_bytes(path)
    try:
        return None if data is None else marshal.loads(data)
    except (EOFError, TypeError, ValueError):
        return None


def write_entry(path: str, value: Any) -> None:
    """Put a value of plain types at ``path``, as `write_bytes` does."""
    write_bytes(path, marshal.dumps(value), most=MOST_ENTRIES)


def write_bytes(path: str, data: bytes, *, most: int) -> None:
    """Put bytes at ``path``, whole or not at all; keep at most ``most`` files of its kind.

    A disk that refuses is no failure: the cache only saves time.
    """
    part = f"{path}.{os.getpid()}.part"
    try:
        _make_room(os.path.dirname(path), path.rpartition(".")[2], most - 1)
        with open(part, "xb", opener=_private) as stream:
            stream.write(b"%b\n%b" % (_checksum(data), data))
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            os.unlink(part)


def _checksum(data: bytes) -> bytes:
    return b"%08x%08x" % (zlib.crc32(data), zlib.adler32(data))


def _make_room(folder: str, kind: str, most: int) -> None:
    """Remove the oldest of our files of a kind until ``most`` are left. Raises `OSError`."""
    import re

    ours = re.compile(rf"[0-9a-f]{{16}}\.{kind}(\.[0-9]+\.part)?", re.ASCII)
    with os.scandir(folder) as entries:
        files = sorted(
            (entry.stat(follow_symlinks=False).st_mtime_ns, entry.path)
            for entry in entries
            if ours.fullmatch(entry.name)
        )
    for _, path in files[: max(0, len(files) - most)]:
        with suppress(OSError):
            os.unlink(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
