"""A share of the spec files in; what one process finds in it and makes of it out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from brimgen import pipeline
from brimgen.built import Emit, Prepared
from brimgen.diagnostics import Diagnostics
from brimgen.emit.artifact import Apart, Artifact, Emitter, Pending
from brimgen.frozen import dataclass, replace
from brimgen.increment.bare import Bare, are_distinct, bare
from brimgen.increment.parts import LEDGER, parts_of
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody
from brimgen.model.project import Project
from brimgen.output.plan import Output
from brimgen.output.sink import Sink
from brimgen.parallel import Doubt
from brimgen.parallel.joined import Held
from brimgen.parallel.shares import Shares
from brimgen.settings.load import Settings
from brimgen.source.document import SourceFile
from brimgen.stages import Stages
from brimgen.syntax.decls import SpecSet

_NO_LIST = Apart()
Meet = Callable[[list[Bare]], list[Bare]]
"""Tells other processes of tools, and returns those of which they tell."""


@dataclass(frozen=True, slots=True)
class Share:
    """What the process ``number`` does: all stages over its share of the ``files``."""

    settings: Settings
    stages: Stages
    files: tuple[SourceFile, ...]
    shares: Shares
    number: int

    @property
    def own(self) -> frozenset[str]:
        """The files that no other process reads."""
        return self.shares.own[self.number]

    @property
    def emitters(self) -> tuple[Emitter, ...]:
        """The targets of this run."""
        return pipeline.choose_emitters(self.settings, self.stages.emitters)

    def judge(self, meet: Meet) -> Prepared:
        """Run every stage up to the gate; the build is sound. Raises `Doubt`."""

        def read(_: Path, found: Diagnostics) -> tuple[SourceFile, ...]:
            files = self.stages.read_files(self.settings.specs, found)
            return self.shares.read_by(self.number, files)

        def resolve(specs: SpecSet, project: Project, found: Diagnostics) -> Catalog:
            catalog = self.stages.resolve(specs, project, found)
            if found.has_errors:
                raise Doubt
            self._hold(catalog)
            return self._beside_others(catalog, meet)

        stages = replace(self.stages, read_files=read, resolve=resolve)
        made, emit = pipeline.prepare(self.settings, stages, wants=self._makes)
        if made.found.has_errors:
            raise Doubt
        return made, emit

    def _hold(self, catalog: Catalog) -> None:
        """Doubt whether the share declares nothing but tools that can be built in it."""
        if catalog.bundles:
            raise Doubt
        for kind in (catalog.entities, catalog.enums, catalog.leaves):
            if any(each.span.file in self.own for each in kind.values()):
                raise Doubt
        for tool in catalog.tools:
            if tool.span.file not in self.own:
                continue
            if isinstance(tool.body, ResourceBody | TemplateBody):
                raise Doubt
            if not self.own.isdisjoint({*tool.sources} - {tool.span.file}):
                raise Doubt

    def _beside_others(self, catalog: Catalog, meet: Meet) -> Catalog:
        """The catalog of the share, with the tools of other processes beside it."""
        own = [bare(each) for each in catalog.tools if each.span.file in self.own]
        others = meet(own)
        catalog = replace(catalog, beside=tuple([each.tool() for each in others]))
        if not are_distinct(catalog.everyone):
            raise Doubt
        for emitter in self.emitters:
            is_whole = emitter.apart and emitter.apart.is_whole
            if is_whole and is_whole(catalog):
                raise Doubt
        return catalog

    def _makes(self, made: Artifact | Pending) -> bool:
        """Whether this process makes a file; what is pending in all of them, the first one does."""
        return self.number == 0 or made.__class__ is Artifact

    def emit(self, emit: Emit, sink: Sink) -> list[Held]:
        """Hand the files that rest on the share alone to ``sink``; return the others."""
        apart = {each.name: each.apart for each in self.emitters}
        held: list[Held] = []

        def take(output: Output) -> None:
            if self.own.isdisjoint(output.sources):
                promise = apart.get(output.target, LEDGER) or _NO_LIST
                parts = parts_of(output.path, output.data, promise)
                held.append((output, parts))
            else:
                sink(output)

        emit(take)
        return held
