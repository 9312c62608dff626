"""Mounts: what is mounted in an output folder, which a new tree in its place would take away.

A mount goes with the folder that it is on: out of the output folder, to where the old tree is
removed or kept, with all that somebody has in it. Of another file system the device tells, of a
folder or file of the same one nothing that `os.stat` has.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_TABLE = "/proc/self/mountinfo"
_PLACE = 4
"""The column of the table that says where something is mounted."""
_ESCAPED = b"\\ \t\n"
"""What the table writes as a backslash and three octal digits; the backslash comes first."""


def has_mounts(root: Path) -> bool:
    """Whether anything is mounted on the folder ``root`` or in it, where the system tells."""
    place = os.fsencode(os.path.realpath(root))
    for each in _ESCAPED:
        place = place.replace(bytes([each]), b"\\%03o" % each)
    with suppress(OSError), open(_TABLE, "rb") as stream:
        places = [line.split(b" ")[_PLACE] for line in stream]
        return any((each + b"/").startswith(place + b"/") for each in places)
    return False
