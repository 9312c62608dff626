"""Evidence: the states of files and folders, and the form of a stamp; imports next to nothing."""

from __future__ import annotations

import marshal
import os
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

State = tuple[int, ...]
"""Kind, device, identity, size and times of a file: equal states are equal bytes, unless the file
changed within a tick of the clock (see `unsettled`)."""

Key = tuple[tuple[str, ...], str, bool, int]
"""What is asked: options, working directory, colours or none, version of Python."""

SUFFIXES = (".yaml", ".yml", ".sql", ".md")
UNANSWERED = frozenset({"--force", "--help", "-h"})
COMMANDS = ("generate", "check")
TICK = 12_000_000
COARSE = 2_100_000_000
_THERE = (1, 0, 0, 0, 0, 0)
_MAGIC = b"brimgen stamp 1\n"


class Link(Exception):
    """There is a symbolic link among the specs: what it shows can change behind its back."""


def state(path: str, *, follow: bool = True) -> State | None:
    """The state of what is at ``path``; None where there is nothing or it cannot be seen."""
    try:
        found = os.stat(path) if follow else os.lstat(path)
    except (OSError, ValueError):
        return None
    return _state(found)


def _state(found: os.stat_result) -> State:
    return (
        found.st_mode,
        found.st_dev,
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
    )


def unsettled(found: State, moment: int, *, whole: bool = True) -> bool:
    """Whether a file may have changed after ``moment`` (nanoseconds) without another state.

    Clocks of file systems tick: a change within the tick of the last one leaves no trace.
    ``whole`` looks at the time of the inode, too, which a new hard link also sets.
    """
    newest = max(found[4], found[5]) if whole else found[4]
    tick = TICK if found[4] % 10_000_000 else COARSE
    return newest >= moment - tick


def spec_states(root: str) -> dict[str, State]:
    """Every spec file below ``root`` (see `brimgen.source.files`) with its state.

    Raises `Link`, and `OSError` where a folder cannot be read.
    """
    found: dict[str, State] = {}
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                if entry.is_symlink():
                    raise Link(entry.path)
                if entry.is_dir():
                    waiting.append(entry.path)
                elif name.casefold().endswith(SUFFIXES):
                    found[entry.path] = _state(entry.stat())
    return found


def surroundings(options: tuple[str, ...], folder: str) -> dict[str, State | None]:
    """The states of the program itself and of every place where a configuration may stand."""
    found = {path: state(path) for path in _configurations(options, folder)}
    above = ""
    while folder != above:
        git = os.path.join(folder, ".git")
        found[git] = _THERE if os.path.lexists(git) else None
        folder, above = os.path.dirname(folder), folder
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    _add_tree(package, found)
    if not os.path.isdir(os.path.join(package, "templates")):
        home = os.path.dirname(os.path.dirname(package))
        _add_tree(os.path.join(home, "templates"), found)
    return found


def _configurations(options: tuple[str, ...], folder: str) -> list[str]:
    found = [
        os.path.join(folder, value)
        for option, value in zip(options, (*options[1:], ""), strict=False)
        for value in (option.partition("=")[2] or value,)
        if option.startswith("--config")
    ]
    above = ""
    while folder != above:
        found.append(os.path.join(folder, "brimgen.yaml"))
        found.append(os.path.join(folder, "pyproject.toml"))
        folder, above = os.path.dirname(folder), folder
    return found


def _add_tree(root: str, found: dict[str, State | None]) -> None:
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    found[entry.path] = _state(entry.stat())


def key_of(options: tuple[str, ...]) -> Key | None:
    """What is asked with ``options``; None where it is nothing that a stamp can answer.

    The answer may be coloured: the same variables decide as in `brimgen.cli_report`.
    """
    if sys.stderr is None or not UNANSWERED.isdisjoint(options):
        return None
    colour = bool(os.environ.get("FORCE_COLOR")) or (
        sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    )
    colour = colour and not os.environ.get("NO_COLOR")
    if colour and sys.platform == "win32":
        return None
    try:
        return options, os.getcwd(), colour, sys.hexversion
    except OSError:
        return None


def cache_folder() -> str | None:
    """The folder of stamps: ``$BRIMGEN_CACHE``, or the user's; None where that is set empty."""
    asked = os.environ.get("BRIMGEN_CACHE")
    if asked is not None:
        return os.path.abspath(asked) if asked else None
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        home = os.path.expanduser("~/Library/Caches")
    else:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(home, "brimgen") if os.path.isabs(home) else None


def stamp_path(folder: str, key: Key) -> str:
    """The file of the stamp for ``key``; it tells itself whether it is really for it."""
    text = repr(key).encode("utf-8", "backslashreplace")
    name = f"{zlib.crc32(text):08x}{zlib.adler32(text):08x}.stamp"
    return os.path.join(folder, name)


def packed(content: Any) -> bytes:
    """The bytes of a stamp."""
    data = marshal.dumps(content)
    return _MAGIC + zlib.crc32(data).to_bytes(4, "big") + data


def unpacked(data: bytes) -> Any:
    """The content of a stamp; None where the bytes are not as they were written."""
    start = len(_MAGIC) + 4
    if data[: len(_MAGIC)] != _MAGIC:
        return None
    if zlib.crc32(data[start:]).to_bytes(4, "big") != data[len(_MAGIC) : start]:
        return None
    return marshal.loads(data[start:])
