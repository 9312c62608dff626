"""Stages with a tiny language, so that the pipeline and the command are tested on their own.

A document ``{name: a, text: x}`` makes ``python/a.py`` and ``sql/a.sql``; ``wrong: …`` is an
error at its place, ``doubtful: …`` a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.diagnostics import Diagnostics, Severity
from brimgen.emit.artifact import Artifact, Emitter
from brimgen.model.catalog import Catalog
from brimgen.model.project import Project
from brimgen.model.targets import Target
from brimgen.source.compose import compose
from brimgen.source.document import Document
from brimgen.source.files import read_files
from brimgen.stages import Stages
from brimgen.syntax.decls import SpecSet
from support.made_rules import made_rule

WRONG = made_rule("X001 wrong", "`{name}` is wrong", "Make it right.")
REFUSED = made_rule("X002 refused", "SQL cannot say `{name}`", "Say it otherwise.")
DOUBTFUL = made_rule(
    "X003 doubtful", "`{name}` is doubtful", "Think again.", Severity.WARNING
)


class TinyStages:
    """The stages, and how often each target was emitted."""

    def __init__(self) -> None:
        self.emitted: list[str] = []
        self._documents: Sequence[Document] = ()

    def stages(self) -> Stages:
        """The stages as the pipeline takes them."""
        return Stages(
            read_files=read_files,
            compose=compose,
            parse=self._parse,
            resolve=self._resolve,
            emitters=(
                self._emitter("python", "py"),
                self._emitter("sql", "sql"),
                self._emitter("extra", "txt", default=False),
            ),
        )

    def _parse(
        self, documents: Iterable[Document], diagnostics: Diagnostics
    ) -> SpecSet:
        self._documents = tuple(documents)
        return SpecSet()

    def _resolve(
        self, specs: SpecSet, project: Project, diagnostics: Diagnostics
    ) -> Catalog:
        for document in self._documents:
            for rule in (WRONG, DOUBTFUL):
                if entry := document.root.entry(rule.reason):
                    diagnostics.add(
                        rule, entry.key.span, name=self._value(document, "name")
                    )
        return Catalog(project, {}, {}, ())

    def _emitter(self, name: str, suffix: str, default: bool = True) -> Emitter:
        def check(catalog: Catalog, diagnostics: Diagnostics) -> None:
            for document in self._documents:
                if name == "sql" and (entry := document.root.entry("refused")):
                    diagnostics.add(REFUSED, entry.key.span, name=entry.key.text)

        def emit(catalog: Catalog) -> tuple[Artifact, ...]:
            self.emitted.append(name)
            return tuple(
                Artifact(
                    f"{name}/{self._value(each, 'name')}.{suffix}",
                    f"{catalog.project.package}_{self._value(each, 'text')}\n",
                    (each.file.name,),
                )
                for each in self._documents
            )

        return Emitter(Target(name, f"Files for {name}", "", default), check, emit)

    def _value(self, document: Document, key: str) -> str:
        return getattr(document.root.get(key), "text", "")
