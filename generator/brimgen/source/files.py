"""Find and read the spec files of a folder, sorted."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import (
    FILE_NAME,
    FILE_TOO_LARGE,
    LINK_LEAVES_SPECS,
    LINKED_FOLDER,
    MISNAMED_SPEC,
    NO_SPEC_FILES,
    NOT_A_FILE,
    NOT_UTF_8,
    SPECS_MISSING,
    UNREADABLE,
)
from brimgen.source.characters import is_clean, replace_refused
from brimgen.source.document import SourceFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SUFFIX = ".py"


def module_files(patterns: Iterable[str]) -> list[str]:
    """The paths of all files that one of the ``patterns`` fits, sorted, each once.

    ``*`` stands for any text of a name, ``**`` for any folders. Names that begin with a dot, and
    files that are no Python modules, are passed over.
    """
    from glob import glob

    paths = {
        os.path.normpath(path)
        for pattern in patterns
        for path in glob(pattern, recursive=True)
    }
    return sorted(
        path for path in paths if path.endswith(SUFFIX) and os.path.isfile(path)
    )


SUFFIXES = (".yaml", ".yml", ".sql", ".md")
MISNAMED = {
    ".yaml.txt": ".yaml",
    ".yml.txt": ".yml",
    ".sql.txt": ".sql",
    ".ymal": ".yaml",
}
"""Endings that are surely meant as those of specs, as editors hide or hands misspell them."""
LARGEST = 1024 * 1024

Read: TypeAlias = Callable[[Path, Diagnostics], tuple[SourceFile, ...]]


def read_files(root: Path, diagnostics: Diagnostics) -> tuple[SourceFile, ...]:
    """All spec files under ``root``, sorted by their stable names (see `Span.file`).

    Spec files end in ``.yaml``, ``.yml``, ``.sql`` or ``.md`` (in any case); a file called
    ``x.yml.txt`` is reported. Skipped without a report: other files, files and
    folders whose name begins with a dot, and ``README.md``. A link to a file inside of ``root`` is
    read; one that leaves it is an error; linked folders are not followed. What cannot be read as
    UTF-8 text of at most 1 MiB is reported and left out, and refused characters are reported and
    replaced (spec-language.md). A byte order mark is dropped, and every line ends with
    ``\\n``. Raises nothing.
    """
    root = Path(os.path.abspath(root))
    name = root.name or "specs"
    if not root.is_dir():
        diagnostics.add(
            SPECS_MISSING, Span.at_file(_printable(name)), path=_printable(name)
        )
        return ()
    if not name.isprintable():
        diagnostics.add(
            FILE_NAME, Span.at_file(_printable(name)), name=_printable(name)
        )
        return ()
    walk = _Walk(os.path.realpath(root), diagnostics)
    files = [
        file
        for stable_name, path in sorted(walk.files(name, str(root)))
        if (file := _read(stable_name, path, diagnostics)) is not None
    ]
    if not files and not len(diagnostics):
        diagnostics.add(
            NO_SPEC_FILES,
            Span.at_file(name),
            path=name,
            beside=_files_beside(root),
        )
    return tuple(files)


def _files_beside(root: Path) -> str:
    """Describe the files in a folder without specs for a message: ``: `a.json` is none``."""
    names = sorted(name for name in os.listdir(root) if not name.startswith("."))
    shown = ", ".join(f"`{_printable(name)}`" for name in names[:3])
    more = " and others" if len(names) > 3 else ""
    is_one = len(names) == 1
    return f": {shown}{more} {'is none' if is_one else 'are none'}" if names else ""


def read_named(
    root: Path, names: Iterable[str], diagnostics: Diagnostics
) -> tuple[SourceFile, ...]:
    """The spec files called ``names``, as `read_files` would read them; in the order of names.

    Other names are skipped.
    """
    specs = sorted(name for name in names if _is_spec(name.rpartition("/")[2]))
    files = (_read(name, str(root.parent / name), diagnostics) for name in specs)
    return tuple(file for file in files if file is not None)


def reading_only(names: Collection[str]) -> Read:
    """Return a function like `read_files` that reads only ``names``."""
    return lambda root, diagnostics: read_named(root, names, diagnostics)


def with_modules(read: Read, patterns: Sequence[str], beside: Path) -> Read:
    """Read what ``read`` reads, and the Python modules that the ``patterns`` fit.

    Their stable names are the ways to them from the folder ``beside``. A project of modules needs
    no other specs.
    """

    def read_both(root: Path, diagnostics: Diagnostics) -> tuple[SourceFile, ...]:
        paths, problems = module_files(patterns), Diagnostics()
        specs = read(root, problems) if root.is_dir() or not paths else ()
        diagnostics.extend(
            diagnostic
            for diagnostic in problems
            if diagnostic.rule is not NO_SPEC_FILES
        )
        names = {relative_name(path, beside): path for path in paths}
        modules = (_read(name, names[name], diagnostics) for name in sorted(names))
        return (*specs, *(module for module in modules if module is not None))

    return read_both


def relative_name(path: str | Path, start: str | Path = os.curdir) -> str:
    """The way to ``path`` from the folder ``start``, with ``/`` on every system."""
    return Path(os.path.relpath(path, start)).as_posix()


def _printable(name: str) -> str:
    return name if name.isprintable() else ascii(name)


class _Walk:
    """Finds the files to read; reports what cannot be read."""

    def __init__(self, real_root: str, diagnostics: Diagnostics) -> None:
        self._inside = os.path.join(real_root, "")
        self._diagnostics = diagnostics

    def files(self, name: str, path: str) -> Iterator[tuple[str, str]]:
        """(stable name, path) of every spec file in and below the folder ``path``."""
        waiting = [(name, path)]
        while waiting:
            name, path = waiting.pop()
            for entry in self._entries(name, path):
                below = f"{name}/{entry.name}"
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if self._has_good_name(below):
                            waiting.append((below, entry.path))
                    elif self._is_spec_file(below, entry):
                        yield below, entry.path
                except OSError as problem:
                    self._unreadable(below, problem)

    def _entries(self, name: str, path: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(path) as entries:
                return [entry for entry in entries if not entry.name.startswith(".")]
        except OSError as problem:
            self._unreadable(name, problem)
            return []

    def _is_spec_file(self, name: str, entry: os.DirEntry[str]) -> bool:
        """Whether ``entry`` is a spec file to read; reports one that seems to be one and is not."""
        if entry.is_file(
            follow_symlinks=False
        ):  # known from the folder, without another call
            if not _is_spec(entry.name):
                self._check_ending(name, entry.name)
                return False
            return self._has_good_name(name)
        is_folder = entry.is_dir()
        if not is_folder and not _is_spec(entry.name):
            return False
        if not self._has_good_name(name):
            return False
        if entry.is_symlink() and not self._stays_inside(entry.path):
            self._diagnostics.add(LINK_LEAVES_SPECS, Span.at_file(name), name=name)
            return False
        if is_folder:
            self._diagnostics.add(LINKED_FOLDER, Span.at_file(name), name=name)
            return False
        if not stat.S_ISREG(entry.stat().st_mode):
            self._diagnostics.add(NOT_A_FILE, Span.at_file(name), name=name)
            return False
        return True

    def _check_ending(self, name: str, file: str) -> None:
        """Report a file that looks like a spec and has the wrong ending."""
        folded = file.casefold()
        for ending, spec_ending in MISNAMED.items():
            if folded.endswith(ending) and name.isprintable():
                intended = f"{file[: -len(ending)]}{spec_ending}"
                place = Span.at_file(name)
                self._diagnostics.add(
                    MISNAMED_SPEC, place, suggestions=(intended,), name=name
                )
                return

    def _stays_inside(self, path: str) -> bool:
        return os.path.join(os.path.realpath(path), "").startswith(self._inside)

    def _has_good_name(self, name: str) -> bool:
        """Names reach headers and messages, so they hold printable characters only."""
        if name.isprintable():
            return True
        self._diagnostics.add(
            FILE_NAME, Span.at_file(ascii(name)[1:-1]), name=ascii(name)
        )
        return False

    def _unreadable(self, name: str, problem: OSError) -> None:
        reason = problem.strerror or type(problem).__name__
        printable = name if name.isprintable() else ascii(name)[1:-1]
        self._diagnostics.add(
            UNREADABLE, Span.at_file(printable), name=printable, reason=reason
        )


def _is_spec(name: str) -> bool:
    folded = name.casefold()
    return folded.endswith(SUFFIXES) and folded != "readme.md"


def _read(name: str, path: str, diagnostics: Diagnostics) -> SourceFile | None:
    """The file as text, or None where it cannot be one."""
    try:
        raw, size = _bytes(path)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        diagnostics.add(UNREADABLE, Span.at_file(name), name=name, reason=reason)
        return None
    if len(raw) > LARGEST:
        start = Span.at_file(name)
        diagnostics.add(FILE_TOO_LARGE, start, size=max(size, len(raw)), limit=LARGEST)
        return None
    text = _decode(name, raw, diagnostics)
    return None if text is None else SourceFile(name, path, text)


def _bytes(path: str) -> tuple[bytes, int]:
    """The first bytes of a file, at most one too many, and its size.

    Nearly always one unbuffered read gives a file: asked for a byte more, it ends where it should.
    """
    stream = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        size = os.fstat(stream).st_size
        raw = os.read(stream, min(size, LARGEST) + 1)
        while len(raw) != size and len(raw) <= LARGEST:
            more = os.read(stream, LARGEST + 1 - len(raw))
            if not more:
                break
            raw += more
    finally:
        os.close(stream)
    return raw, size


def _decode(name: str, raw: bytes, diagnostics: Diagnostics) -> str | None:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        before = _unify(raw[: problem.start].decode("utf-8-sig"))
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        diagnostics.add(
            NOT_UTF_8,
            Span(name, line, column, line, column + 1),
            byte=f"0x{raw[problem.start]:02X}",
        )
        return None
    if is_clean(raw):
        return text
    return replace_refused(name, _unify(text), diagnostics)


def _unify(text: str) -> str:
    """``text`` with only ``\\n`` line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
