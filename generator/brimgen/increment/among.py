"""A baseline and changed specs in; all that rests on them, with all lists, planned, or a doubt.

The stages are run over what changed and what rests on it, with the other tools beside it, as where
several processes build (`brimgen.parallel`): what all tools make together is made of what is told
of them (`others`), and lists get the parts of the others from what stands there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from brimgen import __version__, pipeline
from brimgen.built import Emit
from brimgen.diagnostics import Diagnostics
from brimgen.frozen import replace
from brimgen.increment import Doubt
from brimgen.increment.alone import Way, promises_of, shown
from brimgen.increment.bare import are_distinct
from brimgen.increment.baseline import Baseline, faces_of, make_baseline
from brimgen.increment.lists import Listed, changed_list
from brimgen.increment.others import Others, others_of, read_others
from brimgen.increment.parts import LEDGER, Parts, may_list, parts_of
from brimgen.increment.reach import Reach, hold_names, reach_of
from brimgen.increment.report import Report
from brimgen.increment.told import told_now
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.output.compare import Comparison
from brimgen.output.plan import File, Output, Plan, Scope, State
from brimgen.output.sink import Sink
from brimgen.output.stage import Stage
from brimgen.settings.load import Settings
from brimgen.source.files import read_files
from brimgen.stages import Stages
from brimgen.syntax.decls import SpecSet
from brimgen.unswept import unswept

_NOTHING = Report((), ())


@unswept()
def build_among(
    settings: Settings,
    old: Baseline,
    others: bytes,
    changed: frozenset[str],
    stamp: Any,
    stage: Stage,
) -> Way:
    """Build what rests on files that ``changed``, came or went; what is new is staged then.

    Raises `Doubt` and `OSError`.
    """
    reach = reach_of(old, read_others(others), changed)
    return _Run(settings, old, reach).way(stamp, stage)


class _Run:
    """One build, held against the baseline step by step."""

    def __init__(self, settings: Settings, old: Baseline, reach: Reach) -> None:
        self._settings, self._old, self._reach = settings, old, reach
        stages = pipeline.real_stages(settings)
        self._chosen = pipeline.choose_emitters(settings, stages.emitters)
        self._promises = promises_of(self._chosen)
        self._lists: dict[str, Parts] = {}
        self._made, self._emit = self._judged(stages)

    def _judged(self, stages: Stages) -> tuple[pipeline.Build, Emit]:
        """Every stage up to the gate, with the other tools beside the catalog."""

        def resolve(specs: SpecSet, project: Project, found: Diagnostics) -> Catalog:
            catalog = stages.resolve(specs, project, found)
            if found.has_errors or catalog.bundles:
                raise Doubt
            beside = tuple(each.tool() for each in self._reach.beside)
            return self._held(replace(catalog, beside=beside))

        read = partial(read_files, but=self._reach.left)
        made, emit = pipeline.prepare(
            self._settings, replace(stages, read_files=read, resolve=resolve)
        )
        if made.found.has_errors or (made.lock is not None and made.lock.is_stale):
            raise Doubt
        return made, emit

    def _held(self, catalog: Catalog) -> Catalog:
        """Doubt where what is left out could see a difference."""
        hold_names(catalog, self._old, self._reach)
        if not are_distinct(catalog.everyone):
            raise Doubt
        # Whether one is idle may depend on a tool that is left out.
        if any(not each.subject.is_tool for each in catalog.waivers):
            raise Doubt
        for promise in self._promises.values():
            if promise is None or (promise.is_whole and promise.is_whole(catalog)):
                raise Doubt
        return catalog

    def way(self, stamp: Any, stage: Stage) -> Way:
        """Hand all files to the stage, and say what there is to do. Raises `Doubt`, `OSError`."""
        made = self._made
        told = told_now(self._old.told, made.found, made.catalog, self._reach)
        sink, plan = self._planned(stamp, stage)
        sources = shown(made, told.found, self._settings)
        after, others = self._left(sink.files)
        return Way(
            build=replace(made, found=told.found, sources=sources),
            kept=told.kept,
            plan=plan,
            files=tuple(each for each in sink.files if each.path in plan.puts),
            next=after,
            others=others,
        )

    def _planned(self, stamp: Any, stage: Stage) -> tuple[Sink, Plan]:
        scope = Scope(version=__version__)
        found = Diagnostics()
        comparison = Comparison(self._settings.out, scope=scope, found=found)
        sink = Sink(comparison, stage=stage)
        self._emit(self._taking(sink))
        made = {each.path for each in sink.files}
        for path, entry in comparison.recorded.items():
            if path in made:
                continue
            if not self._reach.left.isdisjoint(entry.sources):
                folder, _, name = path.rpartition("/")
                known = stamp[7][folder][name]
                rest = entry.target, entry.sources, known[1], entry.sha256
                sink.files.append(File(path, *rest, State.SAME, None, known))
            elif not entry.sources:
                raise Doubt  # it may rest on a tool that was left out
        plan = sink.plan()
        if len(found) or plan.kept or plan.interrupted:
            raise Doubt
        return sink, plan

    def _taking(self, sink: Sink) -> Callable[[Output], None]:
        def take(output: Output) -> None:
            if not self._reach.left.isdisjoint(output.sources):
                raise Doubt
            promise = self._promises.get(output.target, LEDGER)
            if promise and not output.sources and may_list(output.path, promise):
                parts = parts_of(output.path, output.data, promise)
                if parts is None:
                    raise Doubt
                output = self._with_others(output, parts)
            sink(output)

        return take

    def _with_others(self, made: Output, parts: Parts) -> Output:
        """A list with the parts of tools that were left out, as they stand there."""
        path, known = made.path, self._old.lists.get(made.path)
        beside = {each.name for each in self._reach.beside}
        if known is None:
            raise Doubt  # it may have been called otherwise, and hold tools left out
        if beside.isdisjoint(known):
            self._lists[path] = parts
            return made
        old = (self._settings.out / path).read_bytes()
        listed = changed_list(
            path, Listed(old, known), Listed(made.data, parts), beside
        )
        if listed is None:
            raise Doubt
        self._lists[path] = listed.parts
        return replace(made, data=listed.data)

    def _left(self, files: list[File]) -> tuple[Baseline, Others]:
        """The next baseline, but for what it tells, and what is told of tools then."""
        made, old = self._made, self._old
        catalog = replace(made.catalog, tools=made.catalog.everyone, beside=())
        faces = faces_of(made.catalog, self._chosen)
        after = make_baseline(
            catalog,
            made.sources,
            files,
            self._chosen,
            _NOTHING,
            lists=self._lists,
            faces={
                each.name: faces.get(each.name) or old.faces[each.name]
                for each in catalog.tools
            },
        )
        if after is None or not self._reach.left <= after.homes.keys():
            raise Doubt
        new = others_of(made.catalog, made.sources, after.homes)
        told = {each.name: each for each in self._reach.beside} | {**new.told}
        return after, Others(dict(sorted(told.items())), new.rests)
