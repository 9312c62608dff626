"""Write the lock file together with the output: both are written, or neither."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules.output import LOCK_OF_THE_PROJECT, STALE_LOCK
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class PendingLockFile:
    """The lock file at ``path``: its text as it was read (None: there was none), and its next text.

    ``is_ours`` tells whether this run may write it.
    """

    path: Path
    before: str | None
    after: str | None
    is_ours: bool = True

    @property
    def is_stale(self) -> bool:
        """Whether the file is not what it is to be."""
        return self.before != self.after


def read_text(path: Path) -> str | None:
    """The text of the file, None where there is none. What is no UTF-8 is replaced and told
    later, when the text is read.
    """
    if not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace")


def lock_span(path: Path, out: Path) -> Span:
    """The file as messages name it: from the folder that holds the output."""
    return Span.at_file(Path(os.path.relpath(path, out.parent)).as_posix())


def report_stale(
    file: PendingLockFile | None, out: Path, diagnostics: Diagnostics
) -> None:
    """Report a file that is not what it is to be."""
    if file is not None and file.is_stale:
        diagnostics.add(STALE_LOCK, lock_span(file.path, out))


def refuse_change(
    file: PendingLockFile | None, out: Path, diagnostics: Diagnostics
) -> None:
    """Report a file that is to change and that only a run of the project may change."""
    if file is not None and file.is_stale and not file.is_ours:
        diagnostics.add(LOCK_OF_THE_PROJECT, lock_span(file.path, out))


@contextmanager
def saved(file: PendingLockFile | None) -> Generator[None]:
    """Save the file, and take that back if what is done inside fails.

    It is saved first: a process that dies in between leaves what was decided for good, and the
    output behind it, which the next run makes again. Raises `OSError` where the disk fails.
    """
    if file is None or not file.is_stale:
        yield
        return
    _put(file.path, file.after)
    try:
        yield
    except BaseException:
        _put(file.path, file.before)
        raise


def _put(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink(missing_ok=True)
        return
    beside = path.with_name(f".{path.name}.brimgen-new")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
