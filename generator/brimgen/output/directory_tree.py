"""Remove whole trees of ours."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Remove a folder of ours, write-protected folders in it too, as far as the disk lets us."""
    import shutil  # with all formats of archives: most runs do without

    shutil.rmtree(folder, ignore_errors=True)
    # Top-down: a folder is opened before it is read. Most are gone by now.
    for inner, _, _ in os.walk(folder):
        with suppress(OSError):
            os.chmod(inner, 0o700)
            for name in os.listdir(inner):
                path = os.path.join(inner, name)
                if os.path.isdir(path) and not os.path.islink(path):
                    os.chmod(path, 0o700)
    shutil.rmtree(folder, ignore_errors=True)
