"""Remove whole trees of ours."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours, write-protected folders in it too, as far as the disk lets us.

    One folder is open at a time: a process may have few files.
    """
    places: list[tuple[str, list[str]]] = []
    with suppress(OSError):
        os.chmod(folder, 0o700)
    for inner, folders, names in os.walk(folder):
        for name in folders:
            path = os.path.join(inner, name)
            if os.path.islink(path):
                names.append(name)
            else:
                with suppress(OSError):
                    os.chmod(path, 0o700)
        places.append((inner, names))
    for inner, names in reversed(places):
        with suppress(OSError):
            for name in names:
                os.unlink(os.path.join(inner, name))
            os.rmdir(inner)
