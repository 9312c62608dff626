"""A baseline and changed specs in; what their tools make, each for itself, planned, or a doubt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from brimgen import pipeline
from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import descriptors, lint, python, server
from brimgen.emit.artifact import Artifact, Emitter, Others, Pending
from brimgen.frozen import dataclass, replace
from brimgen.increment import Doubt
from brimgen.increment.baseline import Baseline, face_of
from brimgen.increment.parts import (
    LEDGER,
    Splice,
    part_in,
    parts_of,
    shifted,
    staged,
    staged_list,
)
from brimgen.increment.report import Report
from brimgen.model.catalog import Catalog
from brimgen.output.manifest import Entry, Line, ManifestText
from brimgen.output.paths import MANIFEST_NAME
from brimgen.output.plan import File, Output, Plan, State
from brimgen.output.stage import Stage
from brimgen.settings.load import Settings
from brimgen.source.document import SourceFile
from brimgen.source.files import read_named, reading_only

MOST = 64
"""Changed files; more are not built alone."""

ABOUT_ALL = frozenset(
    each.code
    for each in (
        *(descriptors.TOO_MANY_TOOLS, lint.TOO_MANY_TOOLS, lint.TOOL_NAMES_ALIKE),
        *(python.SAME_CLASS, python.SAME_MODULE),
    )
)
"""The rules that are about all tools together, and tell where one tool is."""

OF_A_SET = frozenset(
    {descriptors.STRICT_SET_TOO_LARGE.code, server.TARGET_MISSING.code}
)
"""The rules that count over tools, and tell it at any of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """What is to be written, and told, and left.

    ``build`` is what was found in what was built, ``kept`` what was told of the rest. ``files`` are
    those that were made anew and may differ. ``next`` is the baseline afterwards, but for what it
    tells; ``others`` is what the next run is told of tools (`brimgen.increment.others`), None where
    that is what it was.
    """

    build: pipeline.Build
    kept: Report
    plan: Plan
    files: tuple[File, ...]
    next: Baseline
    others: Any = None


def shown(
    made: pipeline.Build, found: Diagnostics, settings: Settings
) -> tuple[SourceFile, ...]:
    """The sources of a build, and the files beside them that what was ``found`` shows."""
    places = {each.span.file for each in found}
    places |= {note.span.file for each in found for note in each.notes}
    places -= {each.name for each in made.sources}
    return (*made.sources, *read_named(settings.specs, places, Diagnostics()))


def outputs_of(stamp: Any) -> Iterable[str]:
    """The paths of all files of ours, the manifest included."""
    for folder, files in stamp[7].items():
        for name in files:
            yield f"{folder}/{name}" if folder else name


def promises_of(emitters: Iterable[Emitter]) -> Mapping[str, Any]:
    """What the targets promise (`Apart`, or None), by their names."""
    return {each.name: each.apart for each in emitters}


def build_alone(
    settings: Settings,
    old: Baseline,
    changed: frozenset[str],
    stamp: Any,
    stage: Stage,
) -> Way:
    """Build the tools of files that ``changed``; all that is new but the manifest is staged then.

    Raises `Doubt`, with nothing staged, and `OSError`.
    """
    run = _Run(settings, old, changed)
    plan = run.plan(outputs_of(stamp), stage)
    return Way(
        build=run.build,
        kept=run.kept,
        plan=plan,
        files=tuple(run.files),
        next=run.next,
    )


class _Run:
    """One build of the changed files, held against the baseline step by step.

    ``build`` is what it found, ``kept`` what was told of the others, ``files`` are those that it
    has planned, ``next`` is the baseline after it.
    """

    def __init__(
        self, settings: Settings, old: Baseline, changed: frozenset[str]
    ) -> None:
        if not changed <= old.homes.keys():
            raise Doubt
        self._settings, self._old, self._changed = settings, old, changed
        stages = pipeline.real_stages(settings)
        self._chosen = pipeline.choose_emitters(settings, stages.emitters)
        texts = [
            each.text for each in read_named(settings.specs, changed, Diagnostics())
        ]
        if len(texts) < len(changed):
            raise Doubt
        self._tools = frozenset(name for each in changed for name in old.homes[each])
        needed = old.mentions.needed(texts, self._tools)
        self._kinds = old.mentions.left_out(needed)
        self._made = pipeline.build(
            settings,
            replace(stages, read_files=reading_only(needed | changed)),
            wants=self._may_have_changed,
        )
        self._hold_catalog(self._made.catalog)
        self.build, self.kept = self._told()
        self._lists = dict(old.lists)
        self._splices: dict[str, Splice] = {}
        self.files: list[File] = []

    @property
    def next(self) -> Baseline:
        """The baseline that the run leaves, but for what it tells."""
        moved = tuple(sorted({*self._old.moved, *self._changed}))
        return replace(self._old, lists=self._lists, moved=moved)

    def _may_have_changed(self, made: Artifact | Pending) -> bool:
        """Whether a file rests on what changed, or lists tools."""
        is_list = made.path in self._old.lists
        return is_list or not self._changed.isdisjoint(made.sources)

    def _hold_catalog(self, catalog: Catalog) -> None:
        """Doubt wherever other tools could see a difference."""
        made = self._made
        if made.outputs is None or catalog.bundles:
            raise Doubt
        if made.lock is not None and made.lock.is_stale:
            raise Doubt
        homes: dict[str, list[str]] = {}
        for tool in catalog.tools:
            homes.setdefault(tool.span.file, []).append(tool.name)
            if face_of(tool, self._chosen) != self._old.faces.get(tool.name):
                raise Doubt
        for kind in (catalog.entities, catalog.enums, catalog.leaves):
            if any(each.span.file in self._changed for each in kind.values()):
                raise Doubt
        if any(
            tuple(homes.get(each, ())) != self._old.homes[each]
            for each in self._changed
        ):
            raise Doubt
        if any(each.subject.owner in self._tools for each in catalog.waivers):
            raise Doubt
        tools = frozenset(self._old.faces) - {each.name for each in catalog.tools}
        others = Others(tools, self._kinds)
        for emitter in self._chosen:
            if emitter.apart is None:
                raise Doubt
            if emitter.apart.meets is not None and emitter.apart.meets(catalog, others):
                raise Doubt

    def _told(self) -> tuple[pipeline.Build, Report]:
        """The build with what is found in files that changed; what was told of the others."""
        made, found, old = self._made, Diagnostics(), self._old.told
        about, others = old.about(self._changed)
        if any(row[5] in ABOUT_ALL for row in about):
            raise Doubt
        if any(row[5] in OF_A_SET for row in old.rows):
            raise Doubt
        if any(place[0] in self._changed for row in others for place, _ in row[8]):
            raise Doubt
        found.extend(each for each in made.found if each.span.file in self._changed)
        if old.lacks(
            each for each in made.found if each.span.file not in self._changed
        ):
            raise Doubt
        sources = shown(made, found, self._settings)
        return replace(made, found=found, sources=sources), Report(
            old.rules, (*others,)
        )

    def plan(self, paths: Iterable[str], stage: Stage) -> Plan:
        """What is to be written of the files at ``paths``, which are all of ours; all but the
        manifest lies in the stage then. Raises `OSError`.
        """
        root = self._settings.out
        written = (root / MANIFEST_NAME).read_bytes()
        manifest = ManifestText(written)
        for path, (made, line, old) in sorted(self._new(manifest).items()):
            splice = self._splices.get(path)
            file = (
                staged(made, old, stage)
                if splice is None
                else staged_list(made, splice, stage)
            )
            manifest.put(line, path, Entry(file.sha256, file.target, file.sources))
            self.files.append(file)
        changed = [each.path for each in self.files if each.state is State.CHANGED]
        states = dict.fromkeys(paths, State.SAME)
        del states[MANIFEST_NAME]
        states |= dict.fromkeys(changed, State.CHANGED)
        data = bytes(manifest)
        held = {} if data == written else {MANIFEST_NAME: data}
        return Plan(
            root=root,
            states=states,
            puts=frozenset((*changed, *held)),
            removes=(),
            held=held,
            manifest=data,
        )

    def _new(self, manifest: ManifestText) -> dict[str, tuple[Output, Line, Entry]]:
        """The files that rest on what changed, as they are now, with their lines as they were."""
        entries = manifest.resting_on(self._changed)
        made = {each.path: each for each in self._made.outputs or ()}
        own = {path for path, each in made.items() if self._changed & {*each.sources}}
        was = {
            path
            for path, (_, entry) in entries.items()
            if self._changed & {*entry.sources}
        }
        if own != was:
            raise Doubt
        new = {path: made[path] for path in own}
        for path, parts in self._old.lists.items():
            if path in made:
                if not self._has_changed(made[path]):
                    continue
                found = manifest.at(path)
                if found is None:
                    raise Doubt
                new[path], entries[path] = made[path], found
            elif self._tools & parts.keys():
                raise Doubt
        return {path: (output, *entries[path]) for path, output in new.items()}

    def _has_changed(self, made: Output) -> bool:
        """Whether the parts of the changed tools are not what they were in the list whose parts
        ``made`` holds.
        """
        path, old = made.path, self._old.lists[made.path]
        apart = promises_of(self._chosen).get(made.target, LEDGER)
        parts = parts_of(path, made.data, apart)
        if parts is None or self._tools & parts.keys() != self._tools & old.keys():
            raise Doubt
        new = {
            name: made.data[slice(*parts[name])] for name in self._tools & old.keys()
        }
        if not new:
            return False
        with open(self._settings.out / path, "rb") as file:
            if all(part_in(file, old[name]) == each for name, each in new.items()):
                return False
        self._splices[path], self._lists[path] = Splice(old, new), shifted(old, new)
        return True
