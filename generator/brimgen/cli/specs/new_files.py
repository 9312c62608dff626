"""Write files that are not there yet, through no link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click


def refuse_blocked(folder: Path, paths: Iterable[str]) -> None:
    """Raise `click.UsageError` where what is to be a folder is a link or a file.

    ``paths`` are those of files below ``folder``. Of an absolute ``folder`` the folders above it
    may be links: they are the system's.
    """
    for place in {place: None for path in paths for place in _folders(folder, path)}:
        if place.is_symlink():
            raise click.UsageError(
                f"{place.as_posix()} is a link; nothing was written. "
                "Name the folder that it leads to."
            )
        if place.exists() and not place.is_dir():
            raise click.UsageError(
                f"{place.as_posix()} is no folder; nothing was written."
            )


def is_there(path: Path) -> bool:
    """Return whether anything stands at a path: a link that leads nowhere does too."""
    return path.exists() or path.is_symlink()


def write_new(path: Path, data: bytes) -> None:
    """Write a file, and make its folder. Raises `OSError` where anything stands at ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(data)


def _folders(folder: Path, path: str) -> Iterator[Path]:
    for place in (folder / path).parents:
        if folder.is_absolute() and not place.is_relative_to(folder):
            return
        yield place
