"""Print the specs that `brimgen import` makes, and what it refuses to stderr."""

from __future__ import annotations

from typing import BinaryIO

import click

from brimgen.cli.report import SOUND, SPEC_ERRORS, write_diagnostics
from brimgen.cli.stdout import print_text


def import_file(
    file: BinaryIO,
    format: str | None,
    only: tuple[str, ...] = (),
    server: str | None = None,
    colour: str = "auto",
) -> int:
    """Print every spec of ``file`` that can be imported; answer the exit code.

    Of its tools those that ``only`` names, where it names some; ``server`` is what they call.
    ``colour`` is what ``--color`` says of the findings.
    """
    from brimgen.diagnostics import Diagnostics, did_you_mean
    from brimgen.importers import NAMES, import_tools, is_server
    from brimgen.source.document import SourceFile

    known = list(NAMES)
    if format is not None and format not in known:
        near = did_you_mean(format, known)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        problem = f"there is no format {format!r}.{hint}"
        raise click.BadParameter(problem, param_hint="'--as'")
    if server is not None and not is_server(server):
        raise click.BadParameter(
            f"{server!r} is no URL of a server, such as 'https://api.example.com/v1'.",
            param_hint="'--server'",
        )
    name = str(getattr(file, "name", "<stdin>"))
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.UsageError(
            f"{name} is not UTF-8 at byte {problem.start}."
        ) from None
    diagnostics = Diagnostics()
    documents = import_tools(
        name, text, diagnostics, format=format, only=only, server=server
    )
    print_text("---\n".join(documents))
    sources = {name: SourceFile(name, name, text)}
    write_diagnostics(diagnostics, sources=sources, format="full", colour=colour)
    return SPEC_ERRORS if diagnostics.has_errors else SOUND
