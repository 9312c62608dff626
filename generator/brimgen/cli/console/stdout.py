"""Print the result of a command to stdout, as long as the reader is there."""

from __future__ import annotations

import sys

import click

from brimgen.cli.console.report import discard_output


def print_text(text: str) -> None:
    """Write to stdout; discard the text if the reader has gone. Raises `OSError` if writing fails
    for another reason.
    """
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        discard_output(sys.stdout)
