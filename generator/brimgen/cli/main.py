"""The commands of brimgen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen import __version__
from brimgen.cli.builds.commands import action, watch
from brimgen.cli.builds.generate import generate_files, record, recorder
from brimgen.cli.console.progress import showing_progress
from brimgen.cli.console.report import (
    DRIFT,
    SOUND,
    SPEC_ERRORS,
    print_text,
    report_build,
    up_to_date,
    write_summary,
)
from brimgen.cli.info.commands import explain, lsp
from brimgen.cli.options import options_without, project_options
from brimgen.cli.specs.commands import fmt, list_, show
from brimgen.cli.specs.import_command import import_
from brimgen.frozen import replace

if TYPE_CHECKING:
    from brimgen.settings.load import Settings

__all__ = ["brimgen"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="brimgen", message="%(prog)s %(version)s")
def brimgen() -> None:
    """Generate typed Python, JSON Schema, SQL bindings and tool descriptors from tool specs.

    To start in an empty folder: `brimgen init`, then `brimgen generate`. For the options of a
    command: `brimgen COMMAND --help`.

    \b
    Exit codes:
      0  success
      1  the specs have errors
      2  the command line or a setting is wrong
      3  the generated files are out of date
     70  a bug in brimgen
     74  the disk, memory or an output stream failed
    130  interrupted
    """


_FILE = click.Path(dir_okay=False, path_type=Path)
brimgen.add_command(action)
brimgen.add_command(watch)
brimgen.add_command(explain)
brimgen.add_command(import_)
brimgen.add_command(lsp)
brimgen.add_command(fmt)
brimgen.add_command(list_)
brimgen.add_command(show)


@brimgen.command(short_help="Generate all files from the specs.")
@click.option(
    "--force", is_flag=True, help="Also overwrite files that were edited by hand."
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Generate into a folder that holds other files, and keep those.",
)
@click.option(
    "--depfile",
    type=_FILE,
    help="Write the names of all files that were read, for make or Ninja.",
)
@project_options
def generate(
    settings: Settings,
    force: bool,
    adopt: bool,
    depfile: Path | None,
) -> int:
    """Generate all files from the specs. If a spec has an error, nothing is written."""
    return generate_files(settings, force=force, adopt=adopt, depfile=depfile)


@brimgen.command(short_help="Test that generated files agree.")
@options_without("out", "package", judges=True)
def verify(settings: Settings) -> int:
    """Test by calls that all artifacts of a tool agree. Writes nothing.

    \b
    The specs are built in memory. For each tool, calls with boundary values are
    passed to the JSON Schema (with an independent validator), the Python decoder,
    the descriptors of all providers, the SQL bindings and the HTTP requests. Where
    a descriptor accepts or refuses something else, losses.json must say so.

    \b
    Exit codes: 0 all agree, 1 the specs have errors or no valid call of a tool is
    known, 2 the target python or json_schema is off, 70 two artifacts disagree,
    which is a bug in brimgen.
    """
    from brimgen.cli.checks.verify import verify_project

    return verify_project(settings)


@brimgen.command(short_help="Fail if generated files are out of date.")
@click.option(
    "--fix",
    is_flag=True,
    help="First correct misspelt words in the specs where only one word can be meant.",
)
@project_options
def check(settings: Settings, fix: bool) -> int:
    """Fail if the generated files are out of date (exit code 3). Made for CI.

    Writes nothing; with --fix, only corrections of specs.
    """
    from brimgen import api

    if fix:
        from brimgen.cli.specs.fix import fix_specs

        fix_specs(settings)
    recording = recorder(settings)
    with showing_progress(settings) as stages:
        result = api.check(settings, stages)
    report_build(result.build, settings)
    if result.plan is None:
        return SPEC_ERRORS
    if result.is_clean:
        write_summary(up_to_date(len(result.plan.states)), settings)
        record(recording, result, settings)
        return SOUND
    write_summary("the generated files are not what the specs say", settings)
    return DRIFT


@brimgen.command(short_help="Report what confuses models.")
@options_without("out", "package", judges=True)
def lint(settings: Settings) -> int:
    """Report what makes tools hard to use for a model. Writes nothing.

    \b
    Unlike `check`, it also shows notes (`info`), and a warning ends it with exit
    code 1, so that CI can enforce them.
    """
    from brimgen import api
    from brimgen.cli.console.report import has_warnings

    with showing_progress(settings) as stages:
        build = api.lint(settings, stages)
    report_build(build, settings)
    if has_warnings(build):
        return SPEC_ERRORS
    if not build.diagnostics:
        write_summary("nothing to improve", settings, of=settings.specs)
    return SOUND


@brimgen.command(short_help="Show what `generate` would change.")
@click.option(
    "--force", is_flag=True, help="Show what `generate --force` would change."
)
@project_options
def diff(settings: Settings, force: bool) -> int:
    """Print what `generate` would change, as a patch. Writes nothing.

    Changes that break callers of the tools are reported too. Warnings about the specs are not:
    `generate` and `check` show them. The patch leaves out manifest.json, which changes with
    every file.
    """
    from brimgen import api
    from brimgen.cli.checks.breaking import compare_contracts
    from brimgen.contract.published import of_folder
    from brimgen.diagnostics import Diagnostics
    from brimgen.output.drift import patch, report_beside_patch
    from brimgen.output.lock_file import report_stale
    from brimgen.output.paths import MANIFEST_NAME

    with showing_progress(settings) as stages:
        result = api.compare(settings, force=force, stages=stages)
    if result.plan is None:
        report_build(result.build, settings)
        return SPEC_ERRORS
    build = replace(result.build, diagnostics=Diagnostics())
    report_beside_patch(result.plan, build.diagnostics)
    report_stale(build.lock, settings.out, build.diagnostics)
    compare_contracts(build, settings, of_folder(settings.out))
    report_build(build, settings)
    print_text("".join(patch(result.plan)))
    if MANIFEST_NAME in result.plan.puts:
        write_summary(
            f"{MANIFEST_NAME} changes, too; the patch leaves it out", settings
        )
    if not result.is_clean:
        return DRIFT
    write_summary(up_to_date(len(result.plan.states)), settings)
    return SOUND


@brimgen.command(short_help="List changes that break callers.")
@click.option(
    "--against",
    metavar="COMMIT|DIR",
    default="HEAD",
    show_default=True,
    help="The version to compare with: a commit, branch or tag that holds the output folder, or "
    "a folder.",
)
@options_without("targets", judges=True)
def breaking(settings: Settings, against: str) -> int:
    """List the changes of tools since a published version, and whom they break. Writes nothing.

    \b
    Exit code 1 if a change breaks callers, or programs that read results, and no
    `x-lint-ignore` in the spec allows it.
    """
    from brimgen import api
    from brimgen.cli.checks.breaking import compare_contracts, read_earlier_tree
    from brimgen.contract.changes import table

    if not settings.makes("json_schema"):
        problem = "the target json_schema is off: no schema is published to compare."
        raise click.UsageError(problem)
    earlier = read_earlier_tree(settings, against)
    with showing_progress(settings) as stages:
        build = api.build(settings, stages)
    changes, unapproved = compare_contracts(build, settings, earlier)
    report_build(build, settings)
    if build.outputs is None:
        return SPEC_ERRORS
    for line in table(changes, unapproved):
        print_text(f"{line}\n")
    return SPEC_ERRORS if unapproved else SOUND


@brimgen.command(short_help="Create a small working project.")
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--package",
    metavar="NAME",
    help="The name of the Python package (default: agent_tools, or that of the source).",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="Make the specs from a file that `brimgen import` reads, such as an OpenAPI document, or "
    "from an SQLite database (sqlite:///shop.db).",
)
@click.option("--yes", is_flag=True, help="Ask nothing; init never does.")
def init(folder: Path, package: str | None, source: str | None, yes: bool) -> int:
    """Create a small working project in FOLDER (default: this folder). Overwrites nothing."""
    from brimgen.cli.specs.init import start_from, start_project

    del yes
    if source is not None:
        return start_from(folder, source, package)
    start_project(folder, package)
    return SOUND
