"""A finished run in, what the next one may rest on out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from brimgen import pipeline
from brimgen.digest import sha256
from brimgen.frozen import dataclass, replace
from brimgen.increment.baseline import make_baseline
from brimgen.increment.report import Report
from brimgen.output.manifest import Manifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import File, Plan
from brimgen.settings.load import Settings
from brimgen.stamp.record import Kept

if TYPE_CHECKING:
    from brimgen.increment.rebuild import Rebuilt


@dataclass(frozen=True, slots=True)
class Left:
    """What a run has left: size and digest of files that it made, other files, digests of specs
    that it has not read, and a baseline in builtin types, None where it can have none.
    """

    outputs: Mapping[str, tuple[int, str]]
    kept: Kept
    digests: Mapping[str, str]
    baseline: object


def left_by(settings: Settings, result: pipeline.Result, told: Report) -> Left:
    """What a whole build has left, after which the folder is as it should be."""
    plan = result.plan
    assert plan is not None
    files = _sizes_and_digests(result, plan)
    return Left(files, Kept(), {}, _baseline_of(settings, result, told))


def _sizes_and_digests(
    result: pipeline.Result, plan: Plan
) -> Mapping[str, tuple[int, str]]:
    """What is known of the files that a run has made, and of the manifest."""
    files = {each.path: (each.size, each.sha256) for each in result.files}
    return {**files, MANIFEST_NAME: (len(plan.manifest), sha256(plan.manifest))}


def _baseline_of(settings: Settings, result: pipeline.Result, told: Report) -> object:
    if settings.only is not None:
        return None
    baseline = make_baseline(
        result.build.catalog,
        result.build.sources,
        result.files,
        pipeline.real_stages(settings).emitters,
        told,
        read=lambda file: _as_made(settings.out / file.path, file),
        faces=result.build.faces,
    )
    return None if baseline is None else baseline.plain()


def _as_made(path: Path, file: File) -> bytes | None:
    """The bytes of ``file``, which nobody holds any more; None where they are not as they were."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if sha256(data) == file.sha256 else None


def left_by_rebuild(run: Rebuilt, told: Report) -> Left:
    """What a build of what changed has left."""
    plan = run.result.plan
    assert plan is not None

    @cache
    def manifest() -> Manifest:
        return read_manifest(plan.manifest)

    kept = Kept(
        states=run.stamp[7],
        digest=lambda path: manifest().files[path].sha256,
        libraries=run.stamp[2],
    )
    files = _sizes_and_digests(run.result, plan)
    baseline = replace(run.baseline, told=told)
    return Left(files, kept, run.stamp[5], baseline.plain())
