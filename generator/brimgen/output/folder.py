"""Decide which folder may be an output folder: a folder of its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from brimgen.output.paths import JOURNAL_NAME
from brimgen.output.plan import Entry, Output

PLACEHOLDERS = frozenset(
    {
        *(".DS_Store", ".directory", "Thumbs.db", "desktop.ini", "lost+found"),
        *(".gitattributes", ".gitignore", ".gitkeep", ".keep", JOURNAL_NAME),
    }
)
"""Names that are nobody's work: files that systems leave in folders, and files of git."""

_MOST_NAMED = 3


def overlap(
    out: Path, specs: Path, folders: Mapping[str, Path]
) -> tuple[str, str] | None:
    """Describe how ``out`` overlaps with the specs or with one of the named ``folders``.

    The result is a verb and what it is about: ``("holds", "the specs")``. All paths are resolved;
    a folder that is spelt in several ways is known by its device and number.
    """
    if _holds(out, specs):
        return ("is" if _holds(specs, out) else "holds"), "the specs"
    if _holds(specs, out):
        return "lies inside", "the specs"
    held = (name for name, folder in folders.items() if _holds(out, folder))
    name = next(held, None)
    return None if name is None else ("holds", name)


def _holds(outer: Path, inner: Path) -> bool:
    """Whether ``inner`` is ``outer``, or lies in it."""
    if inner.is_relative_to(outer):
        return True
    identity = _identity_of(outer)
    return identity is not None and identity in map(
        _identity_of, (inner, *inner.parents)
    )


def _identity_of(folder: Path) -> tuple[int, int] | None:
    """The device and the number of a folder; None if there is none."""
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def why_not_output(out: Path) -> str | None:
    """Say why the resolved path ``out`` can never be an output folder; None if it can be one."""
    if out.parent == out:
        return "is the root of a file system"
    home = Path(os.path.realpath(Path.home()))
    if _holds(out, home):
        return "is your home folder" if _holds(home, out) else "holds your home folder"
    return None


def is_damaged_manifest(manifest: bytes) -> bool:
    """Whether an unreadable manifest is a damaged one of brimgen, or has merge conflicts."""
    return b'"brimgen"' in manifest or b"<<<<<<< " in manifest


def belongs_to_another_project(
    recorded: Mapping[str, Entry], outputs: Iterable[Output], package: str
) -> bool:
    """Whether the manifest certainly belongs to another project.

    ``recorded`` are its files, and ``outputs`` those of this run. That is so if they share no spec
    and no path, and the names of the generated packages differ. A renamed package still shares its
    specs; replaced specs still share the package.
    """
    if not any(entry.target == "python" for entry in recorded.values()):
        return False
    if not package or any(f"/{package}/" in path for path in recorded):
        return False
    specs = {spec for entry in recorded.values() for spec in entry.sources}
    ours = [file for file in outputs if file.sources]
    return bool(specs and ours) and not any(
        our.path in recorded or not specs.isdisjoint(our.sources) for our in ours
    )


def foreign_names(root: Path) -> str:
    """A few names in the folder ``root`` of files, and of folders with files in them.

    As a message says them: ```a`, `b` and others``; empty where there are none.
    """
    names: list[str] = []
    for name in sorted(os.listdir(root)):
        if name not in PLACEHOLDERS and _has_files(root / name):
            if len(names) == _MOST_NAMED:
                return f"{', '.join(names)} and others"
            names.append(f"`{name if name.isprintable() else ascii(name)}`")
    return ", ".join(names)


def _has_files(path: Path) -> bool:
    """Whether ``path`` is a file, or a folder with a file in it; what cannot be read counts."""
    try:
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            return True
        return any(
            inner.name not in PLACEHOLDERS and _has_files(inner)
            for inner in path.iterdir()
        )
    except FileNotFoundError:
        return False
    except OSError:
        return True
