"""Write files that are not there yet, through no link."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from brimgen.cli.console.report import write_text


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


_IS_POWERSHELL = os.name == "nt"


def write_next(
    package: str, folder: Path = Path(), call: str = "list", *roots: str
) -> None:
    """Print how to generate ``package`` from the project in ``folder``, and to try it.

    ``call`` are arguments of the package's command line, ``roots`` the folders of the modules that
    its handlers are in, unless that is the project's.
    """
    path = _quoted(os.pathsep.join(("out/python", *roots)))
    begin = f"$env:PYTHONPATH = {path};" if _IS_POWERSHELL else f"PYTHONPATH={path}"
    there = [] if folder == Path() else [f"cd {_quoted(folder.as_posix())}"]
    commands = (*there, "brimgen generate", f"{begin} python -m {package} {call}")
    write_text("".join(("Next:\n", *(f"    {each}\n" for each in commands))))


def _quoted(text: str) -> str:
    if _IS_POWERSHELL:
        return "'" + text.replace("'", "''") + "'"
    return shlex.quote(text)
