"""States of files and folders, by which a later run recognizes unchanged ones."""

from __future__ import annotations

import os
import sys
import time

from brimgen.source.module_files import module_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

State = list[int]
"""Inode, size, and times of content and inode of a file (a list, as JSON has no tuples). Equal
states are equal bytes, unless the file changed within one tick of the clock (`is_young`)."""

SUFFIXES = (
    *(".yaml", ".yml", ".sql", ".md"),
    *(".yaml.txt", ".yml.txt", ".sql.txt", ".ymal"),
)
"""The suffixes of spec files, and of files that are reported as misnamed."""
TEMPLATE_SUFFIX = ".j2"
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TICK = 12_000_000
"""Nanoseconds in which two changes may get the same time."""
COARSE_TICK = 2_100_000_000
_COARSE_STEP = 10_000_000
STARTED = time.time_ns()
"""When this process began to import brimgen."""
_LIBRARIES = (
    "black",
    "click",
    "duckdb",
    "jinja2",
    "jsonschema",
    "markupsafe",
    "sqlglot",
    "yaml",
)
_PRESENT = [1, 0, 0, 0]
_BY_HANDLE = os.scandir in os.supports_fd


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


def is_young(time: int, moment: int) -> bool:
    """Whether a file with this time may have changed after ``moment`` without another time.

    Times that are multiples of 10 ms may be those of a file system that counts in seconds.
    """
    return time >= moment - (TICK if time % _COARSE_STEP else COARSE_TICK)


def is_any_young(states: Iterable[State | None], moment: int) -> bool:
    """Whether any of the files that are there `is_young`."""
    return any(
        file_state is not None and is_young(max(file_state[2:]), moment)
        for file_state in states
    )


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


def module_states(patterns: Iterable[str]) -> dict[str, State | None]:
    """Every Python module that one of the ``patterns`` fits with its state."""
    return {path: state(path) for path in module_files(patterns)} if patterns else {}


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
    """The states of the files of brimgen itself, templates included. Raises `OSError`."""
    roots = [PACKAGE]
    if not os.path.isdir(os.path.join(PACKAGE, "templates")):
        home = os.path.dirname(os.path.dirname(PACKAGE))
        roots.append(os.path.join(home, "templates"))
    return {
        entry.path: state_of(entry.stat())
        for root in roots
        for entry in _files(root, hidden=True)
    }


def library_states() -> dict[str, State | None]:
    """The states of the folders of imported libraries: an upgrade changes them."""
    states: dict[str, State | None] = {}
    for name in _LIBRARIES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file is not None:
            folder = os.path.dirname(os.path.dirname(os.path.abspath(file)))
            states[folder] = state(folder)
    return states


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


def folder_states(folder: str, names: Container[str]) -> dict[str, State]:
    """The states of the files with these names in a folder.

    Raises `OSError`, and `Link` where the folder is a link.
    """
    if os.path.islink(folder):
        raise Link(folder)
    # An open folder finds its files in half of the time that their whole paths take.
    handle = os.open(folder, os.O_RDONLY) if _BY_HANDLE else None
    try:
        with os.scandir(folder if handle is None else handle) as entries:
            return {
                entry.name: state_of(entry.stat(follow_symlinks=False))
                for entry in entries
                if entry.name in names
            }
    finally:
        if handle is not None:
            os.close(handle)


def configuration_states(
    options: tuple[str, ...], folder: str
) -> dict[str, State | None]:
    """The states of every place at which a configuration or ``.git`` may be."""
    states: dict[str, State | None] = {}
    for option, value in zip(options, (*options[1:], ""), strict=False):
        if option.startswith("--config"):
            path = os.path.join(folder, option.partition("=")[2] or value)
            states[path] = state(path)
    above = ""
    while folder != above:
        for name in ("brimgen.yaml", "pyproject.toml"):
            path = os.path.join(folder, name)
            states[path] = state(path)
        git = os.path.join(folder, ".git")
        states[git] = _PRESENT if os.path.lexists(git) else None
        folder, above = os.path.dirname(folder), folder
    return states
