"""A finished run in, what the next one may rest on out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from brimgen import pipeline
from brimgen.built import Result
from brimgen.digest import sha256
from brimgen.frozen import dataclass, replace
from brimgen.increment.baseline import Baseline, make_baseline
from brimgen.increment.report import Report
from brimgen.output.manifest import Manifest, read_manifest
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import Written
from brimgen.settings.load import Settings
from brimgen.stamp.evidence import (
    BY_HANDLE,
    LINKED,
    NO_LINKS,
    Links,
    State,
    packed,
    sum_of,
)
from brimgen.stamp.record import Next, states_now

if TYPE_CHECKING:
    from brimgen.increment.others import Others
    from brimgen.increment.rebuild import Rebuilt


_States: TypeAlias = dict[str, dict[str, State]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a run has left: all files of ours by folder and name, the times that linking has given
    to them (`Links`), and what tells the digest of one; digests of specs that it has not read;
    libraries that files rest on which it has not made.
    """

    outputs: _States
    links: Links
    digest: Callable[[str], str]
    digests: Mapping[str, str]
    libraries: Mapping[str, State | None]


def left_by(result: Result) -> Left | None:
    """What a whole build has left; None where the folder is not as it was left."""
    assert result.plan is not None
    manifest, files = result.plan.manifest, result.files
    known = {each.path: each.known for each in files if each.known is not None}
    new = {path: each for path, each in known.items() if path in result.plan.puts}
    old = {path: each for path, each in known.items() if path not in new}
    states = _seen(result, _with({"": {}}, old), new)
    if states is None:
        return None

    @cache
    def digests() -> dict[str, str]:
        made = {each.path: each.sha256 for each in files}
        return {**made, MANIFEST_NAME: sha256(manifest)}

    return Left(
        outputs=states,
        links=result.written.links or NO_LINKS,
        digest=lambda path: digests()[path],
        digests={},
        libraries={},
    )


def left_by_rebuild(run: Rebuilt) -> Left | None:
    """What a build of what changed has left; None where the folder is not as it was left."""
    plan, written = run.result.plan, run.result.written
    assert plan is not None
    new = {each.path: each.known for each in run.result.files if each.known is not None}
    states = _seen(run.result, _without(run.stamp[7], plan.removes), new)
    if states is None:
        return None
    made = {each.path: each.sha256 for each in run.result.files}

    @cache
    def manifest() -> Manifest:
        return read_manifest(plan.manifest)

    def digest(path: str) -> str:
        if path == MANIFEST_NAME:
            return sha256(plan.manifest)
        return made.get(path) or manifest().files[path].sha256

    return Left(
        outputs=states,
        links=written.links or (run.stamp[12] if _is_exact(written) else NO_LINKS),
        digest=digest,
        digests=run.stamp[5],
        libraries=run.stamp[2],
    )


def _seen(result: Result, before: _States, new: Mapping[str, State]) -> _States | None:
    """All files of ours in the states that they have after a run, before which they were seen as
    ``before`` says, and in which it has put what is ``new``; None where any is gone.
    """
    plan, written = result.plan, result.written
    assert plan is not None
    now = {**new, **written.known}
    if written.links is not None:
        before = {folder: _linked(files) for folder, files in before.items()}
        first, last = written.links
        now = {
            path: (*each[:3], LINKED if first <= each[3] <= last else each[3])
            for path, each in now.items()
        }
    states = _with(before, now)
    states = _with(states, _retimed(states, written.times))
    if MANIFEST_NAME not in states[""]:
        known: State = (0, len(plan.manifest), 0, 0)
        only = states_now(plan.root, {"": {MANIFEST_NAME: known}}, written.links)
        if only is None:
            return None
        states[""] = {**states[""], **only[""]}
    if _is_exact(written):
        return states
    return states_now(plan.root, states, written.links)


def _retimed(states: _States, times: Mapping[str, int]) -> dict[str, State]:
    """The files of ``times`` as they are known by ``states``, with these times of their inodes."""
    retimed: dict[str, State] = {}
    for path, changed in times.items():
        folder, _, name = path.rpartition("/")
        identity, size, modified, _ = states[folder][name]
        retimed[path] = identity, size, modified, changed
    return retimed


def _is_exact(written: Written) -> bool:
    """Whether what a run knows of files is how they are."""
    # Where folders have no handles, their entries have no identity, which open files have.
    return written.is_exact and BY_HANDLE


def _linked(files: Mapping[str, State]) -> dict[str, State]:
    """The states of files to which links were made and removed."""
    return {
        name: (*each[:3], LINKED) if each[3] else each for name, each in files.items()
    }


def _with(states: _States, known: Mapping[str, State]) -> _States:
    """``states``, and what is ``known`` of files by their paths; folders without files, too."""
    found = {**states}
    copied: set[str] = set()
    for path, each in known.items():
        folder, _, name = path.rpartition("/")
        if folder not in copied:
            copied.add(folder)
            found[folder] = {**found.get(folder, {})}
            above = folder
            while above := above.rpartition("/")[0]:
                found.setdefault(above, {})
        found[folder][name] = each
    return found


def _without(states: _States, paths: Collection[str]) -> _States:
    """``states`` but for the files at ``paths``, and folders that have no other ones."""
    if not paths:
        return states
    gone = frozenset(paths)
    left = {
        path: each
        for folder, files in states.items()
        for name, each in files.items()
        if (path := f"{folder}/{name}" if folder else name) not in gone
    }
    return _with({"": {}}, left)


def next_of(settings: Settings, result: Result, told: Report) -> Next | None:
    """What the run after a whole build may rest on; None where there is nothing. It rests on what
    was built, not on how that was written.
    """
    if settings.only is not None or result.lists is None:
        return None
    build, emitters = result.build, pipeline.real_stages(settings).emitters
    baseline = make_baseline(
        build.catalog,
        build.sources,
        result.files,
        emitters,
        told,
        lists=result.lists,
        faces=build.faces,
    )
    if baseline is None:
        return None
    if build.faces is None:  # or several processes have built, which ask before
        for emitter in emitters:
            is_whole = emitter.apart and emitter.apart.is_whole
            if is_whole and is_whole(build.catalog):
                return _next(baseline, None)
    from brimgen.increment.others import others_of  # a run of one tool does without

    others = others_of(build.catalog, build.sources, baseline.homes)
    return _next(baseline, others)


def next_of_rebuild(run: Rebuilt, told: Report) -> Next:
    """What the run after a build of what changed may rest on."""
    return _next(replace(run.way.next, told=told), run.way.others)


def _next(baseline: Baseline, others: Others | None) -> Next:
    if others is None:
        return Next(packed(baseline.plain()), None)
    from brimgen.increment.others import packed_others

    data = packed(packed_others(others))
    return Next(packed(replace(baseline, others=sum_of(data)).plain()), data)
