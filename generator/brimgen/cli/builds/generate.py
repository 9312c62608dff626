"""Build, write the files, report, and record a stamp."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from brimgen.cli.builds.stamps import record, recorder
from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    report_build,
    write_summary,
)
from brimgen.cli.console.summary import done

if TYPE_CHECKING:
    from brimgen.build.stamp import Invocation
    from brimgen.settings.load import Settings
    from brimgen.stages import Result


def generate_files(
    settings: Settings,
    invocation: Invocation | None,
    *,
    force: bool = False,
    adopt: bool = False,
    also: Callable[[Result], None] | None = None,
) -> int:
    """Bring the output folder up to date; return the exit code.

    ``invocation`` is what a stamp answers the next time. ``also`` is called after all files
    are written. Raises `OSError` if the disk fails: the output folder is then unchanged, unless
    only a message could not be printed.
    """
    from brimgen import api

    recording = recorder(settings, invocation)
    with showing_progress(settings) as stages:
        result = api.generate(settings, force=force, adopt=adopt, stages=stages)
    report_build(result.build, settings)
    if result.plan is None:
        return SPEC_ERRORS
    write_summary(done(result.plan), settings)
    lock = result.build.lock
    if lock is not None and lock.is_stale and lock.after is None:
        write_summary(
            f"{os.path.relpath(lock.path)} removed: no bundle needs it", settings
        )
    if also is not None:
        also(result)
    if result.plan.kept:
        return DRIFT
    record(recording, result, settings)
    return SOUND
