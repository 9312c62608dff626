"""Find the types that the schemas of databases give SQL tools, as edits of their specs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from brimgen.built import Build
from brimgen.composing import compose_any
from brimgen.diagnostics import Diagnostics, Severity
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.resolve.index import index_names
from brimgen.resolve.statements.written_types import apply, written_types
from brimgen.source.files import read_files
from brimgen.syntax.documents import parse

if TYPE_CHECKING:
    from brimgen.settings.load import Settings


@dataclass(frozen=True, slots=True)
class InferredTypes:
    """The types to write: new ``texts`` by spec file, and ``what`` is new by tool.

    ``tools`` are the names of all tools; ``build`` holds the diagnostics.
    """

    build: Build
    tools: tuple[str, ...]
    texts: Mapping[Path, str]
    what: Mapping[str, tuple[str, ...]]


def infer_types(settings: Settings, tool: str | None) -> InferredTypes:
    """Return what the schema says of all SQL tools, or of one. Writes nothing.

    Errors of specs are reported; their warnings are left to builds.
    """
    reading_diagnostics, diagnostics = Diagnostics(), Diagnostics()
    sources = settings.reading(read_files)(settings.specs, reading_diagnostics)
    documents = (
        document
        for file in sources
        for document in compose_any(file, reading_diagnostics)
    )
    specs = parse(documents, reading_diagnostics)
    index = index_names(specs, settings.project, reading_diagnostics)
    diagnostics.extend(
        diagnostic
        for diagnostic in reading_diagnostics
        if diagnostic.rule.severity is Severity.ERROR
    )
    texts = {source.path: source.text for source in sources}
    changes: dict[str, tuple[str, ...]] = {}
    # From the last tool of a file to its first one: what is before a tool keeps its place.
    for decl in sorted(index.tools, key=lambda declared: declared.span, reverse=True):
        name = decl.name.value
        if tool not in (None, name):
            continue
        written = written_types(decl, index, settings.project.connections, diagnostics)
        if written.edits:
            texts[decl.file.path] = apply(texts[decl.file.path], written.edits)
            changes[name] = written.what
    return InferredTypes(
        build=Build(
            diagnostics=diagnostics,
            sources=tuple(sources),
            catalog=Catalog(settings.project, {}, {}, ()),
            outputs=None,
        ),
        tools=tuple(decl.name.value for decl in index.tools),
        texts={
            Path(source.path): texts[source.path]
            for source in sources
            if texts[source.path] != source.text
        },
        what=dict(sorted(changes.items())),
    )
