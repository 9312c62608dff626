"""Evidence: the states of files and folders, and the form of a stamp; imports next to nothing."""

from __future__ import annotations

import marshal
import os
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

State = tuple[int, int, int, int]
"""Identity, size and times (of content, of inode) of a file: equal states are equal bytes, unless
the file changed within a tick of the clock (see `unsettled`)."""

Links = tuple[int, int]
"""The first and the last time that a run of ours has given to inodes by making and removing links.

A run that changes one file links all others into a new tree and removes the old one: each has
another time of its inode then, and nothing else about it is new. To look at all of them once more
would cost as much as linking them. So a stamp knows such a file by the identity, the size and the
time of content that it had when it was looked at *before*, and by a time of its inode that lies
within these two, whichever it is (`LINKED`). A run that has a spare (`brimgen.output.spare`) links
few, and knows each of these by the same three and the time of its inode. All are read from files
that were linked, so they are of the clock that all these times are of. What that sees of changes
that come

- before the run looks: they are found by the look itself;
- between that look and the end of the tick of the last link: they leave another identity, size or
  time of content, where a look afterwards would have taken any identity for granted. A change in
  place that sets the time of content back is not seen. It is not by a look afterwards either:
  linking overwrites its only trace, and what came after that would have been taken as it was found;
- later: the time of the inode is later, even where the time of content was set back. No run ends
  before the tick has passed (`record`), so that all that is changed after a run is seen. Where the
  clock ticks too seldom to be waited for there are no links, but a look at each file afterwards.

A clock that is set back does not help either: the time would have to fall between the two again,
which are as far apart as links are made.
"""

NO_LINKS: Links = (1, 0)
LINKED = 0

Key = tuple[tuple[str, ...], str, bool, int]
"""What is asked: options, working directory, colours or none, version of Python."""

SUFFIXES = (
    ".yaml",
    ".yml",
    ".sql",
    ".md",
    ".yaml.txt",
    ".yml.txt",
    ".sql.txt",
    ".ymal",
)
"""Those of specs, and those of which it is told that they are none."""
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TICK = 12_000_000
COARSE = 2_100_000_000
COARSE_STEP = 10_000_000
_THERE = (1, 0, 0, 0)
BY_HANDLE = os.scandir in os.supports_fd
_MAGIC = b"brimgen stamp 2\n"


class Link(Exception):
    """There is a symbolic link: what it shows can change behind its back."""


def state(path: str) -> State | None:
    """The state of what is at ``path``; None where there is nothing or it cannot be seen."""
    try:
        return _state(os.stat(path))
    except (OSError, ValueError):
        return None


def _state(found: os.stat_result) -> State:
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


class Folder:
    """The entries of a folder, each looked at from the folder itself, which is no link."""

    def __init__(self, path: str) -> None:
        self._handle: int | None = None
        if BY_HANDLE:
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
            self._handle = os.open(path, flags)
        elif os.path.islink(path):
            raise Link(path)
        self._path = path

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        if self._handle is None:
            return os.scandir(self._path)
        return os.scandir(self._handle)

    def __exit__(self, *problem: object) -> None:
        if self._handle is not None:
            os.close(self._handle)


def own_bytes(path: str) -> bytes | None:
    """The bytes of a file of the cache, where the user has written it: nobody else's is believed.

    Raises `OSError` where it cannot be read.
    """
    with open(path, "rb") as stream:
        return stream.read() if is_own(stream.fileno()) else None


def is_own(handle: int) -> bool:
    """Whether the user has written an open file, as far as the system tells. Raises `OSError`."""
    return not hasattr(os, "geteuid") or os.fstat(handle).st_uid == os.geteuid()


def states_in(
    path: str, wanted: Mapping[str, object], links: Links = NO_LINKS
) -> dict[str, State]:
    """The states of the plain files called as ``wanted`` says in the folder ``path``.

    Raises `OSError` or `Link` where ``path`` is no folder.
    """
    first, last = links
    states: dict[str, State] = {}
    with Folder(path) as entries:
        for entry in entries:
            name = entry.name
            if name in wanted:
                found = entry.stat(follow_symlinks=False)
                changed = found.st_ctime_ns
                states[name] = (
                    found.st_ino,
                    found.st_size,
                    found.st_mtime_ns,
                    LINKED if first <= changed <= last else changed,
                )
    return states


def unsettled(found: State, moment: int, *, whole: bool = True) -> bool:
    """Whether a file may have changed after ``moment`` (nanoseconds) without another state.

    Clocks of file systems tick: a change within the tick of the last one leaves no trace.
    ``whole`` looks at the time of the inode, too, which a new hard link also sets.
    """
    newest = max(found[2], found[3]) if whole else found[2]
    tick = TICK if found[2] % COARSE_STEP else COARSE
    return newest >= moment - tick


def spec_states(root: str) -> dict[str, State]:
    """Every spec file below ``root`` (see `brimgen.source.files`) with its state.

    Raises `Link`, and `OSError` where a folder cannot be read.
    """
    found: dict[str, State] = {}
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        within = os.path.join(folder, "")
        with Folder(folder) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                path = within + name
                if entry.is_symlink():
                    raise Link(path)
                if entry.is_dir():
                    waiting.append(path)
                elif name.casefold().endswith(SUFFIXES):
                    found[path] = _state(entry.stat(follow_symlinks=False))
    return found


def program() -> dict[str, State]:
    """The states of the files of the program itself. Raises `OSError`."""
    found: dict[str, State] = {}
    _add_tree(PACKAGE, found)
    if not os.path.isdir(os.path.join(PACKAGE, "templates")):
        home = os.path.dirname(os.path.dirname(PACKAGE))
        _add_tree(os.path.join(home, "templates"), found)
    return found


def around(options: tuple[str, ...], folder: str) -> dict[str, State | None]:
    """The states of every place where a configuration may stand."""
    found = {path: state(path) for path in _configurations(options, folder)}
    above = ""
    while folder != above:
        git = os.path.join(folder, ".git")
        found[git] = _THERE if os.path.lexists(git) else None
        folder, above = os.path.dirname(folder), folder
    return found


def _configurations(options: tuple[str, ...], folder: str) -> list[str]:
    found = [
        os.path.join(folder, value)
        for option, value in zip(options, (*options[1:], ""), strict=False)
        for value in (option.partition("=")[2] or value,)
        if option.startswith("--config")
    ]
    found += [
        os.path.join(os.path.dirname(path), "brimgen.lock.json") for path in found
    ]
    above = ""
    while folder != above:
        found.append(os.path.join(folder, "brimgen.yaml"))
        found.append(os.path.join(folder, "pyproject.toml"))
        found.append(os.path.join(folder, "brimgen.lock.json"))
        folder, above = os.path.dirname(folder), folder
    return found


def _add_tree(root: str, found: dict[str, State]) -> None:
    waiting = [root]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    found[entry.path] = _state(entry.stat())


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


def sum_of(data: bytes) -> str:
    """What tells the bytes that a run has left in the cache from those of any other run."""
    return f"{len(data)}-{zlib.crc32(data):08x}{zlib.adler32(data):08x}"


def packed(content: Any) -> bytes:
    """The bytes of a stamp."""
    data = marshal.dumps(content)
    return _MAGIC + zlib.crc32(data).to_bytes(4, "big") + data


def unpacked(data: bytes) -> Any:
    """The content of a stamp; None where the bytes are not as they were written."""
    start = len(_MAGIC) + 4
    content = memoryview(data)[start:]
    if data[: len(_MAGIC)] != _MAGIC:
        return None
    if zlib.crc32(content).to_bytes(4, "big") != data[len(_MAGIC) : start]:
        return None
    return marshal.loads(content)
