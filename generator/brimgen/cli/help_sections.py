"""List the commands on the help page, grouped by purpose."""

from __future__ import annotations

from collections.abc import Mapping

import click

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Every day": {
        "init": "Create a small working project.",
        "generate": "Generate all files from the specs.",
        "check": "Fail if generated files are out of date.",
        "fmt": "Lay out specs in one style.",
        "infer": "Write types of the database into specs.",
        "watch": "Generate whenever a spec is saved.",
        "explain": "Explain a message by its code.",
    },
    "Review": {
        "list": "List all tools.",
        "show": "Show everything about one tool.",
        "diff": "Show what `generate` would change.",
        "breaking": "List changes that break callers.",
        "lint": "Report what confuses models.",
        "tokens": "Estimate the tokens of each tool.",
        "verify": "Test that generated files agree.",
    },
    "Formats": {
        "targets": "List what can be generated.",
        "templates": "List or print the templates.",
        "import": "Convert tools of other formats to specs.",
        "schema": "Print the JSON Schema of specs.",
    },
    "Editors and shells": {
        "lsp": "Serve an editor.",
        "completion": "Print a script for completion.",
    },
    "Build systems": {
        "outputs": "List the files of a spec or tool.",
        "action": "Generate the files of some specs.",
    },
}
"""A summary of each command, short enough for every terminal."""


class Sections(click.Group):
    """A command group whose help lists its commands by `SECTIONS`."""

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write a section for each kind of command."""
        for title, rows in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([*rows.items()], col_max=10)
