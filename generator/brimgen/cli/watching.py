"""Saved specs in, a build after each; what came to be said, and what no longer is, out."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.report import is_error, relocated, say, tell_some, told_of
from brimgen.cli.stamps import Witness, count, done
from brimgen.settings.load import Settings
from brimgen.stamp.answer import answer, question
from brimgen.stamp.evidence import SUFFIXES

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostic

_LOOK_AGAIN = 500
"""Milliseconds after which the files of the settings are looked at: events tell of specs."""
_SETTLE = 50


def watch(
    settings: Settings, options: Sequence[str], is_sound: Callable[[], bool]
) -> None:
    """Build now, and whenever a spec is saved, until interrupted.

    ``options`` are those that `generate` would be given. A changed configuration, or a schema
    that it names, starts the process anew, unless ``is_sound``, which shows errors in it, denies:
    then nothing is built until it is changed again. Raises `click.UsageError` where watchfiles is
    not installed.
    """
    try:
        from watchfiles import watch as changes
    except ImportError:
        raise click.UsageError(
            "watch needs watchfiles: pip install 'brimgen[watch]'"
        ) from None
    rounds = Rounds(settings, options)
    configuration = _Configuration(settings, is_sound)
    rounds.build()
    say(f"watching {os.path.relpath(settings.specs)}", settings)
    missed = True  # what was saved after that build and before anybody watched
    for changed in changes(
        settings.specs,
        watch_filter=lambda _, path: path.casefold().endswith(SUFFIXES),
        debounce=_SETTLE,
        step=_SETTLE // 2,
        rust_timeout=_LOOK_AGAIN,
        yield_on_timeout=True,
    ):
        if configuration.changed():
            sys.stderr.flush()
            os.execv(sys.executable, [sys.executable, "-m", "brimgen", *sys.argv[1:]])
        # A build of old settings would be stamped as one of the file as it is now.
        if (changed or missed) and configuration.is_ours:
            rounds.build()
        missed = False


class _Configuration:
    """The files of the settings: the configuration and the schemas that it names, and whether
    they still say what the process was started with."""

    def __init__(self, settings: Settings, is_sound: Callable[[], bool]) -> None:
        self._settings = settings
        self._is_sound = is_sound
        self._texts: dict[Path, str | None] = {}
        file = settings.configuration
        if file is not None:
            self._texts[Path(file.path)] = file.text
        beside = settings.specs.parent
        self._texts |= {beside / each.name: each.text for each in settings.schemas}
        self.is_ours = True

    def changed(self) -> bool:
        """Whether there is another one, and a sound one; an unsound one is told of once."""
        texts = {path: _text_of(path) for path in self._texts}
        if texts == self._texts:
            return False
        news = next(path for path in texts if texts[path] != self._texts[path])
        self._texts = texts
        self.is_ours = False
        file = self._settings.configuration
        is_main = file is not None and news == Path(file.path)
        if is_main and texts[news] is None:
            say("the configuration is gone; waiting for it", self._settings)
        elif self._is_sound():
            name = "the configuration" if is_main else os.path.relpath(news)
            say(f"{name} changed; starting anew", self._settings)
            return True
        else:
            say("waiting for a sound configuration", self._settings)
        return False


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


class Rounds:
    """One build after the other; each tells in what its findings differ from those before."""

    def __init__(self, settings: Settings, options: Sequence[str]) -> None:
        self._settings = settings
        self._arguments = ["generate", *options]
        self._known: tuple[Diagnostic, ...] = ()

    def build(self) -> None:
        """Build what changed; a disk that fails is told, and the next round tries again."""
        asked = question(self._arguments)
        if self._known or asked is None or not _is_done(asked):
            try:
                self._build(Witness(self._settings, asked))
            except OSError as problem:
                click.echo(f"brimgen: {problem}", err=True)

    def _build(self, witness: Witness) -> None:
        from brimgen import pipeline
        from brimgen.parallel.choice import prepared

        settings = self._settings
        if rebuilt := witness.rebuild():
            result = rebuilt.whole(settings)
        else:
            # Not divided: whatever watches the folder may be a thread, which a copy lacks.
            alone = partial(prepared, jobs=1)
            result = pipeline.generate(settings, preparing=alone)
        found = relocated(result.build, settings)
        new, gone = _without(found, self._known), _without(self._known, found)
        tell_some(new, result.build, settings)
        for each in gone:
            place = f"{each.span.file}:{each.span.line}"
            say(f"no longer: {place} [{each.rule.code}] {each.message}", settings)
        self._known = found
        plan = result.plan
        if plan is None:
            errors = sum(map(is_error, found))
            say(f"nothing was written: {count(errors, 'error')}", settings)
            return
        say(done(plan), settings)
        if not plan.kept:
            witness.testify(result, told_of(result.build, settings))


def _is_done(asked: object) -> bool:
    """Whether the stamp tells that nothing is to be done."""
    from brimgen.stamp.answer import Question

    with redirect_stderr(StringIO()):
        return isinstance(asked, Question) and answer(asked, "generate")


def _without(
    found: Iterable[Diagnostic], others: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """``found`` but for those that say the same of the same file, wherever in it."""
    left = Counter(map(_said, others))
    kept: list[Diagnostic] = []
    for each in found:
        if left[_said(each)]:
            left[_said(each)] -= 1
        else:
            kept.append(each)
    return tuple(kept)


def _said(each: Diagnostic) -> tuple[str, str, str]:
    return each.span.file, each.rule.code, each.message
