"""List the commands on the help page, grouped by purpose."""

from __future__ import annotations

from collections.abc import Mapping

import click

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Every day": {
        "init": "Start a small working project.",
        "generate": "Make the output what the specs say.",
        "check": "Tell whether the output is so; for CI.",
        "watch": "Generate whenever a spec is saved.",
        "explain": "Explain a message by its code.",
    },
    "Review": {
        "diff": "Print what `generate` would change.",
        "breaking": "Tell whom a change breaks.",
        "lint": "Tell what models have trouble with.",
        "tokens": "Tell what descriptors cost a request.",
        "verify": "Show that all artifacts agree.",
    },
    "Formats": {
        "targets": "List what can be generated.",
        "templates": "List what templates there are.",
        "import": "Make specs of what other systems wrote.",
        "schema": "Print the JSON Schema of specs.",
    },
    "Shells": {
        "completion": "Print what makes a shell complete.",
    },
    "Engines of builds": {
        "outputs": "List the files made of a spec or tool.",
        "action": "Make the files of some specs alone.",
    },
}
"""What each command does, so short that no terminal cuts it."""


class Sections(click.Group):
    """A command group whose help lists its commands by `SECTIONS`."""

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write a section for each kind of command."""
        for title, rows in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([*rows.items()], col_max=10)
