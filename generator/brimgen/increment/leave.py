"""A finished run in, what the next one may rest on out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from brimgen import pipeline
from brimgen.frozen import dataclass, replace
from brimgen.increment.baseline import make_baseline
from brimgen.increment.report import Report
from brimgen.output.manifest import Manifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.settings.load import Settings
from brimgen.stamp.record import Kept

if TYPE_CHECKING:
    from brimgen.increment.rebuild import Rebuilt


@dataclass(frozen=True, slots=True)
class Left:
    """What a run has left: files that it made and others, digests of specs that it has not read,
    and a baseline in builtin types, None where it can have none.
    """

    outputs: Mapping[str, bytes]
    kept: Kept
    digests: Mapping[str, str]
    baseline: object


def left_by(settings: Settings, result: pipeline.Result, told: Report) -> Left:
    """What a whole build has left, after which the folder is as it should be."""
    made, plan = result.build, result.plan
    assert plan is not None and made.outputs is not None
    files = {each.path: each.data for each in made.outputs}
    files[MANIFEST_NAME] = plan.manifest
    return Left(files, Kept(), {}, _baseline_of(settings, made, told))


def _baseline_of(settings: Settings, made: pipeline.Build, told: Report) -> object:
    if settings.only is not None:
        return None
    baseline = make_baseline(
        made.catalog,
        made.sources,
        made.outputs or (),
        pipeline.real_stages(settings).emitters,
        told,
    )
    return None if baseline is None else baseline.plain()


def left_by_rebuild(run: Rebuilt, told: Report) -> Left:
    """What a build of what changed has left."""
    plan = run.result.plan
    assert plan is not None

    @cache
    def manifest() -> Manifest:
        return read_manifest(plan.manifest)

    kept = Kept(run.stamp[7], lambda path: manifest().files[path].sha256)
    files = {**plan.puts, MANIFEST_NAME: plan.manifest}
    baseline = replace(run.baseline, told=told)
    return Left(files, kept, run.stamp[5], baseline.plain())
