"""The commands of brimgen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from brimgen import __version__
from brimgen.cli.build_system_commands import action, outputs, watch
from brimgen.cli.depfile import inputs_of, write_depfile
from brimgen.cli.fingerprints import asked_now, record, recorder
from brimgen.cli.generate import generated
from brimgen.cli.help_sections import Sections
from brimgen.cli.info_commands import completion, explain, schema, targets, templates
from brimgen.cli.options import color_option, project_options
from brimgen.cli.progress import following
from brimgen.cli.report import DRIFT, SOUND, SPEC_ERRORS, report_build, say
from brimgen.cli.stdout import print_text
from brimgen.cli.summary import up_to_date
from brimgen.cli.verify import verify_project
from brimgen.frozen import replace

if TYPE_CHECKING:
    from brimgen.built import Result
    from brimgen.settings.load import Settings

__all__ = ["brimgen"]


@click.group(cls=Sections, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="brimgen", message="%(prog)s %(version)s")
def brimgen() -> None:
    """Generate typed Python, JSON Schema, SQL bindings and tool descriptors from tool specs.

    In an empty folder: `brimgen init`, `brimgen generate`. `brimgen COMMAND --help` tells more.

    \b
    Exit codes:
      0  sound
      1  the specs have errors
      2  usage
      3  the generated files are not what the specs say
     70  a bug in brimgen
     74  a disk, memory or a stream to be written failed
    130  interrupted
    """


_FILE = click.Path(dir_okay=False, path_type=Path)
brimgen.add_command(action)
brimgen.add_command(outputs)
brimgen.add_command(watch)
brimgen.add_command(completion)
brimgen.add_command(explain)
brimgen.add_command(schema)
brimgen.add_command(targets)
brimgen.add_command(templates)


@brimgen.command()
@click.option("--force", is_flag=True, help="Replace what was edited by hand, too.")
@click.option(
    "--adopt",
    is_flag=True,
    help="Generate into a folder that has files of others; they are kept.",
)
@click.option("--depfile", type=_FILE, help="Write down which files were read.")
@click.option("--verify", "verifies", is_flag=True, help="First do what `verify` does.")
@project_options
def generate(
    settings: Settings,
    force: bool,
    adopt: bool,
    depfile: Path | None,
    verifies: bool,
) -> int:
    """Make the output folder what the specs say; with any error, change nothing."""
    from brimgen.output.paths import MANIFEST_NAME

    if verifies and (code := verify_project(settings, goes_on=True)) != SOUND:
        return code

    def describe(result: Result) -> None:
        if depfile is not None:
            made = settings.out / MANIFEST_NAME
            write_depfile(depfile, made, inputs_of(result.build, settings))

    return generated(settings, asked_now(), force=force, adopt=adopt, also=describe)


@brimgen.command()
@project_options
def verify(settings: Settings) -> int:
    """Show that all artifacts agree: ask each about calls at the edges; write nothing.

    \b
    JSON Schema (by a validator that is not ours), decoders, descriptors, SQL
    bindings and HTTP requests of every tool; what a descriptor cannot say must
    stand in the ledger. Generated Python is held against black, too.

    \b
    Exit codes: 0 what is shown agrees, 1 the specs have errors, 2 the target
    python or json_schema is off, 70 two artifacts differ: a bug in brimgen.
    """
    return verify_project(settings)


@brimgen.command()
@project_options
def check(settings: Settings) -> int:
    """Tell whether the output folder is what the specs say; write nothing."""
    from brimgen import pipeline

    recording = recorder(settings, asked_now())
    with following(settings) as stages:
        result = pipeline.check(settings, stages, memo=True)
    report_build(result.build, settings)
    if result.plan is None:
        return SPEC_ERRORS
    if result.is_clean:
        say(up_to_date(len(result.plan.states)), settings)
        record(recording, result, settings)
        return SOUND
    say("the generated files are not what the specs say", settings)
    return DRIFT


@brimgen.command()
@project_options
def lint(settings: Settings) -> int:
    """Tell what models will have trouble with, `info` included; write nothing.

    \b
    Exit code 1 also where lint warns, so that CI can insist.
    """
    from brimgen import pipeline
    from brimgen.cli.report import has_warnings

    with following(settings) as stages:
        found = pipeline.lint(settings, stages)
    if settings.lint.retired:
        from brimgen.cli.breaking import report_retired_tools  # few projects retire any

        report_retired_tools(found, settings)
    report_build(found, settings)
    if has_warnings(found):
        return SPEC_ERRORS
    if not found.found:
        say("nothing to mend", settings)
    return SOUND


@brimgen.command()
@click.option("--force", is_flag=True, help="Show what `generate --force` would do.")
@project_options
def diff(settings: Settings, force: bool) -> int:
    """Print what `generate` would change, as a patch; write nothing.

    What breaks callers of the tools as they are in the output folder is told as well; the
    warnings of the specs are left to `generate` and `check`. The sums in manifest.json, which
    change with every file, are left out.
    """
    from brimgen import pipeline
    from brimgen.cli.breaking import compare_contracts
    from brimgen.contract.tree_files import of_folder
    from brimgen.diagnostics import Diagnostics
    from brimgen.output.drift import patch
    from brimgen.output.paths import MANIFEST_NAME

    with following(settings) as stages:
        result = pipeline.compare(settings, force=force, keep=True, stages=stages)
    if result.plan is None:
        report_build(result.build, settings)
        return SPEC_ERRORS
    made = replace(result.build, found=Diagnostics())
    compare_contracts(made, settings, of_folder(settings.out))
    report_build(made, settings)
    print_text("".join(patch(result.plan)))
    if MANIFEST_NAME in result.plan.puts:
        say(f"{MANIFEST_NAME} changes, too; the patch leaves it out", settings)
    if not result.is_clean:
        return DRIFT
    say(up_to_date(len(result.plan.states)), settings)
    return SOUND


@brimgen.command()
@click.option(
    "--against",
    metavar="COMMIT|DIR",
    default="HEAD",
    show_default=True,
    help="What was published: a commit, branch or tag with the output folder in it, or a folder.",
)
@project_options
def breaking(settings: Settings, against: str) -> int:
    """Tell which tools break for those who were told of them, as a table; write nothing.

    \b
    Exit code 1 where a change breaks a caller or a reader of results and no
    `x-lint-ignore` in the spec approves it.
    """
    from brimgen import pipeline
    from brimgen.cli.breaking import compare_contracts, read_earlier_tree
    from brimgen.contract.markdown import table

    if not settings.makes("json_schema"):
        problem = "the target json_schema is off: no schema is published to compare."
        raise click.UsageError(problem)
    earlier = read_earlier_tree(settings, against)
    with following(settings) as stages:
        made = pipeline.build(settings, stages)
    changes, unapproved = compare_contracts(made, settings, earlier)
    report_build(made, settings)
    if made.outputs is None:
        return SPEC_ERRORS
    for line in table(changes, unapproved):
        print_text(f"{line}\n")
    return SPEC_ERRORS if unapproved else SOUND


@brimgen.command()
@project_options
def tokens(settings: Settings) -> int:
    """Tell about how many tokens each descriptor takes of a request, and each set."""
    from brimgen import pipeline
    from brimgen.cli.token_table import table

    with following(settings) as stages:
        made, found = pipeline.weigh(settings, stages)
    report_build(made, settings)
    if made.found.has_errors:
        return SPEC_ERRORS
    for line in table(found):
        print_text(f"{line}\n")
    return SOUND


@brimgen.command("import")
@click.argument("file", type=click.File("rb"))
@click.option("--as", "format_", metavar="FORMAT", help="What the file is.")
@click.option(
    "--only",
    metavar="NAME",
    multiple=True,
    help="Only this tool (* stands for any text), and what it needs; may be repeated.",
)
@click.option(
    "--server",
    metavar="URL",
    help="What the tools of an API call, in the place of the servers that it names.",
)
@color_option
def import_(
    file: BinaryIO,
    format_: str | None,
    only: tuple[str, ...],
    server: str | None,
    colour: str,
) -> int:
    """Print what a file of another system says (- is stdin) as specs.

    \b
    Formats of tools: toolspec, commands (available_commands), mcp (tools/list),
    openai, anthropic, tool_json and bundle_json (slugs and versions).
    Of whole files: openapi (JSON or YAML), json_schema, python (dataclasses and
    TypedDicts; the file is read, not run).
    What cannot be said is refused with a reason, and exit code 1.
    """
    from brimgen.cli.imports import import_file

    return import_file(file, format_, only, server, colour)


@brimgen.command()
@click.argument("folder", default=".", type=click.Path(file_okay=False, path_type=Path))
def init(folder: Path) -> int:
    """Start a small working project in FOLDER, by default this one; overwrite nothing."""
    from brimgen.cli.init import start_project

    start_project(folder)
    return SOUND
