"""Print the specs that `brimgen import` makes, and what it refuses to stderr."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import SOUND, SPEC_ERRORS, write_diagnostics
from brimgen.cli.console.stdout import print_text

if TYPE_CHECKING:
    from brimgen.diagnostics import Diagnostics


def import_file(
    file: Path,
    format: str | None,
    only: tuple[str, ...] = (),
    server: str | None = None,
    hosts: tuple[str, ...] = (),
    into: Path | None = None,
    colour: str = "auto",
    tables: tuple[Path, ...] = (),
    dialect: str = "postgres",
) -> int:
    """Print every spec of ``file`` (a folder: of a tool store) that can be imported.

    Of its tools those that ``only`` names, where it names some; ``server`` is what they call, and
    ``hosts`` are those that they may call. With ``into``, specs are written to that folder.
    ``colour`` is what ``--color`` says of the diagnostics. ``tables`` are files of CREATE TABLE
    statements for SQL queries in ``dialect``.
    Return the exit code.
    """
    from brimgen.diagnostics import Diagnostics
    from brimgen.importers import import_tools
    from brimgen.source.document import SourceFile

    if format is not None:
        _check_format(format)
    if server is not None:
        _check_server(server)
    diagnostics, ddl = Diagnostics(), {str(each): _text_of(each) for each in tables}
    files: dict[str, str] = {}
    if file.is_dir():
        documents = _of_store(file, files, only, hosts, diagnostics)
    else:
        name = "<stdin>" if str(file) == "-" else str(file)
        files[name] = _text_of(file)
        documents = import_tools(
            name,
            files[name],
            diagnostics,
            format=format,
            only=only,
            server=server,
            hosts=hosts,
            tables=ddl,
            dialect=dialect,
        )
    _put_out(documents, into, file)
    files |= ddl
    sources = {name: SourceFile(name, name, text) for name, text in files.items()}
    write_diagnostics(diagnostics, sources=sources, format="full", colour=colour)
    return SPEC_ERRORS if diagnostics.has_errors else SOUND


def _put_out(documents: tuple[str, ...], into: Path | None, file: Path) -> None:
    """Print specs, or write them to a folder."""
    if into is None:
        print_text("---\n".join(documents))
        return
    from brimgen.cli.specs.imported_files import write_specs

    write_specs(documents, into, file)


def _of_store(
    folder: Path,
    files: dict[str, str],
    only: tuple[str, ...],
    hosts: tuple[str, ...],
    diagnostics: Diagnostics,
) -> tuple[str, ...]:
    """Return the specs of a tool store; put the text of each of its files into ``files``."""
    from brimgen.importers import import_store

    name = folder.as_posix()
    texts = {path: _text_of(folder / path) for path in _json_files(folder)}
    files |= {f"{name}/{path}": text for path, text in texts.items()}
    return import_store(name, texts, diagnostics, only=only, hosts=hosts)


def _check_server(server: str) -> None:
    """Raise `click.BadParameter` unless ``server`` is the URL of one."""
    from brimgen.importers import is_server

    if not is_server(server):
        raise click.BadParameter(
            f"{server!r} is no URL of a server, such as 'https://api.example.com/v1'.",
            param_hint="'--server'",
        )


def _check_format(format: str) -> None:
    """Raise `click.BadParameter` unless ``format`` is the name of one."""
    from brimgen.diagnostics import did_you_mean
    from brimgen.importers import NAMES

    known = list(NAMES)
    if format not in known:
        near = did_you_mean(format, known)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        problem = f"there is no format {format!r}.{hint}"
        raise click.BadParameter(problem, param_hint="'--as'")


def _json_files(folder: Path) -> list[str]:
    """Return the JSON files of a tool store, relative to its folder: two levels, no hidden ones."""
    return sorted(
        path.relative_to(folder).as_posix()
        for pattern in ("*.json", "*/*.json")
        for path in folder.glob(pattern)
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _text_of(file: Path) -> str:
    with click.open_file(str(file), "rb") as stream:
        data = stream.read()
    try:
        return bytes(data).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.UsageError(
            f"{file} is not UTF-8 at byte {problem.start}."
        ) from None
