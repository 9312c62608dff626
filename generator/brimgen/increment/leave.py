"""A finished run in, what the next one may rest on out."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from brimgen import pipeline
from brimgen.increment.baseline import make_baseline
from brimgen.increment.rebuild import Rebuilt
from brimgen.increment.report import Report
from brimgen.output.manifest import Manifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.settings.load import Settings
from brimgen.stamp.record import Known


def baseline_of(settings: Settings, made: pipeline.Build, told: Report) -> object:
    """The baseline of a whole build, in builtin types; None where it can have none."""
    if settings.only is not None:
        return None
    baseline = make_baseline(
        made.catalog,
        [each.name for each in made.sources],
        made.outputs or (),
        pipeline.real_stages(settings).emitters,
        told,
    )
    return None if baseline is None else baseline.plain()


def known_files(run: Rebuilt) -> dict[str, bytes | Known]:
    """What every file of ours holds after a build of what changed."""
    plan, states = run.result.plan, run.stamp[7]
    assert plan is not None

    @cache
    def manifest() -> Manifest:
        return read_manifest(plan.manifest)

    def digest_of(path: str) -> Callable[[], str]:
        return lambda: manifest().files[path].sha256

    files: dict[str, bytes | Known] = {}
    for folder, found in states.items():
        for name, state in found.items():
            path = f"{folder}/{name}" if folder else name
            files[path] = Known(state[1], digest_of(path))
    return {**files, **plan.puts, MANIFEST_NAME: plan.manifest}
