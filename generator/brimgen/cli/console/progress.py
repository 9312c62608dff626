"""Show the progress of a long run on one line of the terminal.

Nothing is shown if stderr is no terminal, in the formats for programs, or in the first second. The
line is erased when the run ends.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from brimgen.frozen import replace
from brimgen.settings.formats import FOR_PEOPLE
from brimgen.stages import Stages, Steps

if TYPE_CHECKING:
    from brimgen.settings.load import Settings

AFTER = 1.0
"""Seconds before anything is shown."""
_EVERY = 0.1

_Item = TypeVar("_Item")


@contextmanager
def showing_progress(settings: Settings) -> Generator[Stages]:
    """Yield the stages of a run; their progress is shown if stderr is a terminal."""
    from brimgen import api

    stages, stream = api.real_stages(settings), sys.stderr
    if stream is None or settings.format not in FOR_PEOPLE or not _is_terminal(stream):
        yield stages
        return
    progress = Progress(stream)
    try:
        yield replace(stages, steps=progress)
    finally:
        progress.end()


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


class Progress(Steps):
    """Shows steps on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: TextIO | None = stream
        self._due = time.monotonic() + AFTER
        self._width = 0

    def begin(self, step: str) -> None:
        """Show the name of a step that begins."""
        if time.monotonic() >= self._due:
            self._show(step)

    def through(self, step: str, items: Sequence[_Item]) -> Iterable[_Item]:
        """Yield the ``items``, and show the percentage that has been yielded."""
        for number, item in enumerate(items):
            if time.monotonic() >= self._due:
                self._show(f"{step}, {100 * number // len(items)} %")
                self._due = time.monotonic() + _EVERY
            yield item

    def end(self) -> None:
        """Clear the line."""
        if self._width:
            self._write("")

    def _show(self, step: str) -> None:
        self._write(f"brimgen: {step}")

    def _write(self, line: str) -> None:
        if self._stream is None:
            return
        try:
            columns = os.get_terminal_size(self._stream.fileno()).columns
            # A broken line could not be cleared. Some terminals report no width.
            line = line[: columns - 1] if columns else line
            # Spaces, not an escape sequence, which some terminals do not support.
            self._stream.write(f"\r{line:<{self._width}}" + ("" if line else "\r"))
            self._stream.flush()
        except (OSError, ValueError):  # the terminal is gone
            self._stream = None
        self._width = len(line)
