"""Commands for build systems, which decide themselves what to build and when."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.options import project_options, sound_settings

if TYPE_CHECKING:
    from brimgen.settings.load import Settings

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_beside_option = click.option(
    "--with",
    "beside",
    multiple=True,
    type=_FILE,
    metavar="FILE",
    help="Another spec file that SPEC refers to, such as entities; may be repeated. "
    "[default: read all specs]",
)


@click.command(short_help="Generate the files of some specs.")
@click.argument("specs_of_interest", metavar="[SPEC]...", nargs=-1, type=_FILE)
@_beside_option
@click.option(
    "--catalog", is_flag=True, help="Make the files that depend on all specs instead."
)
@click.option(
    "--depfile",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the names of all files that were read, for make or Ninja.",
)
@click.option(
    "--list",
    "lists",
    is_flag=True,
    help="Write nothing, and print the files that would be made.",
)
@project_options
def action(
    settings: Settings,
    specs_of_interest: tuple[Path, ...],
    beside: tuple[Path, ...],
    catalog: bool,
    depfile: Path | None,
    lists: bool,
) -> int:
    """Generate only the files of SPEC, as one action of Ninja, Bazel or another build system.

    \b
    With `--list` it prints these files, which a build system declares. No
    manifest is written and no file is removed: the build system does that.
    """
    from brimgen.cli.builds.action import ActionRequest, list_files, run_action

    if catalog == bool(specs_of_interest):
        raise click.UsageError("Give specs, or --catalog.")
    request = ActionRequest(
        specs=specs_of_interest, beside=beside or None, depfile=depfile
    )
    return (list_files if lists else run_action)(settings, request)


@click.command(short_help="Generate whenever a spec is saved.")
@project_options
def watch(settings: Settings) -> None:
    """Generate now, and again whenever a spec is saved, until Ctrl-C.

    \b
    Shows new messages, and those that are gone. Needs the extra `watch`:
    pip install 'brimgen[watch]'.
    """
    from brimgen.cli.builds.watch import watch as keep_watching

    parameters = click.get_current_context().params
    keep_watching(settings, lambda: sound_settings(parameters))
