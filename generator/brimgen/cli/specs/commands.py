"""Commands that show or format specs, and generate nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.options import options_without

if TYPE_CHECKING:
    from brimgen.settings.load import Settings


@click.command(short_help="Lay out specs in one style.")
@click.argument(
    "files", metavar="[FILE|FOLDER|-]...", nargs=-1, type=click.Path(path_type=Path)
)
@click.option(
    "--check",
    is_flag=True,
    help="Change nothing: print the names of files that are not in the style (exit code 3).",
)
@click.option(
    "--stdin-name",
    metavar="NAME",
    default="stdin.yaml",
    help="The name of the file on stdin, if it is no YAML: x.sql, x.md.",
)
@options_without("out", "package", "targets")
def fmt(
    settings: Settings, files: tuple[Path, ...], check: bool, stdin_name: str
) -> int:
    """Lay out spec files in one style: those of the project, or FILE (- for stdin to stdout).

    \b
    Comments stay, and every file means the same as before. In .sql and .md files
    only the YAML at the top changes.
    """
    from brimgen.cli.specs.format_specs import format_files, format_stdin

    if Path("-") not in files:
        missing = next((file for file in files if not file.exists()), None)
        if missing is not None:
            raise click.UsageError(f"There is no file {str(missing)!r}.")
        return format_files(settings, files, check=check)
    if len(files) > 1:
        raise click.UsageError("- stands alone.")
    return format_stdin(settings, stdin_name, check=check)


@click.command("list", short_help="List all tools.")
@click.option(
    "--tokens",
    is_flag=True,
    help="Estimate how many tokens each tool takes in a request, and all together.",
)
@options_without("out", "package")
def list_(settings: Settings, tokens: bool) -> int:
    """List all tools: what each takes, gives and does.

    \b
    An argument with a question mark may be left out. With `--format json` the
    list is JSON, for programs.
    """
    from brimgen.cli.specs.tool_list import list_tokens, list_tools

    return (list_tokens if tokens else list_tools)(settings)


@click.command(short_help="Show everything about one tool.")
@click.argument("tool")
@options_without()
def show(settings: Settings, tool: str) -> int:
    """Show one tool: its arguments with their types and limits, the statement or request that it
    runs, what it returns, what each provider is told, and the files that are generated from it.

    \b
    With `--format json` it is printed as JSON, in the form of a tool in
    `brimgen explain --schema view`, with the key `files`.
    """
    from brimgen.cli.specs.tool_list import show_tool

    return show_tool(settings, tool)
