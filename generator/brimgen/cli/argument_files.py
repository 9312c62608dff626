"""Replace ``@file`` arguments by the arguments in those files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click


def expand_argument_files(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with each ``@FILE`` replaced by its lines; ``@@x`` means ``@x``.

    A line is one argument, without quoting; empty lines are skipped. ``@FILE`` within a file is not
    replaced. Raises `click.UsageError` for a file that cannot be read.
    """
    expanded: list[str] = []
    for argument in arguments:
        if argument.startswith("@@"):
            expanded.append(argument[1:])
        elif argument.startswith("@"):
            expanded += _lines(argument[1:])
        else:
            expanded.append(argument)
    return expanded


def _lines(name: str) -> list[str]:
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as problem:
        raise click.UsageError(
            f"Cannot read the arguments in {name!r}: {problem}"
        ) from None
    # `read_text` has made every line end a line feed; a file name may hold any other character.
    return [line for line in text.split("\n") if line]
