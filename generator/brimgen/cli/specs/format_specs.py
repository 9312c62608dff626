"""Format spec files: all of a project, some of them, or a text from stdin."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    count,
    is_error,
    print_text,
    write_diagnostics,
    write_text,
)
from brimgen.diagnostics import Diagnostics
from brimgen.formatting.format_spec import format_spec
from brimgen.formatting.tree import CannotFormat
from brimgen.frozen import replace
from brimgen.output.lock_file import replace_file
from brimgen.settings.formats import FOR_PEOPLE
from brimgen.source.document import SourceFile
from brimgen.source.files import SUFFIXES, read_files, read_named, relative_name

if TYPE_CHECKING:
    from brimgen.settings.load import Settings


def format_stdin(settings: Settings, name: str, *, check: bool = False) -> int:
    """Print the text of stdin formatted; ``name`` determines the kind of file.

    With ``check``, only the name is printed, if the text is not formatted.
    """
    read = sys.stdin.buffer.read() if sys.stdin is not None else b""
    diagnostics = Diagnostics()
    source = SourceFile(name, name, _text(read))
    formatted = _format(source, diagnostics)
    _report(diagnostics, [source], settings)
    if formatted is None:
        return SPEC_ERRORS
    if not check:
        print_text(formatted)
        return SOUND
    if formatted == source.text:
        return SOUND
    print_text(f"{name}\n")
    return DRIFT


def format_files(
    settings: Settings, asked: Sequence[Path], *, check: bool = False
) -> int:
    """Format spec files; with ``check``, only print the names of unformatted ones."""
    diagnostics = Diagnostics()
    sources = [
        source
        for path in asked or [settings.specs]
        for source in _sources(path, diagnostics)
    ]
    broken = {
        diagnostic.span.file for diagnostic in diagnostics if is_error(diagnostic)
    }
    changed: list[str] = []
    for source in sources:
        formatted = None if source.name in broken else _format(source, diagnostics)
        path, data = Path(source.path), (formatted or "").encode()
        if formatted is None or data == path.read_bytes():
            continue
        changed.append(source.name)
        if check:
            print_text(f"{source.name}\n")
        else:
            replace_file(path.resolve(), data)
    _report(diagnostics, sources, settings)
    if settings.format in FOR_PEOPLE:
        verb = "to format" if check else "formatted"
        unchanged = len(sources) - len(changed)
        write_text(
            f"brimgen: {count(len(changed), 'file')} {verb}, {unchanged} as they are\n"
        )
    if diagnostics.has_errors:
        return SPEC_ERRORS
    return DRIFT if check and changed else SOUND


def _sources(path: Path, diagnostics: Diagnostics) -> Iterator[SourceFile]:
    """Yield the spec file at ``path``, or those of a folder; names are relative to the cwd."""
    path, read = path.absolute(), Diagnostics()
    root = path if path.is_dir() else path.parent
    if root == path:
        sources = read_files(path, read)
    elif path.name.casefold().endswith(SUFFIXES):
        sources = read_named(root, [f"{root.name}/{path.name}"], read)
    else:
        problem = f"{path.name} is no spec file: none of {', '.join(SUFFIXES)}."
        raise click.BadParameter(problem, param_hint="'FILE'")

    def seen(name: str) -> str:
        return relative_name(root.parent / name)

    for diagnostic in read:
        span = diagnostic.span._replace(file=seen(diagnostic.span.file))
        diagnostics.extend([replace(diagnostic, span=span)])
    for source in sources:
        yield replace(source, name=seen(source.name))


def _text(data: bytes) -> str:
    """Return the text of stdin, with ``\\n`` line ends. Raises `click.UsageError`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.UsageError("stdin is not UTF-8.") from problem
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _format(source: SourceFile, diagnostics: Diagnostics) -> str | None:
    """Return the formatted text of a file; an unsupported form of YAML is reported and kept."""
    try:
        return format_spec(source, diagnostics)
    except CannotFormat as problem:
        write_text(f"brimgen: {source.name}: left as it is, because {problem}\n")
        return source.text


def _report(
    diagnostics: Diagnostics, sources: Sequence[SourceFile], settings: Settings
) -> None:
    write_diagnostics(
        diagnostics,
        sources={source.name: source for source in sources},
        format=settings.format,
        colour=settings.colour,
    )
