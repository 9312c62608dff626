"""A question, a stamp and a baseline in; what changed specs make, written out, or nothing done."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from brimgen import pipeline
from brimgen.diagnostics import Diagnostics
from brimgen.frozen import dataclass, replace
from brimgen.increment import Doubt
from brimgen.increment.alone import MOST, Way, build_alone, shown
from brimgen.increment.baseline import Baseline, read_baseline
from brimgen.increment.report import Report
from brimgen.output.stage import Stage, staging
from brimgen.output.write import write, writing
from brimgen.settings.load import Settings
from brimgen.stamp.answer import Question, moved, read_beside


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A finished run: its result, and what the next stamp takes over from the last one.

    ``result`` tells what was found in what was built, and the files made of it; ``kept`` what
    was told before of the rest. ``way`` has the next baseline, which does not tell that yet.
    ``specs`` are the states of all spec files, ``stamp`` the content of the old stamp.
    """

    result: pipeline.Result
    kept: Report
    way: Way
    specs: Mapping[str, Any]
    stamp: Any

    def whole(self, settings: Settings) -> pipeline.Result:
        """The result of a build of everything: all that there is to tell, and its sources."""
        made, found = self.result.build, Diagnostics()
        found.extend(self.kept.diagnostics)
        found.extend(made.found)
        build = replace(made, found=found, sources=shown(made, found, settings))
        return replace(self.result, build=build)


def rebuild(
    settings: Settings, asked: Question, meanwhile: Callable[[Rebuilt], None]
) -> Rebuilt | None:
    """Build what changed and write it; None, with nothing done, where that is not known.

    ``meanwhile`` gets the run before the files are in their place, if there is time to pass.
    Raises `OSError` where the disk fails; the output folder is then as it was.
    """
    if not settings.out.is_dir():
        return None
    with writing(settings.out), staging(settings.out) as stage:
        compared_at = time.time_ns()
        known = moved(asked)
        if known is None:
            return None
        stamp, specs, changed = known
        content = read_beside(asked, "baseline", stamp[11])
        if content is None or not changed:
            return None
        names = frozenset(_stable(path, settings) for path in changed)
        way = _way(settings, asked, read_baseline(content), names, stamp, stage)
        if way is None:
            return None
        result = pipeline.Result(
            build=way.build, plan=way.plan, files=way.files, compared_at=compared_at
        )
        run = Rebuilt(result=result, kept=way.kept, way=way, specs=specs, stamp=stamp)
        written = write(way.plan, stage, partial(meanwhile, run))
    return replace(run, result=replace(result, written=written))


def _way(
    settings: Settings,
    asked: Question,
    old: Baseline,
    changed: frozenset[str],
    stamp: Any,
    stage: Stage,
) -> Way | None:
    """What is to be written where files of these names ``changed``, came or went."""
    if len(changed) <= MOST:
        try:
            return build_alone(settings, old, changed, stamp, stage)
        except Doubt:
            pass
    others = read_beside(asked, "others", old.others)
    if others is None:
        return None
    from brimgen.increment.among import build_among  # most runs do without

    try:
        return build_among(settings, old, others, changed, stamp, stage)
    except Doubt:
        return None


def _stable(path: str, settings: Settings) -> str:
    return Path(os.path.relpath(path, settings.specs.parent)).as_posix()
