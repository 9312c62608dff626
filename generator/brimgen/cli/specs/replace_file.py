"""Replace a file at once: it has the old content or the new one at any moment."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Write ``data`` to an existing file, or to that which a link names. Raises `OSError`."""
    target = path.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        shutil.copymode(target, part)
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
