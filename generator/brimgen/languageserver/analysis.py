"""Analyse the specs of a project, with the texts that an editor has not saved yet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from brimgen import api
from brimgen.diagnostics import Diagnostic, Diagnostics, Span
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Tool
from brimgen.settings.load import Settings
from brimgen.source.compose import divide
from brimgen.source.document import SourceFile
from brimgen.source.files import SUFFIXES


@dataclass(frozen=True, slots=True)
class Region:
    """One spec of a file: its lines from ``first`` up to and with ``last``, counted from 1.

    Its YAML ends with the line ``last_of_yaml``; a statement or template may follow.
    """

    first: int
    last: int
    last_of_yaml: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of one run: the catalog of all valid specs, and every diagnostic.

    ``tools`` are all tools by name; one that is broken now is the last valid version.
    """

    settings: Settings
    catalog: Catalog
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    tools: Mapping[str, Tool]

    def is_spec(self, path: Path) -> bool:
        """Whether a file, which may be new, is a spec."""
        is_one = path.name.casefold().endswith(SUFFIXES)
        return is_one and self.settings.specs in path.parents

    def source_at(self, path: Path) -> SourceFile | None:
        """The spec file that lies at ``path``."""
        sources = (
            source for source in self.sources.values() if Path(source.path) == path
        )
        return next(sources, None)

    def tool_in(self, file: str, region: Region) -> Tool | None:
        """The tool that a region declares."""
        for tool in self.catalog.tools:
            if tool.span.file == file and region.first <= tool.span.line <= region.last:
                return tool
        return None

    def place_of(self, span: Span) -> Path | None:
        """The file of a span; None for what brimgen itself declares."""
        source = self.sources.get(span.file)
        return None if source is None else Path(source.path)


def analyse(
    settings: Settings, unsaved: Mapping[Path, str], before: Analysis | None = None
) -> Analysis:
    """Run all stages that report, with the texts of ``unsaved`` in place of the files there.

    ``before`` is the analysis of a moment ago.
    """
    stages = api.real_stages(settings)

    def read_files(root: Path, diagnostics: Diagnostics) -> tuple[SourceFile, ...]:
        return tuple(
            (
                replace(read_file, text=unsaved[Path(read_file.path)])
                if Path(read_file.path) in unsaved
                else read_file
            )
            for read_file in stages.read_files(root, diagnostics)
        )

    build = api.lint(settings, replace(stages, read_files=read_files))
    return Analysis(
        settings,
        build.catalog,
        tuple(build.diagnostics),
        {source.name: source for source in build.sources},
        {
            **(before.tools if before else {}),
            **{tool.name: tool for tool in build.catalog.tools},
        },
    )


def region_at(name: str, text: str, line: int) -> Region:
    """The spec of a file that the ``line`` (from 1) is in."""
    lines = text.split("\n")
    if name.casefold().endswith((".yaml", ".yml")):
        dividers = [
            number
            for number, content in enumerate(lines, 1)
            if content == "---" or content.startswith(("--- ", "---\t"))
        ]
        first = max([divider for divider in dividers if divider <= line], default=1)
        last = min(
            [divider - 1 for divider in dividers if divider > line], default=len(lines)
        )
        return Region(first, last, last)
    parts = divide(SourceFile(name, name, text), Diagnostics())
    if parts is None or parts.metadata is None:
        return Region(1, len(lines), len(lines) if parts is None else 0)
    return Region(1, len(lines), text.count("\n", 0, parts.end))
