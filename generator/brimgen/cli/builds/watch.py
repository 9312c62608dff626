"""Run `brimgen watch`: build after each save, and print diagnostics that are new or gone."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.build.states import (
    SUFFIXES,
    Link,
    State,
    spec_states,
    state,
    template_states,
)
from brimgen.cli.console.report import (
    count,
    done,
    is_error,
    is_stderr_read,
    relocated,
    report_diagnostics,
    write_summary,
    write_text,
)
from brimgen.settings.configuration import places_of_configuration
from brimgen.settings.load import Settings
from brimgen.source.files import module_files

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostic

_LOOK_AGAIN = 500
"""Milliseconds between looks at the files without any event."""
_SETTLE = 50


def watch_folder(root: Path) -> Iterator[bool]:
    """Yield, after each event below ``root`` and at intervals, whether the event names a spec."""
    from watchfiles import watch as changes

    while True:
        identity = _identity(root)
        # The folder, or one in it, may be removed before it is watched.
        with suppress(FileNotFoundError):
            for changed in changes(
                root,
                watch_filter=None,
                debounce=_SETTLE,
                step=_SETTLE // 2,
                rust_timeout=_LOOK_AGAIN,
                yield_on_timeout=True,
            ):
                yield any(path.casefold().endswith(SUFFIXES) for _, path in changed)
                if _identity(root) != identity:
                    break  # the events are those of a folder that was moved away
        time.sleep(_LOOK_AGAIN / 1000)
        yield False


def _module_states(patterns: Sequence[str]) -> dict[str, State | None]:
    return {path: state(path) for path in module_files(patterns)} if patterns else {}


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def watch(
    settings: Settings,
    reload: Callable[[], Settings | None],
) -> None:
    """Build now, and whenever a spec is saved, until interrupted or stderr is closed.

    ``reload`` reads the settings again; it shows their errors, and returns None if there are any.
    With other settings the watch begins anew; with errors nothing is built until they are mended.
    Raises `click.UsageError` where watchfiles is not installed.
    """
    if find_spec("watchfiles") is None:
        raise click.UsageError("watch needs watchfiles: pip install 'brimgen[watch]'")
    current: Settings | None = settings
    while current is not None:
        current = _Watch(current, reload).run()


class _Watch:
    """Builds with ``settings`` until one of the files that they were read from says otherwise."""

    def __init__(
        self, settings: Settings, reload: Callable[[], Settings | None]
    ) -> None:
        self._settings, self._reload = settings, reload
        self._is_sound = True
        self._states = self._files()

    def run(self) -> Settings | None:
        """Build until there are other settings, and return these; None at the end of all."""
        rounds = Rounds(self._settings)
        rounds.build(is_saved=True)
        folder = os.path.relpath(self._settings.specs)
        write_summary(f"watching {folder}", self._settings)
        for is_saved in watch_folder(self._settings.specs):
            other = self._changed_settings()
            if other is not None:
                return other
            if self._is_sound:  # never build with outdated settings
                rounds.build(is_saved=is_saved)
            if not is_stderr_read():
                return None
        return None

    def _changed_settings(self) -> Settings | None:
        """Return other settings, or sound ones after wrong ones; tell errors once."""
        before, self._states = self._states, self._files()
        changed = [
            path
            for path in {**before, **self._states}
            if before.get(path) != self._states.get(path)
        ]
        if not changed:
            return None
        was_sound, self._is_sound = self._is_sound, False
        file = self._settings.configuration
        is_main = file is not None and changed[0] == file.path
        if is_main and self._states[changed[0]] is None:
            write_summary("the configuration is gone; waiting for it", self._settings)
            return None
        now = self._reload()
        if now is None:
            write_summary("waiting for a sound configuration", self._settings)
            return None
        self._is_sound = True
        if was_sound and now == self._settings:
            return None
        name = "the configuration" if is_main else os.path.relpath(changed[0])
        write_summary(f"{name} changed; starting anew", self._settings)
        return now

    def _files(self) -> dict[str, State | None]:
        """Return the states of the files of the settings: configurations, also new ones, and the
        schemas and templates that they name.
        """
        settings, beside = self._settings, self._settings.specs.parent
        main = settings.configuration
        schemas = [beside / schema.name for schema in settings.schemas]
        for name in settings.schema_folders:
            schemas += (beside / name).rglob("*.sql")
        paths = [*places_of_configuration(Path.cwd()), *schemas]
        states = {} if main is None else {main.path: state(main.path)}
        states |= {str(path): state(str(path)) for path in paths}
        if settings.templates is not None:
            with suppress(OSError, Link):
                states |= template_states(settings.templates.folder)
        return states


class Rounds:
    """Successive builds; each prints how its diagnostics differ from the previous ones."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: tuple[Diagnostic, ...] = ()
        self._seen: dict[str, State | None] | None = None
        self._built: dict[str, State | None] | None = None

    def build(self, *, is_saved: bool) -> None:
        """Build if a spec changed, whether or not an event said that it ``is_saved``.

        Events are incomplete: for a folder that is moved as a whole they name the folder only, and
        files written through links or memory maps cause none. After an error of the disk, the next
        event is another try.
        """
        specs = self._specs()
        if specs is None and not is_saved:  # behind links only events tell
            return
        if specs is not None and specs == (self._built if is_saved else self._seen):
            return
        self._seen, self._built = specs, None
        try:
            if self._build():
                self._built = specs
        except OSError as problem:
            write_text(f"brimgen: {problem}\n")

    def _specs(self) -> dict[str, State | None] | None:
        """Return the states of all specs, none of a folder that is gone; None behind links."""
        try:
            specs = spec_states(str(self._settings.specs))
        except Link:
            return None
        except OSError:
            specs = {}
        return {**specs, **_module_states(self._settings.sources)}

    def _build(self) -> bool:
        """Build once; return whether all files are up to date afterwards."""
        from brimgen import api

        settings = self._settings
        result = api.generate(settings)
        diagnostics = relocated(result.build, settings)
        new, fixed = (
            _not_reported_before(diagnostics, self._known),
            _not_reported_before(self._known, diagnostics),
        )
        report_diagnostics(new, result.build, settings)
        for diagnostic in fixed:
            place = f"{diagnostic.span.file}:{diagnostic.span.line}"
            write_summary(
                f"no longer: {place} [{diagnostic.rule.code}] {diagnostic.message}",
                settings,
            )
        self._known = diagnostics
        plan = result.plan
        if plan is None:
            errors = sum(map(is_error, diagnostics))
            write_summary(f"nothing was written: {count(errors, 'error')}", settings)
            return False
        write_summary(done(plan), settings)
        return not plan.kept


def _not_reported_before(
    diagnostics: Iterable[Diagnostic], reported: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of which ``reported`` has none with the same text and file."""
    counter = Counter(map(_identity_of, reported))
    new: list[Diagnostic] = []
    for diagnostic in diagnostics:
        if counter[_identity_of(diagnostic)]:
            counter[_identity_of(diagnostic)] -= 1
        else:
            new.append(diagnostic)
    return tuple(new)


def _identity_of(diagnostic: Diagnostic) -> tuple[str, str, str]:
    return diagnostic.span.file, diagnostic.rule.code, diagnostic.message
