"""The stamp of a run: by it, a later run knows that nothing changed, and repeats its messages.

A stamp holds digests of all that a run read and wrote, and the messages of `generate` and `check`
when there is nothing to do. It lies in the user's cache, never in the project. Any difference or
damage leads to an ordinary build: a stamp saves time and cannot change an outcome.
"""

from __future__ import annotations

import os
import sys
import time
from hashlib import sha256

from brimgen.build.cache import entry_path, private_folder, read_entry, write_entry
from brimgen.build.states import (
    Link,
    configuration_files,
    library_states,
    program_states,
    spec_states,
    template_states,
)
from brimgen.settings.colour import has_colour
from brimgen.source.files import module_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from brimgen.stages import Result

KIND = "stamp"
SETTLED = 2_100_000_000
"""Nanoseconds after which a file that changes again gets another time, on every file system."""
_MOST = 1 << 16
# A pipe must not make the run wait.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_COMMANDS = ("generate", "check")
_UNANSWERED = frozenset({"--force", "--adopt", "--help", "-h"})


class Invocation:
    """A command and its options, and what surrounded the process when it began."""

    def __init__(self, options: tuple[str, ...], folder: str) -> None:
        self.moment = time.time_ns()
        # The path of modules decides which libraries are imported.
        self.key = [[*options], folder, sys.version, [*map(str, sys.path)]]
        files = configuration_files(options, folder)
        read = [(path, _content(path)) for path in files]
        self.surroundings = _digest([program_states(), read])


def invocation(arguments: list[str]) -> Invocation | None:
    """The invocation for these arguments, if a stamp can answer it."""
    if not arguments or arguments[0] not in _COMMANDS or sys.stderr is None:
        return None
    options = tuple(arguments[1:])
    if not _UNANSWERED.isdisjoint(options):
        return None
    if any(option.startswith(("@", "--depfile", "--verify")) for option in options):
        return None
    try:
        return Invocation(options, os.getcwd())
    except OSError:
        return None


class Recorder:
    """Takes digests of the inputs before a run, and leaves the stamp of the run after it.

    ``templates`` is the folder of templates of the project, if it has one; ``beside`` are further
    files and folders, there or not: the lock file, the schemas of connections; ``sources`` are the
    patterns of the Python modules that are read.
    """

    def __init__(
        self,
        invocation: Invocation,
        specs: Path,
        *,
        templates: str | None = None,
        beside: Sequence[str] = (),
        sources: Sequence[str] = (),
    ) -> None:
        self._invocation = invocation
        self._read = (str(specs), templates, [*beside], [*sources])
        try:
            # Before the run reads them: what changes meanwhile has another digest the next time.
            self._inputs: str | None = _inputs(*self._read)
        except (OSError, Link):
            self._inputs = None

    def record(
        self,
        result: Result,
        messages: Mapping[str, tuple[str, str]],
        colour: str,
        *,
        looked_up: Iterable[str] = (),
    ) -> None:
        """Leave the stamp.

        ``messages`` are the texts of each command that finds nothing to do, plain and coloured;
        ``colour`` is the value of ``--color``. ``looked_up`` are files, present or not, that
        affected the diagnostics; where one is not older than the run, no stamp is left.
        """
        from brimgen.output.paths import JOURNAL_NAME, MANIFEST_NAME

        folder, plan = private_folder(create=True), result.plan
        if folder is None or plan is None or self._inputs is None:
            return
        paths = [*looked_up]
        if any(map(self._is_new, paths)):
            return
        manifest = sha256(plan.manifest).hexdigest()
        outputs = {**plan.digests, MANIFEST_NAME: manifest}
        value = {
            "key": self._invocation.key,
            "surroundings": self._invocation.surroundings,
            "libraries": library_states(),
            "read": self._read,
            "inputs": self._inputs,
            "looked up": paths,
            "found": _digest([_content(path) for path in paths]),
            "out": str(plan.root),
            "outputs": outputs,
            "absent": str(plan.root / JOURNAL_NAME),
            "messages": messages,
            "colour": colour,
        }
        write_entry(entry_path(folder, self._invocation.key, KIND), value)

    def _is_new(self, path: str) -> bool:
        try:
            return os.stat(path).st_mtime_ns > self._invocation.moment - SETTLED
        except (OSError, ValueError):
            return False


def answer(invocation: Invocation, command: str) -> bool:
    """Repeat on stderr what an earlier run printed, if nothing changed; return whether it did."""
    folder = private_folder()
    if folder is None:
        return False
    entry = read_entry(entry_path(folder, invocation.key, KIND))
    try:
        if not _is_unchanged(entry, invocation):
            return False
        coloured = has_colour(entry["colour"])
        if coloured and sys.platform == "win32":
            return False  # terminals that know no colours are taught them by click
        text = entry["messages"][command][coloured]
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, Link, KeyError, TypeError, ValueError, AttributeError):
        return False
    return True


def _is_unchanged(entry: Any, invocation: Invocation) -> bool:
    """Return whether all that a run read and wrote is unchanged. Raises for a damaged entry."""
    return (
        entry is not None
        and entry["key"] == invocation.key
        and entry["surroundings"] == invocation.surroundings
        and entry["libraries"] == library_states(entry["libraries"])
        and entry["inputs"] == _inputs(*entry["read"])
        and entry["found"] == _digest([_content(path) for path in entry["looked up"]])
        and not os.path.lexists(entry["absent"])
        and _holds(entry["out"], entry["outputs"])
    )


def _holds(out: str, outputs: dict[str, str]) -> bool:
    """Whether the folder ``out`` has all files with these digests, and no links to them."""
    folders = {path[:at] for path in outputs for at in _slashes(path)}
    if any(map(os.path.islink, [out, *(os.path.join(out, each) for each in folders)])):
        return False
    return all(
        _content(os.path.join(out, path), links=False) == digest
        for path, digest in outputs.items()
    )


def _slashes(path: str) -> list[int]:
    return [at for at, character in enumerate(path) if character == "/"]


def _inputs(
    specs: str, templates: str | None, beside: list[str], sources: list[str]
) -> str:
    """The digest of all files that are read. Raises `Link` and `OSError`."""
    files = [*spec_states(specs), *template_states(templates)]
    files += [*beside, *(module_files(sources) if sources else ())]
    return _digest([(path, _content(path)) for path in files])


def _digest(value: object) -> str:
    return sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()


def _content(path: str, *, links: bool = True) -> str | None:
    """The digest of the bytes of a file, or the names in a folder; None where there is neither."""
    try:
        handle = os.open(path, _READ if links else _READ | _NO_LINK)
    except (OSError, ValueError):
        return None
    try:
        data = os.read(handle, _MOST)
        while piece := os.read(handle, _MOST):
            data += piece
        return sha256(data).hexdigest()
    except IsADirectoryError:
        return repr(sorted(os.listdir(path)))
    except OSError:
        return None
    finally:
        os.close(handle)
