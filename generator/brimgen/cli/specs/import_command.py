"""The command `brimgen import`: its arguments and its help."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from brimgen.cli.options import color_option
from brimgen.cli.specs.live_server import is_named


class _Source(click.Path):
    """A file, a folder, ``-``, or an object of a module: ``app:mcp``."""

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        """Return the path. Raises `click.BadParameter` where nothing is there."""
        if is_named(Path(value)):
            return Path(value)
        return super().convert(value, param, ctx)


@click.command("import", short_help="Convert tools of other formats to specs.")
@click.argument("file", type=_Source(path_type=Path, exists=True, allow_dash=True))
@click.option(
    "--as",
    "format",
    metavar="FORMAT",
    help="The format of the file, if it cannot be recognized.",
)
@click.option(
    "--only",
    metavar="NAME",
    multiple=True,
    help="Import only this tool and what it needs (* matches any text); may be repeated.",
)
@click.option(
    "--server",
    metavar="URL",
    help="The server that the tools call, in place of those in an OpenAPI document.",
)
@click.option(
    "--allow-host",
    "hosts",
    metavar="HOST",
    multiple=True,
    help="A host that HTTP tools may call if their file names none; may be repeated.",
)
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each spec to a file in this folder instead of printing it.",
)
@click.option(
    "--schema",
    "tables",
    metavar="PATH",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="The tables of SQL queries: a DDL file or a folder of migrations; may be repeated.",
)
@click.option(
    "--dialect",
    type=click.Choice(["postgres", "sqlite", "mysql", "duckdb"]),
    help="The dialect of SQL queries (default: that of the project, or postgres).",
)
@click.option(
    "--strict", is_flag=True, help="Exit with 1 if anything is left out or left open."
)
@click.option(
    "--all", "shows_all", is_flag=True, help="Print all messages, not the first five."
)
@click.option(
    "--prune",
    is_flag=True,
    help="With --into: remove unedited specs that FILE has no longer.",
)
@color_option
def import_(file: Path, **options: Any) -> int:
    """Convert the tools in FILE (- for stdin, or a folder) to specs, and print them.

    \b
    Lists of tools: toolspec, commands (available_commands), mcp (tools/list),
    openai, anthropic, tool_json and bundle_json (with slugs and versions).
    Whole files: openapi (JSON or YAML), json_schema, python (functions, tools
    of FastMCP, classes; the file is parsed, never run), sqlc and aiosql (queries with
    names), sqlc.yaml (its queries and tables), tables (CREATE TABLE),
    toolbox (tools.yaml of MCP Toolbox).
    Servers: app:mcp, the tools of a FastMCP server; the module app is run.
    Folders: a tool store of FlexiGPT, with its tools.bundles.json.
    What a build would refuse is left open or left out, and told in a table.
    """
    from brimgen.cli.specs.imports import import_file

    return import_file(file, **options)
