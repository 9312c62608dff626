"""Write the lock file together with the output: both are written, or neither."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import LOCK_OF_THE_PROJECT, STALE_LOCK
from brimgen.frozen import dataclass
from brimgen.source.files import relative_name


@dataclass(frozen=True, slots=True)
class PendingLockFile:
    """The lock file at ``path``: its text before the run (None: no file) and after it.

    ``is_ours``: this run may write it.
    """

    path: Path
    before: str | None
    after: str | None
    is_ours: bool = True

    @property
    def is_stale(self) -> bool:
        """Whether the file must change."""
        return self.before != self.after


def read_text(path: Path) -> str | None:
    """The text of the file; None where there is none.

    Bytes that are no UTF-8 are replaced; the parser of the text reports them.
    """
    if not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace")


def lock_span(path: Path, out: Path) -> Span:
    """The file as messages name it: from the folder that holds the output."""
    return Span.at_file(relative_name(path, out.parent))


def report_stale(
    file: PendingLockFile | None,
    out: Path,
    diagnostics: Diagnostics,
    *,
    writes: bool = False,
) -> None:
    """Report a lock file that must change; a run that ``writes`` its own changes that itself."""
    if file is not None and file.is_stale and not (writes and file.is_ours):
        rule = LOCK_OF_THE_PROJECT if writes else STALE_LOCK
        diagnostics.add(rule, lock_span(file.path, out))


@contextmanager
def saved(file: PendingLockFile | None) -> Generator[None]:
    """Save the file, and restore the old one if the body fails.

    It is saved first: if the process dies in between, the decisions are kept and the next run
    generates the output again. Raises `OSError` where the disk fails.
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
    else:
        replace_file(path, text.encode("utf-8"))


def replace_file(path: Path, data: bytes) -> None:
    """Make ``data`` the content of a file, whole or not at all; its permissions stay.

    Raises `OSError`.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        with suppress(FileNotFoundError):
            shutil.copymode(path, part)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
