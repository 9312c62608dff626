"""Show the path of a setting that leads nowhere, and suggest another."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from brimgen.diagnostics import did_you_mean


def shown_path(path: Path) -> str:
    """Return ``path`` relative to the working directory if it is below that, else unchanged."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def similar_paths(
    path: Path, written: Path, is_candidate: Callable[[Path], bool] = Path.exists
) -> tuple[str, ...]:
    """Return the candidates beside a missing ``path`` that have nearly its name, as ``written``."""
    try:
        names = [
            sibling.name for sibling in path.parent.iterdir() if is_candidate(sibling)
        ]
    except OSError:
        return ()
    near = () if path.name in names else did_you_mean(path.name, names)
    return tuple(written.with_name(name).as_posix() for name in near)


def similar_folders(folder: Path, written: Path) -> tuple[str, ...]:
    """Return the folders beside a missing ``folder`` that have nearly its name, as ``written``."""
    return similar_paths(folder, written, Path.is_dir)
