"""Commands about brimgen itself: explanations, and the server for editors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import SOUND, print_text
from brimgen.cli.options import config_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _codes(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the codes of diagnostics with this prefix, and their names as help."""
    from click.shell_completion import CompletionItem

    from brimgen.diagnostics.catalogue import KINDS

    prefix = incomplete.upper()
    kinds = [kind for kind in KINDS if kind.code.startswith(prefix)]
    return [CompletionItem(kind.code, help=kind.slug) for kind in kinds]


@click.command(short_help="Explain a message by its code.")
@click.argument("code", required=False, shell_complete=_codes)
@click.option("--all", "all_", is_flag=True, help="Explain all messages, as Markdown.")
@click.option("--targets", is_flag=True, help="List what can be generated.")
@click.option("--templates", is_flag=True, help="List all templates with their blocks.")
@click.option("--template", metavar="NAME", help="Print a template.")
@click.option(
    "--schema",
    type=click.Choice(["specs", "diagnostics", "view"]),
    help="Print the JSON Schema of spec files (for editors), of the output of `--format json`, "
    "or of the data that templates see.",
)
@config_option
def explain(
    code: str | None,
    all_: bool,
    targets: bool,
    templates: bool,
    template: str | None,
    schema: str | None,
    config: Path | None,
) -> int:
    """Explain the message with this CODE: its meaning, the fix, and a spec before and after.

    With an option, explain something else of brimgen.
    """
    from brimgen.cli.info.explain import explanation, template_lines, text_of

    if [code, template, schema].count(None) + [all_, targets, templates].count(
        False
    ) != 5:
        raise click.UsageError("Give a code (or slug) of a diagnostic, or one option.")
    if code is not None:
        print_text(explanation(code))
    elif template is not None:
        print_text(text_of(template))
    elif schema is not None:
        print_text(_schema_text(schema))
    elif all_:
        from brimgen.diagnostics.catalogue import page

        print_text(page())
    else:
        for line in _target_lines(config) if targets else template_lines():
            print_text(line)
    return SOUND


def _target_lines(config: Path | None) -> Iterator[str]:
    """Yield the targets of brimgen, and those of this project."""
    from brimgen.diagnostics import Diagnostics
    from brimgen.model.targets import TARGETS
    from brimgen.settings.load import Flags, load_settings

    custom = load_settings(Flags(config=config), Diagnostics()).custom
    width = max(len(target.name) for target in (*TARGETS, *custom))
    for target in (*TARGETS, *custom):
        note = "" if target.default else " (off by default)"
        yield f"{target.name:<{width}}  {target.summary}{note}\n"


def _schema_text(kind: str) -> str:
    if kind == "specs":
        from brimgen.editor.document import spec_schema
        from brimgen.emit.indented import json_file

        return json_file(spec_schema())
    if kind == "view":
        from brimgen.emit.catalog_view import view_schema_text

        return view_schema_text()
    from brimgen.diagnostics.show_json import diagnostics_schema

    return json.dumps(diagnostics_schema(), indent=2) + "\n"


@click.command(short_help="Serve an editor.")
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file. [default: that of the folder which the editor opens]",
)
def lsp(config: Path | None) -> int:
    """Serve an editor over stdin and stdout: diagnostics while typing, hover, completion.

    \b
    It speaks the Language Server Protocol. Needs the extra `lsp`:
    pip install 'brimgen[lsp]'.
    """
    try:
        from brimgen.languageserver.server import serve
    except ModuleNotFoundError as problem:
        if problem.name not in {"pygls", "lsprotocol"}:
            raise
        raise click.UsageError("lsp needs pygls: pip install 'brimgen[lsp]'") from None
    serve(config)
    return SOUND
