"""Digests, for files too young to be known by their state; and how the cache is written."""

from __future__ import annotations

import os
from contextlib import suppress

from brimgen.digest import sha256


def digest(path: str) -> str:
    """The digest of the bytes of a file. Raises `OSError`."""
    with open(path, "rb") as stream:
        return sha256(stream.read())


def digest_of_text(path: str) -> str:
    """The digest of a spec file as `brimgen.source.files` hands it on: without a byte order
    mark, with ``\\n`` line ends. Raises `OSError`.
    """
    with open(path, "rb") as stream:
        data = stream.read().removeprefix(b"\xef\xbb\xbf")
    return sha256(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


def write_whole(path: str, data: bytes) -> None:
    """Put ``data`` at ``path`` as a whole or not at all; a disk that refuses is no misfortune."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "xb", opener=_private) as stream:
            stream.write(data)
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            os.unlink(part)


def make_room(folder: str, most: int) -> None:
    """Remove the oldest files of a folder, until there are ``most``. Raises `OSError`."""
    with os.scandir(folder) as entries:
        files = sorted(
            (each.stat().st_mtime_ns, each.path) for each in entries if each.is_file()
        )
    for _, path in files[: max(0, len(files) - most)]:
        with suppress(OSError):
            os.unlink(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
