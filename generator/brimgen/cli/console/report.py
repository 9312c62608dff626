"""Print diagnostics to stderr, and choose the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, TextIO

import click

from brimgen import __version__
from brimgen.frozen import replace
from brimgen.settings.colour import has_colour
from brimgen.settings.formats import FOR_PEOPLE, FROM_THE_REPOSITORY
from brimgen.source.files import relative_name

if TYPE_CHECKING:
    from brimgen.api import Build
    from brimgen.diagnostics import Diagnostic, Rule, Severity, Span
    from brimgen.diagnostics.show_report import Source
    from brimgen.output.plan import Plan
    from brimgen.settings.load import Settings

SOUND = 0
SPEC_ERRORS = 1
USAGE = 2
DRIFT = 3
BUG = 70
DISK = 74
INTERRUPTED = 130


def report_build(build: Build, settings: Settings) -> None:
    """Print the diagnostics of a build, with paths relative to the working directory."""
    write_text(describe_build(build, settings))


def report_diagnostics(
    diagnostics: Iterable[Diagnostic], build: Build, settings: Settings
) -> None:
    """Print some diagnostics of a build, which are `relocated` already."""
    write_text(describe_build(build, settings, diagnostics))


def write_text(text: str) -> None:
    """Write a text to stderr; it may contain colours.

    If the reader has gone, the text and all later output are discarded, and the run goes on.
    Raises `OSError` if writing fails for another reason.
    """
    try:
        if text and sys.platform == "win32":
            import click  # it makes colours work in old consoles

            click.echo(text, err=True, nl=False, color=True)
        elif text and sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
    except BrokenPipeError:
        discard_output(sys.stderr)


def is_stderr_read() -> bool:
    """Return whether the reader of stderr is still there, as far as is known."""
    return sys.stderr not in _UNREAD


_UNREAD: set[TextIO] = set()


def discard_output(stream: TextIO | None) -> None:
    """Discard all further output to a stream."""
    if stream is None:
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
    _UNREAD.add(stream)


def relocated(build: Build, settings: Settings) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a build, with paths relative to the working directory."""
    folders = _Folders(settings)
    return tuple(folders.relocate(diagnostic) for diagnostic in build.diagnostics)


def describe_build(
    build: Build, settings: Settings, diagnostics: Iterable[Diagnostic] | None = None
) -> str:
    """Return the text that `report_build` or `report_diagnostics` prints."""
    shown = tuple(relocated(build, settings) if diagnostics is None else diagnostics)
    if not shown and settings.format in FOR_PEOPLE:
        return ""
    folders = _Folders(settings)
    sources: dict[str, Source] = {
        folders.of_spec(source.name): source for source in build.sources
    }
    sources |= {folders.of_spec(schema.name): schema for schema in settings.schemas}
    if settings.templates is not None:
        files = settings.templates.files.values()
        sources |= {folders.of_spec(template.path): template for template in files}
    file = settings.configuration
    if file is not None:
        sources[_seen_from(_base(settings.format), file.name)] = file
    imported = {
        folders.of_spec(name): origin for name, origin in build.catalog.imported.items()
    }
    quiet = shown if settings.format != "full" else _few_of_imported(shown, imported)
    text = _write_report(
        quiet, sources=sources, format=settings.format, colour=settings.colour
    )
    if settings.format == "full":
        text += _about_imported(shown, len(shown) - len(quiet), imported)
    return text


MOST_OF_IMPORTED = 5
"""How many warnings about imported specs are printed: nobody here wrote them."""


def _few_of_imported(
    diagnostics: tuple[Diagnostic, ...], imported: Mapping[str, str]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics without all but the first warnings about imported specs."""
    kept: list[Diagnostic] = []
    count = 0
    for diagnostic in diagnostics:
        if diagnostic.rule.severity != "error" and diagnostic.span.file in imported:
            count += 1
            if count > MOST_OF_IMPORTED:
                continue
        kept.append(diagnostic)
    return tuple(kept)


def _about_imported(
    diagnostics: Iterable[Diagnostic], left: int, imported: Mapping[str, str]
) -> str:
    """What is told below the diagnostics of imported specs: what is not shown, and the way out."""
    text = ""
    if left:
        more, listed = count(left, "more warning"), "`--format concise` lists them all"
        text = f"brimgen: {more} about imported specs; {listed}\n"
    wrong = {
        diagnostic.span.file
        for diagnostic in diagnostics
        if diagnostic.rule.severity == "error" and diagnostic.span.file in imported
    }
    for file in sorted(wrong):
        origin, removal = imported[file], f"rm {quote(file)}"
        text += f"brimgen: {file} was imported from {origin}; without it: {removal}\n"
    return text


def write_diagnostics(
    diagnostics: Iterable[Diagnostic],
    *,
    sources: Mapping[str, Source],
    format: str,
    colour: str,
) -> str:
    """Write diagnostics to stderr, in the formats for people with a closing count; return them.

    ``colour`` is what ``--color`` says.
    """
    text = _write_report(diagnostics, sources=sources, format=format, colour=colour)
    write_text(text)
    return text


def report_settings(diagnostics: Iterable[Diagnostic], settings: Settings) -> None:
    """Print the diagnostics of ``settings``."""
    base, file = _base(settings.format), settings.configuration
    moved = {
        diagnostic.span.file: _seen_from(base, diagnostic.span.file)
        for diagnostic in diagnostics
    }
    relocated_diagnostics = [
        replace(
            diagnostic, span=diagnostic.span._replace(file=moved[diagnostic.span.file])
        )
        for diagnostic in diagnostics
    ]
    sources = {moved[file.name]: file} if file and file.name in moved else {}
    write_diagnostics(
        relocated_diagnostics,
        sources=sources,
        format=settings.format,
        colour=settings.colour,
    )


def _seen_from(base: Path, name: str) -> str:
    """Return a path relative to ``base``; the name of an option is returned unchanged."""
    if name.startswith("--"):
        return name
    return relative_name(name, base)


def _write_report(
    diagnostics: Iterable[Diagnostic],
    *,
    sources: Mapping[str, Source],
    format: str,
    colour: str,
) -> str:
    """Return a report: for people errors before warnings, for programs in order of place."""
    from brimgen.diagnostics.show import (
        by_severity,
        few_frames,
        helps_once,
        show,
        show_each,
        with_closing_count,
    )

    shown, coloured = tuple(diagnostics), has_colour(colour)
    if format not in FOR_PEOPLE:
        return show(
            shown, format, sources=sources, colour=coloured, version=__version__
        )
    shown = by_severity(shown)
    reports = show_each(shown, format, sources=sources, colour=coloured)
    if format != "full":
        return with_closing_count(reports, _severities(shown), format)
    texts = helps_once(
        reports, [(diagnostic.rule.code, diagnostic.rule.help) for diagnostic in shown]
    )
    lines = show_each(shown, "concise", sources=sources, colour=coloured)
    return _joined_reports(shown, few_frames(shown, texts, lines), colour=coloured)


def _severities(shown: Iterable[Diagnostic]) -> list[Severity]:
    return [diagnostic.rule.severity for diagnostic in shown]


def _joined_reports(
    shown: tuple[Diagnostic, ...], reports: tuple[str, ...], *, colour: bool
) -> str:
    """Return the reports as one text, in which `with_drift` sums up generated files that differ."""
    from brimgen.diagnostics.show import per_file, with_closing_count
    from brimgen.diagnostics.show_drift import STATES

    drifted = tuple(
        diagnostic for diagnostic in shown if diagnostic.rule.reason in STATES
    )
    if len(drifted) < 2:
        return with_closing_count(reports, _severities(shown), "full", per_file(shown))
    from brimgen.diagnostics.show_drift import with_drift

    texts, counted = with_drift(shown, reports, colour=colour)
    files = per_file(
        [diagnostic for diagnostic in shown if diagnostic.rule.reason not in STATES]
    )
    return with_closing_count(texts, _severities(counted), "full", files)


def has_warnings(build: Build) -> bool:
    """Return whether a build has errors or warnings."""
    from brimgen.diagnostics import Severity

    return any(
        diagnostic.rule.severity is not Severity.INFO
        for diagnostic in build.diagnostics
    )


def is_error(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic stops a build."""
    from brimgen.diagnostics import Severity

    return diagnostic.rule.severity is Severity.ERROR


def write_summary(text: str, settings: Settings, *, of: Path | None = None) -> None:
    """Print a summary line about the output folder, or about ``of``, in the formats for people."""
    write_text(summary_text(text, settings, of=of))


def summary_text(text: str, settings: Settings, *, of: Path | None = None) -> str:
    """Return the text that `write_summary` prints: empty in the formats that programs read."""
    if settings.format not in FOR_PEOPLE:
        return ""
    return f"brimgen: {relative_name(of or settings.out)}: {text}\n"


def _base(format: str) -> Path:
    """Return the folder that printed paths are relative to: the working directory.

    Services want them from the root of the repository: the nearest folder above with ``.git``.
    """
    current = Path.cwd()
    if format in FROM_THE_REPOSITORY:
        for folder in (current, *current.parents):
            if (folder / ".git").exists():
                return folder
    return current


class _Folders:
    """Converts stable names of files in diagnostics to paths for the reader.

    A stable name begins with the name of its folder. Rules about files on disk name files of the
    output folder, all others spec files.
    """

    def __init__(self, settings: Settings) -> None:
        base = _base(settings.format)
        self._specs = _RelativePaths(settings.specs.parent, base)
        self._out = _RelativePaths(settings.out.parent, base)

    def of_spec(self, name: str) -> str:
        """Return the path of the spec file with a stable name."""
        return self._specs.to(name)

    def relocate(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return a diagnostic with such paths in all its places."""
        paths = self._out if _speaks_of_output(diagnostic.rule) else self._specs
        notes = [
            replace(note, span=_moved(note.span, self._specs))
            for note in diagnostic.notes
        ]
        return replace(
            diagnostic, span=_moved(diagnostic.span, paths), notes=tuple(notes)
        )


def _moved(span: Span, paths: _RelativePaths) -> Span:
    if span.file.startswith("--"):  # what an option of the command line says
        return span
    return span._replace(file=paths.to(span.file))


class _RelativePaths:
    """The paths of files below ``root``, relative to ``base``; that of a folder is found once."""

    def __init__(self, root: Path, base: Path) -> None:
        self._root, self._base = root, base
        self._folders: dict[str, str] = {}

    def to(self, name: str) -> str:
        """Return the path of a file."""
        folder, _, last = name.rpartition("/")
        prefix = self._folders.get(folder)
        if prefix is None:
            path = os.path.relpath(self._root / folder, self._base)
            prefix = "" if path == "." else f"{Path(path).as_posix()}/"
            self._folders[folder] = prefix
        return prefix + last


def _speaks_of_output(rule: Rule) -> bool:
    from brimgen.diagnostics.show_drift import ON_DISK

    return rule.code in ON_DISK


def count(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def done(plan: Plan) -> str:
    """Return the last line of `generate`; the manifest is not counted."""
    written = sum(path in plan.states for path in plan.puts)
    unchanged = len(plan.states) - written - len(plan.removes)
    return _done(written, len(plan.removes), unchanged)


def _done(written: int, removed: int, unchanged: int) -> str:
    return f"{count(written, 'file')} written, {removed} removed, {unchanged} unchanged"


def nothing_done(files: int) -> str:
    """Return the last line of `generate` if there was nothing to do."""
    return _done(0, 0, files)


def up_to_date(files: int) -> str:
    """Return the last line of `check` if there is nothing to report."""
    return f"{count(files, 'file')} as the specs say"


def print_text(text: str) -> None:
    """Write to stdout; discard the text if the reader has gone. Raises `OSError` if writing fails
    for another reason.
    """
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        discard_output(sys.stdout)
