"""Specs in; which generated files rest on them out, for people and for engines of builds."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click

from brimgen.cli.report import SOUND, SPEC_ERRORS, tell_build
from brimgen.settings.load import Settings


def print_outputs(settings: Settings, specs: Iterable[Path]) -> int:
    """Print the generated files that rest on ``specs``, or on every spec; answer the exit code.

    Warnings are left to `generate` and `check`; errors are told.
    """
    from brimgen import pipeline
    from brimgen.output.paths import MANIFEST_NAME

    names = {stable_name(path, settings) for path in specs}
    made = pipeline.build(settings)
    if made.outputs is None:
        tell_build(made, settings)
        return SPEC_ERRORS
    for output in made.outputs:
        if not output.sources or names.intersection(output.sources):
            click.echo(os.path.relpath(settings.out / output.path))
    click.echo(os.path.relpath(settings.out / MANIFEST_NAME))
    return SOUND


def stable_name(path: Path, settings: Settings) -> str:
    """The name by which a spec file is known. Raises `click.BadParameter` for other files."""
    below = os.path.relpath(path.absolute(), settings.specs)
    if below.startswith(".."):
        raise click.BadParameter(f"{path} does not lie in {settings.specs}.")
    return f"{settings.specs.name}/{Path(below).as_posix()}"
