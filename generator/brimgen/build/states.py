"""Find the files that a run rests on, with their states."""

from __future__ import annotations

import os
import sys

import brimgen_runtime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

State = list[int]
"""Inode, size, and times of content and inode of a file."""

SUFFIXES = (
    *(".yaml", ".yml", ".sql", ".md"),
    *(".yaml.txt", ".yml.txt", ".sql.txt", ".ymal"),
)
"""The suffixes of spec files, and of files that are reported as misnamed."""
TEMPLATE_SUFFIX = ".j2"
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNTIME = os.path.dirname(os.path.abspath(brimgen_runtime.__file__))
_LIBRARIES = (
    "black",
    "click",
    "duckdb",
    "jinja2",
    "jsonschema",
    "markupsafe",
    "ruff",
    "sqlglot",
    "yaml",
)


class Link(Exception):
    """There is a symbolic link: its target may change while its state stays the same."""


def state(path: str) -> State | None:
    """Return the state of what is at ``path``; None where there is nothing or it cannot be seen."""
    try:
        return state_of(os.stat(path))
    except (OSError, ValueError):
        return None


def state_of(status: os.stat_result) -> State:
    """The state in the result of `os.stat`."""
    return [status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def spec_states(root: str) -> dict[str, State]:
    """Every spec file below ``root`` with its state.

    Raises `Link`, and `OSError` where a folder cannot be read.
    """
    return _states_below(root, SUFFIXES)


def template_states(root: str | None) -> dict[str, State]:
    """Every template below the folder ``root`` with its state; none where there is no folder.

    Raises `Link`, and `OSError` where a folder cannot be read.
    """
    return {} if root is None else _states_below(root, (TEMPLATE_SUFFIX,))


def _states_below(root: str, suffixes: tuple[str, ...]) -> dict[str, State]:
    if os.path.islink(root):
        raise Link(root)
    states: dict[str, State] = {}
    for entry in _files(root, hidden=False):
        if entry.is_symlink():
            raise Link(entry.path)
        if entry.name.casefold().endswith(suffixes):
            states[entry.path] = state_of(entry.stat(follow_symlinks=False))
    return states


def program_states() -> dict[str, State]:
    """The states of the files of brimgen and its runtime, templates included. Raises `OSError`."""
    roots, pages = [PACKAGE, RUNTIME], list[str]()
    if not os.path.isdir(os.path.join(PACKAGE, "templates")):
        home = os.path.dirname(os.path.dirname(PACKAGE))
        roots.append(os.path.join(home, "templates"))
        pages.append(os.path.join(home, "docs", "diagnostics.md"))
    states = {page: state_of(os.stat(page)) for page in pages}
    for root in roots:
        for entry in _files(root, hidden=True):
            states[entry.path] = state_of(entry.stat())
    return states


def library_states(folders: Iterable[str] | None = None) -> dict[str, State | None]:
    """The states of the folders of imported libraries, or of these: an upgrade changes them."""
    if folders is None:
        files = (
            getattr(sys.modules.get(name), "__file__", None) for name in _LIBRARIES
        )
        folders = [os.path.dirname(os.path.dirname(file)) for file in files if file]
    return {folder: state(folder) for folder in folders}


def _files(root: str, *, hidden: bool) -> Iterator[os.DirEntry[str]]:
    """All entries below ``root`` that are no folders; links to folders are included."""
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name[0] == "." and not hidden:
                    continue
                if not entry.is_dir(follow_symlinks=False):
                    yield entry
                elif entry.name != "__pycache__":
                    waiting.append(entry.path)


def configuration_files(options: tuple[str, ...], folder: str) -> list[str]:
    """Every place of a configuration: those named, in ``folder``, and above it up to ``.git``."""
    files = [
        os.path.join(folder, option.partition("=")[2] or value)
        for option, value in zip(options, (*options[1:], ""), strict=False)
        if option.startswith("--config")
    ]
    folders = [folder]
    while not os.path.lexists(os.path.join(folders[-1], ".git")):
        folder = os.path.dirname(folders[-1])
        if folder == folders[-1]:
            del folders[1:]  # it is in no repository
            break
        folders.append(folder)
    names = ("brimgen.yaml", "pyproject.toml")
    return files + [os.path.join(each, name) for each in folders for name in names]
