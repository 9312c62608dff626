"""Print the specs that `brimgen import` makes, and what it refuses to stderr."""

from __future__ import annotations

from pathlib import Path

import click

from brimgen.cli.report import SOUND, SPEC_ERRORS, write_diagnostics
from brimgen.cli.stdout import print_text


def import_file(
    file: Path,
    format: str | None,
    only: tuple[str, ...] = (),
    server: str | None = None,
    hosts: tuple[str, ...] = (),
    colour: str = "auto",
) -> int:
    """Print every spec of ``file`` (a folder: of a tool store) that can be imported.

    Of its tools those that ``only`` names, where it names some; ``server`` is what they call, and
    ``hosts`` are those that they may call. ``colour`` is what ``--color`` says of the diagnostics.
    Return the exit code.
    """
    from brimgen.diagnostics import Diagnostics
    from brimgen.importers import import_store, import_tools, is_server
    from brimgen.source.document import SourceFile

    if format is not None:
        _check_format(format)
    if server is not None and not is_server(server):
        raise click.BadParameter(
            f"{server!r} is no URL of a server, such as 'https://api.example.com/v1'.",
            param_hint="'--server'",
        )
    diagnostics = Diagnostics()
    if file.is_dir():
        texts = {path: _text_of(file / path) for path in _json_files(file)}
        name = file.as_posix()
        files = {f"{name}/{path}": text for path, text in texts.items()}
        documents = import_store(name, texts, diagnostics, only=only, hosts=hosts)
    else:
        name = "<stdin>" if str(file) == "-" else str(file)
        files = {name: _text_of(file)}
        documents = import_tools(
            name,
            files[name],
            diagnostics,
            format=format,
            only=only,
            server=server,
            hosts=hosts,
        )
    print_text("---\n".join(documents))
    sources = {name: SourceFile(name, name, text) for name, text in files.items()}
    write_diagnostics(diagnostics, sources=sources, format="full", colour=colour)
    return SPEC_ERRORS if diagnostics.has_errors else SOUND


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
