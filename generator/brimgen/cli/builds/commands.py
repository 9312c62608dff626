"""Commands for build systems, which decide themselves what to build and when."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.options import project_options, showing_options, sound_settings

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


@click.command()
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
@project_options
def action(
    settings: Settings,
    specs_of_interest: tuple[Path, ...],
    beside: tuple[Path, ...],
    catalog: bool,
    depfile: Path | None,
) -> int:
    """Generate only the files of SPEC, as one action of Ninja, Bazel or another build system.

    \b
    `brimgen outputs --alone SPEC` lists these files, and `outputs --catalog`
    those of `action --catalog`. No manifest is written and no file is removed:
    the build system does that.
    """
    from brimgen.cli.builds.action import ActionRequest, run_action

    if catalog == bool(specs_of_interest):
        raise click.UsageError("Give specs, or --catalog.")
    request = ActionRequest(
        specs=specs_of_interest, beside=beside or None, depfile=depfile
    )
    return run_action(settings, request)


@click.command()
@click.argument("asked", metavar="[SPEC|TOOL]...", nargs=-1)
@click.option(
    "--all", "all_", is_flag=True, help="Also list the files that depend on all specs."
)
@click.option("--alone", is_flag=True, help="List exactly what `action SPEC` makes.")
@click.option(
    "--catalog", is_flag=True, help="List exactly what `action --catalog` makes."
)
@_beside_option
@showing_options
def outputs(
    settings: Settings,
    asked: tuple[str, ...],
    all_: bool,
    alone: bool,
    catalog: bool,
    beside: tuple[Path, ...],
) -> int:
    """List the files that are generated from spec files, or for tools by name, one per line.

    \b
    With `--all`, files that depend on all specs follow: lists of tools, shared
    modules, the manifest. To declare the outputs of an action, use `--alone`
    (with the `--with` of the action) or `--catalog`.
    """
    if catalog == bool(asked) or (catalog and (alone or beside)):
        raise click.UsageError("Give specs, or --catalog.")
    if all_ and (alone or catalog):
        raise click.UsageError("--all is for people; engines ask for one or the other.")
    if beside and not alone:
        raise click.UsageError("--with is for --alone.")
    if alone or catalog:
        from brimgen.cli.builds.action import ActionRequest, print_outputs_of_action

        context = click.get_current_context()
        specs = [_FILE.convert(spec, None, context) for spec in asked]
        request = ActionRequest(
            specs=[Path(spec) for spec in specs], beside=beside or None
        )
        return print_outputs_of_action(settings, request)
    from brimgen.cli.builds.outputs import print_outputs

    return print_outputs(settings, asked, all_=all_)


@click.command()
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
