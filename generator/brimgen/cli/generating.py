"""Settings in; everything built, written and told, a stamp left, and the exit code out."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from brimgen.cli.progress import following
from brimgen.cli.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    Told,
    say,
    told_of,
    write_text,
)
from brimgen.cli.stamps import Witness, done

if TYPE_CHECKING:
    from brimgen.built import Result
    from brimgen.settings.load import Settings
    from brimgen.stamp.answer import Question


def generated(
    settings: Settings,
    asked: Question | None,
    *,
    force: bool = False,
    jobs: int | None = None,
    also: Callable[[Result], None] | None = None,
) -> int:
    """Make the output folder what the specs say, in as many processes as ``jobs``.

    ``asked`` is what a stamp shall answer the next time. ``also`` is done once all is written.
    Raises `OSError` where the disk fails: the output folder is then as it was, or, if only what is
    to be told could not be written, new.
    """
    witness = Witness(settings, asked)
    told: Told | None = None

    def ahead(result: Result) -> None:
        nonlocal told
        told = told_of(result.build, settings)
        witness.prepare(result, told)

    result = _built(settings, force, jobs, ahead)
    told = told or told_of(result.build, settings)
    write_text(told.text)
    if result.plan is None:
        return SPEC_ERRORS
    say(done(result.plan), settings)
    lock = result.build.lock
    if lock is not None and lock.is_stale and lock.after is None:
        say(f"{os.path.relpath(lock.path)} removed: no bundle needs it", settings)
    if also is not None:
        also(result)
    if result.plan.kept:
        return DRIFT
    witness.testify(result, told)
    return SOUND


def _built(
    settings: Settings,
    force: bool,
    jobs: int | None,
    meanwhile: Callable[[Result], None],
) -> Result:
    from brimgen import pipeline
    from brimgen.parallel.choice import prepared

    with following(settings) as stages:
        return pipeline.generate(
            settings,
            force=force,
            stages=stages,
            preparing=partial(prepared, jobs=jobs),
            meanwhile=meanwhile,
        )
