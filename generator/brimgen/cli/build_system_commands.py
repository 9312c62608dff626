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
    help="A spec file with entities and the like, which SPEC may name; may be repeated. "
    "[default: the whole folder of specs is read]",
)


@click.command()
@click.argument("specs_of_interest", metavar="[SPEC]...", nargs=-1, type=_FILE)
@_beside_option
@click.option(
    "--catalog", is_flag=True, help="The files that no spec has alone, instead."
)
@click.option(
    "--depfile",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write down what the files rest on, for Ninja and make.",
)
@project_options
def action(
    settings: Settings,
    specs_of_interest: tuple[Path, ...],
    beside: tuple[Path, ...],
    catalog: bool,
    depfile: Path | None,
) -> int:
    """Make only the files that rest on SPEC: an action of Ninja, Bazel and the like.

    \b
    `brimgen outputs --alone SPEC` tells which files they are, and
    `outputs --catalog` those of `action --catalog`. There is no manifest, and
    nothing is removed: the engine knows what is whose.
    """
    from brimgen.cli.action import ConnectionDrivers, run_action

    if catalog == bool(specs_of_interest):
        raise click.UsageError("Give specs, or --catalog.")
    wanted = ConnectionDrivers(
        specs=specs_of_interest, beside=beside or None, depfile=depfile
    )
    return run_action(settings, wanted)


@click.command()
@click.argument("asked", metavar="[SPEC|TOOL]...", nargs=-1)
@click.option("--all", "all_", is_flag=True, help="Those that rest on all specs, too.")
@click.option("--alone", is_flag=True, help="Exactly what `action SPEC` makes.")
@click.option(
    "--catalog", is_flag=True, help="Exactly what `action --catalog` makes, instead."
)
@_beside_option
@project_options
def outputs(
    settings: Settings,
    asked: tuple[str, ...],
    all_: bool,
    alone: bool,
    catalog: bool,
    beside: tuple[Path, ...],
) -> int:
    """Print the generated files that rest on spec files, or on tools by name, one a line.

    \b
    With `--all` those that rest on all specs follow: lists of tools, what the
    package carries, the manifest. To declare the outputs of an action, ask
    with `--alone` (and the `--with` of the action) or `--catalog`.
    """
    if catalog == bool(asked) or (catalog and (alone or beside)):
        raise click.UsageError("Give specs, or --catalog.")
    if all_ and (alone or catalog):
        raise click.UsageError("--all is for people; engines ask for one or the other.")
    if beside and not alone:
        raise click.UsageError("--with is for --alone.")
    if alone or catalog:
        from brimgen.cli.action import ConnectionDrivers, print_outputs_of_action

        context = click.get_current_context()
        specs = [_FILE.convert(each, None, context) for each in asked]
        wanted = ConnectionDrivers(
            specs=[Path(each) for each in specs], beside=beside or None
        )
        return print_outputs_of_action(settings, wanted)
    from brimgen.cli.outputs import print_outputs

    return print_outputs(settings, asked, all_=all_)


@click.command()
@project_options
def watch(settings: Settings) -> None:
    """Generate now and whenever a spec is saved; tell what is wrong as it comes and goes.

    \b
    Needs the extra `watch`. Ends with Ctrl-C.
    """
    from brimgen.cli.watch import watch as keep_watching

    given = click.get_current_context().params
    keep_watching(settings, lambda: sound_settings(given))
