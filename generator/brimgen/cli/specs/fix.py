"""Fix certain mistakes in specs: `check --fix`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from brimgen.cli.console.report import count, relocated, write_text
from brimgen.diagnostics.certain_fixes import Edit, apply_edits, certain_edits
from brimgen.frozen import replace
from brimgen.output.lock_file import replace_file
from brimgen.settings.formats import FOR_PEOPLE

if TYPE_CHECKING:
    from brimgen.settings.load import Settings
    from brimgen.stages import Build

_MOST_ROUNDS = 5
Edits: TypeAlias = Mapping[Path, list[Edit]]


def fix_specs(settings: Settings) -> None:
    """Apply every certain correction to the spec files; everything else in them stays.

    A correction may reveal further mistakes, so this repeats while there are corrections. One that
    does not remove its diagnostic is reverted.
    """
    from brimgen import api

    build = api.build(settings)
    edit_count = 0
    for _ in range(_MOST_ROUNDS):
        edits = _edits(build)
        if not edits:
            break
        before = {path: path.read_bytes() for path in edits}
        _write(before, edits)
        after = api.build(settings)
        useful = _useful(edits, after)
        if useful != edits:
            _write(before, useful)
            after = api.build(settings)
        _print_fixes(build, useful, settings)
        edit_count += sum(map(len, useful.values()))
        build = after
        if not any(useful.values()):
            break
    if settings.format in FOR_PEOPLE:
        write_text(f"brimgen: {count(edit_count, 'correction')} made\n")


def _edits(build: Build) -> Edits:
    """Return the certain edits of each spec file that has some."""
    edits_by_path = {
        Path(source.path): certain_edits(
            [
                diagnostic
                for diagnostic in build.diagnostics
                if diagnostic.span.file == source.name
            ],
            source.text.split("\n"),
        )
        for source in build.sources
    }
    return {path: edits for path, edits in edits_by_path.items() if edits}


def _useful(edits: Edits, after: Build) -> Edits:
    """Return the edits whose diagnostics are gone."""
    remaining = {
        (diagnostic.span.file, diagnostic.span.line, diagnostic.message)
        for diagnostic in after.diagnostics
    }
    return {
        path: [
            edit
            for edit in file_edits
            if (edit.span.file, edit.span.line, edit.diagnostic.message)
            not in remaining
        ]
        for path, file_edits in edits.items()
    }


def _write(before: Mapping[Path, bytes], edits: Edits) -> None:
    """Write the files of ``before`` with their edits. Byte order marks and line ends stay."""
    for path, data in before.items():
        text = data.decode("utf-8")
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        rows = text.removeprefix(mark).splitlines(keepends=True)
        edited = apply_edits(rows, edits[path])
        replace_file(path.resolve(), (mark + "".join(edited)).encode())


def _print_fixes(build: Build, edits: Edits, settings: Settings) -> None:
    """Print what was fixed, at its place."""
    if settings.format not in FOR_PEOPLE:
        return
    for file_edits in edits.values():
        for edit in file_edits:
            [diagnostic] = relocated(
                replace(build, diagnostics=type(build.diagnostics)([edit.diagnostic])),
                settings,
            )
            place = f"{diagnostic.span.file}:{diagnostic.span.line}:{diagnostic.span.column}"
            code = diagnostic.rule.code
            write_text(f"{place}: `{edit.old}` is now `{edit.new}` [{code}]\n")
