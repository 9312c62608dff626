"""Watch the folder of specs, and yield when a spec may have been saved."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from brimgen.build.states import SUFFIXES, Link, State, module_states, spec_states

LOOK_AGAIN = 500
"""Milliseconds after which somebody looks where nothing is told."""
_SETTLE = 50
_RARELY = 50
"""Times that a look takes until the next one that nothing asks for."""


def watch_folder(root: Path, sources: Sequence[str] = ()) -> Iterator[bool]:
    """Yield whether a spec below ``root`` may have changed, or a Python module that one of the
    patterns ``sources`` fits, after each event and at intervals. Raises `ImportError` at once if
    watchfiles is not installed.
    """
    from watchfiles import watch as changes

    def batches_of_events() -> Iterator[bool]:
        """Yield whether each batch of events concerns a spec; without a folder, there are no
        events.
        """
        while True:
            known = _identity(root)
            # Before it is watched it may be gone, as may a folder in it.
            with suppress(FileNotFoundError):
                for changed in changes(
                    root,
                    watch_filter=None,
                    debounce=_SETTLE,
                    step=_SETTLE // 2,
                    rust_timeout=LOOK_AGAIN,
                    yield_on_timeout=True,
                ):
                    yield any(path.casefold().endswith(SUFFIXES) for _, path in changed)
                    if _identity(root) != known:
                        break  # what is told is of a folder that was moved away
            time.sleep(LOOK_AGAIN / 1000)
            yield False

    def with_looks() -> Iterator[bool]:
        specs = WatchedFiles(root, sources)
        for is_reported in batches_of_events():
            yield specs.have_changed(now=is_reported) or is_reported

    return with_looks()


class WatchedFiles:
    """The spec files and Python modules as they were found the last time.

    Events do not tell all: of a folder that comes or goes as a whole they name nothing but itself,
    and what is written through a link from elsewhere, or by way of memory, has none.
    """

    def __init__(self, root: Path, sources: Sequence[str]) -> None:
        self._root, self._sources = str(root), sources
        self._states = self._changed_states()
        self._due = 0.0

    def have_changed(self, *, now: bool) -> bool:
        """Whether one came, went or changed, so far as that is looked at: ``now`` or when due."""
        begun = time.monotonic()
        if not now and begun < self._due:
            return False
        before, self._states = self._states, self._changed_states()
        self._due = begun + (time.monotonic() - begun) * _RARELY
        return self._states != before

    def _changed_states(self) -> tuple[object, object]:
        return self._spec_states(), module_states(self._sources)

    def _spec_states(self) -> dict[str, State] | None:
        try:
            return spec_states(self._root)
        except Link:  # states do not tell what is behind it; events do, if it is a spec
            return {}
        except OSError:
            return None


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(folder)
    except OSError:
        return None
    return found.st_dev, found.st_ino
