"""What `brimgen import` prints: the specs of a file's tools, and what is refused on stderr."""

from __future__ import annotations

from typing import BinaryIO

import click

from brimgen.cli.report import SOUND, SPEC_ERRORS, tell


def import_file(
    file: BinaryIO,
    format: str | None,
    only: tuple[str, ...] = (),
    server: str | None = None,
) -> int:
    """Print every spec of ``file`` that can be imported; answer the exit code.

    Of its tools those that ``only`` names, where it names some; ``server`` is what they call.
    """
    from brimgen.diagnostics import Diagnostics, did_you_mean
    from brimgen.importers import NAMES, import_tools
    from brimgen.source.document import SourceFile

    known = list(NAMES)
    if format is not None and format not in known:
        near = did_you_mean(format, known)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise click.BadParameter(f"there is no format {format!r}.{hint}")
    if server is not None:
        server = _base_url(server)
    name = str(getattr(file, "name", "<stdin>"))
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise click.UsageError(
            f"{name} is not UTF-8 at byte {problem.start}."
        ) from None
    found = Diagnostics()
    documents = import_tools(name, text, found, format=format, only=only, server=server)
    click.echo("---\n".join(documents), nl=False)
    tell(found, sources={name: SourceFile(name, name, text)}, format="full")
    return SPEC_ERRORS if found.has_errors else SOUND


def _base_url(text: str) -> str:
    """The URL that the paths of operations are put behind. Raises BadParameter."""
    from urllib.parse import urlsplit

    from brimgen.model.http import HostPattern

    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    host = HostPattern.parse(parts.netloc)
    if parts.scheme not in ("http", "https") or host is None or host.below:
        raise click.BadParameter(
            f"{text!r} is no URL of a server, such as 'https://api.example.com/v1'."
        )
    if parts.query or parts.fragment:
        raise click.BadParameter("the URL of a server has no `?` and no `#`.")
    return text
