"""Run `brimgen watch`: build after each save, and print diagnostics that are new or gone."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
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
    is_error,
    is_stderr_read,
    relocated,
    report_diagnostics,
    write_summary,
    write_text,
)
from brimgen.cli.console.summary import count, done
from brimgen.settings.configuration import places_of_configuration
from brimgen.settings.load import Settings
from brimgen.source.files import module_files

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostic

_LOOK_AGAIN = 500
"""Milliseconds between looks at the files without any event."""
_SETTLE = 50


def watch_folder(root: Path) -> Iterator[bool]:
    """Yield, after each event below ``root`` and at intervals, whether the event names a spec.

    Raises `ImportError` at once if watchfiles is not installed.
    """
    from watchfiles import watch as changes

    def looks() -> Iterator[bool]:
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

    return looks()


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
    Changed settings restart the process; with errors nothing is built until they are mended. Raises
    `click.UsageError` where watchfiles is not installed.
    """
    try:
        looks = watch_folder(settings.specs)
    except ImportError:
        raise click.UsageError(
            "watch needs watchfiles: pip install 'brimgen[watch]'"
        ) from None
    configuration = _Configuration(settings, reload)
    rounds = Rounds(settings, configuration.holds)
    rounds.build(is_saved=True)
    write_summary(f"watching {os.path.relpath(settings.specs)}", settings)
    for is_saved in looks:
        rounds.build(is_saved=is_saved)
        if not is_stderr_read():
            return


class _Configuration:
    """Watches the files of the settings: configuration files, also new ones, and the schemas and
    templates that they name.
    """

    def __init__(
        self, settings: Settings, reload: Callable[[], Settings | None]
    ) -> None:
        self._settings = settings
        self._reload = reload
        self._read: dict[Path, str | None] = {}
        file = settings.configuration
        if file is not None:
            self._read[Path(file.path)] = file.text
        beside = settings.specs.parent
        self._read |= {beside / schema.name: schema.text for schema in settings.schemas}
        templates = settings.templates
        if templates is not None:
            files = templates.files.values()
            self._read |= {beside / file.path: file.text for file in files}
        self._templates = None if templates is None else templates.folder
        # Files that were not read have unknown texts: the first look reads them.
        self._texts: dict[Path, str | None] = {**self._read}
        self._holds = True

    def holds(self) -> bool:
        """Return whether the settings are unchanged. Changed ones restart the process; errors in
        them are reported once.
        """
        places = (
            *places_of_configuration(Path.cwd()),
            *self._template_paths(),
            *self._migrations(),
        )
        paths = {**self._read, **dict.fromkeys(places)}
        texts = {path: _text_of(path) for path in paths}
        if texts != self._texts:
            changed = [p for p in texts if texts[p] != self._texts.get(p)]
            self._texts = texts
            if changed:
                self._holds = self._look(changed[0])
        return self._holds

    def _template_paths(self) -> list[Path]:
        """Return the current templates."""
        try:
            return [*map(Path, template_states(self._templates))]
        except (OSError, Link):
            return []

    def _migrations(self) -> list[Path]:
        """Return the current migrations."""
        beside = self._settings.specs.parent
        folders = [beside / name for name in self._settings.schema_folders]
        return [path for folder in folders for path in folder.rglob("*.sql")]

    def _look(self, news: Path) -> bool:
        file = self._settings.configuration
        is_main = file is not None and news == Path(file.path)
        if is_main and self._texts[news] is None:
            write_summary("the configuration is gone; waiting for it", self._settings)
            return False
        now = self._reload()
        if now is None:
            write_summary("waiting for a sound configuration", self._settings)
            return False
        if not self._holds or now != self._settings:
            name = "the configuration" if is_main else os.path.relpath(news)
            write_summary(f"{name} changed; starting anew", self._settings)
            sys.stderr.flush()
            os.execv(sys.executable, [sys.executable, "-m", "brimgen", *sys.argv[1:]])
        return True


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


class Rounds:
    """Successive builds; each prints how its diagnostics differ from the previous ones."""

    def __init__(self, settings: Settings, holds: Callable[[], bool]) -> None:
        self._settings, self._holds = settings, holds
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
        if not self._holds():  # never build with outdated settings
            return
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
        result = api.generate(settings, memo=True)
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
