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

from brimgen.cli.report import (
    is_error,
    is_heard,
    relocated,
    say,
    tell_some,
    told_of,
    write_text,
)
from brimgen.cli.saves import saves
from brimgen.cli.stamps import Witness, count, done
from brimgen.settings.configuration import places_of_configuration
from brimgen.settings.load import Settings
from brimgen.stamp.answer import answer, question
from brimgen.stamp.evidence import program

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostic


def watch(
    settings: Settings,
    options: Sequence[str],
    sound: Callable[[], Settings | None],
) -> None:
    """Build now, and whenever a spec is saved, until interrupted or no longer read.

    ``options`` are those that `generate` would be given. ``sound`` are the settings as they would
    be read now; None: they have errors, which it shows. Other ones start the process anew; with
    errors nothing is built until they are mended. Raises `click.UsageError` where watchfiles is not
    installed.
    """
    try:
        saved = saves(settings.specs)
    except ImportError:
        raise click.UsageError(
            "watch needs watchfiles: pip install 'brimgen[watch]'"
        ) from None
    configuration = _Configuration(settings, sound)
    rounds = Rounds(settings, options, configuration.holds)
    rounds.build()
    say(f"watching {os.path.relpath(settings.specs)}", settings)
    missed = True  # what was saved after that build and before anybody watched
    for is_saved in saved:
        if configuration.holds() and (is_saved or missed):
            rounds.build()
            missed = False
        if not is_heard():
            return


class _Configuration:
    """The files of the settings: every one that is a configuration or would be one, and the schemas
    that it names; and whether they still say what the process was started with.
    """

    def __init__(
        self, settings: Settings, sound: Callable[[], Settings | None]
    ) -> None:
        self._settings = settings
        self._sound = sound
        self._read: dict[Path, str | None] = {}
        file = settings.configuration
        if file is not None:
            self._read[Path(file.path)] = file.text
        beside = settings.specs.parent
        self._read |= {beside / each.name: each.text for each in settings.schemas}
        # Texts of those that said nothing, if they are there, are not known: it is asked once more.
        self._texts: dict[Path, str | None] = {**self._read}
        self._holds = True

    def holds(self) -> bool:
        """Whether all is as it was; other sound settings start the process anew, and unsound ones
        are told of once.
        """
        paths = {**self._read, **dict.fromkeys(places_of_configuration(Path.cwd()))}
        texts = {path: _text_of(path) for path in paths}
        if texts != self._texts:
            changed = [p for p in texts if texts[p] != self._texts.get(p)]
            self._texts = texts
            if changed:
                self._holds = self._look(changed[0])
        return self._holds

    def _look(self, news: Path) -> bool:
        file = self._settings.configuration
        is_main = file is not None and news == Path(file.path)
        if is_main and self._texts[news] is None:
            say("the configuration is gone; waiting for it", self._settings)
            return False
        now = self._sound()
        if now is None:
            say("waiting for a sound configuration", self._settings)
            return False
        if not self._holds or now != self._settings:
            name = "the configuration" if is_main else os.path.relpath(news)
            say(f"{name} changed; starting anew", self._settings)
            sys.stderr.flush()
            os.execv(sys.executable, [sys.executable, "-m", "brimgen", *sys.argv[1:]])
        return True


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return None


class Rounds:
    """One build after the other; each tells in what its findings differ from those before."""

    def __init__(
        self, settings: Settings, options: Sequence[str], holds: Callable[[], bool]
    ) -> None:
        self._settings, self._holds = settings, holds
        self._arguments = ["generate", *options]
        self._program = program()
        self._known: tuple[Diagnostic, ...] = ()

    def build(self) -> None:
        """Build what changed; a disk that fails is told, and the next round tries again."""
        asked = question(self._arguments)
        if asked is not None and asked.program != self._program:
            asked = None  # a stamp would say that the program as it is now has made all this
        if (
            not self._holds()
        ):  # neither of settings that changed before a stamp is begun
            return
        if self._known or asked is None or not _is_done(asked):
            try:
                self._build(Witness(self._settings, asked))
            except OSError as problem:
                write_text(f"brimgen: {problem}\n")

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
