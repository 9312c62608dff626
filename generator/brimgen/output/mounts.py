"""Find mounts in an output folder, which an exchange of the tree would move away.

A mount moves with the folder that it is on: out of the output folder, to where the old tree is
removed or kept, with all that somebody has in it. `os.stat` shows a mount of another file system by
its device, but not one of a folder or file of the same file system.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_TABLE = "/proc/self/mountinfo"
_PLACE = 4
"""The column of the table with the mount point."""
_ESCAPED = b"\\ \t\n"
"""The bytes that the table escapes as a backslash and three octal digits, the backslash first."""


def place_in_file_system(path: Path) -> tuple[bytes, Path] | None:
    """The device of a resolved path and its place on that device; None where the system cannot say.

    The place is the same through every mount.
    """
    mount: tuple[bytes, bytes, bytes] | None = None
    with suppress(OSError), open(_TABLE, "rb") as stream:
        for line in stream:
            columns = line.split(b" ")
            device, root, place = (columns[index] for index in (2, 3, _PLACE))
            if (_escaped(path) + b"/").startswith(place.rstrip(b"/") + b"/") and (
                mount is None or len(place) >= len(mount[2])
            ):
                mount = device, root, place  # of two at one place the later one is seen
    if mount is None:
        return None
    device, root, place = mount
    above = Path(os.fsdecode(_unescaped(root)))
    return device, above / path.relative_to(os.fsdecode(_unescaped(place)))


def _escaped(path: Path) -> bytes:
    """A path as the table writes it."""
    place = os.fsencode(path)
    for byte in _ESCAPED:
        place = place.replace(bytes([byte]), b"\\%03o" % byte)
    return place


def _unescaped(place: bytes) -> bytes:
    for byte in reversed(_ESCAPED):
        place = place.replace(b"\\%03o" % byte, bytes([byte]))
    return place


def has_mounts(root: Path) -> bool:
    """Return whether there is a mount on or in the folder ``root``; False if unknown."""
    place = _escaped(Path(os.path.realpath(root)))
    with suppress(OSError), open(_TABLE, "rb") as stream:
        places = [line.split(b" ")[_PLACE] for line in stream]
        return any(
            (mount_point + b"/").startswith(place + b"/") for mount_point in places
        )
    return False
