"""The memo: the files that earlier runs made of each tool, so that a run need not make them again.

A target is a pure function of a tool and of named facts of the package (`emit.artifact.ToolFiles`).
So the digests of these two, of the project and of the program itself are a key, and equal keys mean
equal files. The memo holds the size and hash of each file by such keys, and no text. A file in the
output folder with the recorded hash stays; any other file is made again. The memo lies in the
user's cache folder; missing and damaged entries count as absent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from brimgen import __version__
from brimgen.build.cache import entry_path, private_folder, read_entry, write_entry
from brimgen.build.states import library_states, program_states
from brimgen.output.plan import MadeFile

if TYPE_CHECKING:
    from pathlib import Path

    from brimgen.build.inference_memo import InferenceMemo
    from brimgen.emit.artifact import ToolFiles
    from brimgen.model.project import Project
    from brimgen.output.plan import File, Output

KIND = "memo"
_NO_VALUE = " object at 0x"
"""Part of the `repr` of an object whose class defines none."""

Files: TypeAlias = tuple[MadeFile, ...]
Keep: TypeAlias = Callable[[Files, str, tuple[str, ...]], bool]
"""Keep the files of a target, made from some specs, if they are in the output folder already."""
Make: TypeAlias = Callable[[], Sequence["Output"]]


class Memo:
    """The files of tools by target and key, for one output folder.

    Only entries that this run used or added are saved, so that a memo does not grow; targets that
    the run does not make keep their entries.
    """

    def __init__(
        self, folder: str, specs: Path, out: Path, made_by: str, project: Project
    ) -> None:
        self._inferences = _inferences(folder, str(specs), made_by, project)
        self._name = str(out)
        self._path = entry_path(folder, self._name, KIND)
        self._made_by = made_by
        self._known = _read_files(read_entry(self._path), self._name)
        self._used: dict[str, dict[str, Files]] = {}
        self._made: list[tuple[dict[str, Files], str, Sequence[Output]]] = []
        self._digests: dict[int, tuple[object, str]] = {}

    def files_to_write(
        self, target: str, part: ToolFiles, make: Make, keep: Keep
    ) -> Sequence[Output]:
        """Return the files to write: those that ``keep`` did not take."""
        key = self._key(target, part)
        if key is None:
            return make()
        used = self._used.setdefault(target, {})
        files = self._known.get(target, {}).get(key)
        if files is not None and keep(files, target, part.tool.sources):
            used[key] = files
            return ()
        outputs = make()
        self._made.append((used, key, outputs))
        return outputs

    def save(self, files: Iterable[File]) -> None:
        """Write the memo, if it holds anything new; ``files`` are those of the run, formatted."""
        found = {file.path: (file.path, file.size, file.sha256) for file in files}
        for used, key, outputs in self._made:
            used[key] = tuple(MadeFile(*found[each.path]) for each in outputs)
        if self._inferences is not None:
            self._inferences.save()
        by_target = {**self._known, **self._used}
        if by_target != self._known:
            targets = {
                target: {key: [*map(tuple, files)] for key, files in by_key.items()}
                for target, by_key in by_target.items()
            }
            write_entry(self._path, {"out": self._name, "targets": targets})

    def _key(self, target: str, part: ToolFiles) -> str | None:
        """The key of the files of a tool; None where the `repr` of a value is incomplete."""
        try:
            digests = [self._digest(value) for value in (part.tool, *part.facts)]
        except (_IncompleteRepr, ValueError, RecursionError):
            return None
        return _sha256("\n".join((self._made_by, target, *digests)))

    def _digest(self, value: object) -> str:
        """The digest of a value, cached for each object: facts are shared."""
        cached = self._digests.get(id(value))
        if cached is not None:
            return cached[1]
        digest = _digest_of(value)
        self._digests[id(value)] = value, digest
        return digest


class _IncompleteRepr(Exception):
    """The `repr` of a value does not show all of it."""


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


def _digest_of(value: object) -> str:
    """Raises `_IncompleteRepr`, ValueError for a huge integer, RecursionError for a deep value."""
    text = repr(value)
    if _NO_VALUE in text:
        raise _IncompleteRepr(text)
    return _sha256(text)


def open_memo(specs: Path, out: Path, project: Project) -> Memo | None:
    """The memo of an output folder and the specs that it is made of.

    None where there is no private cache folder.
    """
    folder = private_folder(create=True)
    if folder is None:
        return None
    try:
        program = {**program_states(), **library_states()}
        made_by = _digest_of((__version__, sys.version, program, project))
    except (OSError, _IncompleteRepr, ValueError, RecursionError):
        return None
    return Memo(folder, specs, out, made_by, project)


def _inferences(
    folder: str, specs: str, made_by: str, project: Project
) -> InferenceMemo | None:
    """The memo of inferences; None where no connection has a schema."""
    if not any(connection.schema for connection in project.connections.values()):
        return None
    from brimgen.build.inference_memo import InferenceMemo

    return InferenceMemo(folder, specs, made_by, project)


def _read_files(value: Any, out: str) -> dict[str, dict[str, Files]]:
    """The files of a saved memo of ``out``; empty where any part of it is damaged."""
    try:
        if value["out"] != out:
            return {}
        return {
            target: {key: _files(rows) for key, rows in by_key.items()}
            for target, by_key in value["targets"].items()
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _files(rows: Iterable[Any]) -> Files:
    """Raises TypeError or ValueError for what is no list of files."""
    files = tuple(MadeFile(path, size, digest) for path, size, digest in rows)
    for path, size, digest in files:
        if type(size) is not int or {str} != {type(path), type(digest)}:
            raise TypeError(path)
    return files
