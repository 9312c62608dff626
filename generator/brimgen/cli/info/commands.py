"""Commands about brimgen itself: targets, explanations, schemas, completion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brimgen.cli.console.report import SOUND
from brimgen.cli.console.stdout import print_text
from brimgen.cli.options import config_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _codes(
    _: click.Context, __: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the codes of diagnostics with this prefix, and their names as help."""
    from click.shell_completion import CompletionItem

    from brimgen.diagnostics.catalogue import RULES

    prefix = incomplete.upper()
    rules = [rule for rule in RULES if rule.code.startswith(prefix)]
    return [CompletionItem(rule.code, help=rule.slug) for rule in rules]


@click.command()
@config_option
def targets(config: Path | None) -> int:
    """List what can be generated: the targets of brimgen, and those of this project."""
    from brimgen.diagnostics import Diagnostics
    from brimgen.model.targets import TARGETS
    from brimgen.settings.load import Flags, load_settings

    custom = load_settings(Flags(config=config), Diagnostics()).custom
    width = max(len(target.name) for target in (*TARGETS, *custom))
    for target in (*TARGETS, *custom):
        note = "" if target.default else " (off by default)"
        print_text(f"{target.name:<{width}}  {target.summary}{note}\n")
    return SOUND


@click.command()
@click.argument("code", required=False, shell_complete=_codes)
@click.option("--all", "all_", is_flag=True, help="Explain all messages, as Markdown.")
def explain(code: str | None, all_: bool) -> int:
    """Explain the message with this CODE: its meaning, the fix, and a spec before and after."""
    from brimgen.cli.info.explain import explanation, page

    if all_ == (code is not None):
        raise click.UsageError("Give a code (or slug) of a diagnostic, or --all.")
    print_text(page() if code is None else explanation(code))
    return SOUND


@click.command()
@click.argument(
    "kind", default="specs", type=click.Choice(["specs", "diagnostics", "view"])
)
def schema(kind: str) -> int:
    """Print the JSON Schema of spec files (for editors), of the output of `--format json`, or of
    the data that templates see."""
    print_text(_schema_text(kind))
    return SOUND


def _schema_text(kind: str) -> str:
    if kind == "specs":
        from brimgen.editor.document import spec_schema_text

        return spec_schema_text()
    if kind == "view":
        from brimgen.emit.catalog_view import view_schema_text

        return view_schema_text()
    from brimgen.diagnostics.json_format import diagnostics_schema

    return json.dumps(diagnostics_schema(), indent=2) + "\n"


@click.command()
@click.argument("name", required=False)
def templates(name: str | None) -> int:
    """List all templates with their blocks, or print the template called NAME."""
    from brimgen.cli.info.templates import template_lines, text_of

    for line in template_lines() if name is None else [text_of(name)]:
        print_text(line)
    return SOUND


@click.command()
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Configuration file. [default: that of the folder which the editor opens]",
)
def lsp(config: Path | None) -> int:
    """Serve an editor over stdin and stdout: diagnostics while typing, hover, completion, rename.

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


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print a script that makes a shell complete commands, options and values.

    \b
    bash, zsh:  eval "$(brimgen completion bash)"
    fish:       brimgen completion fish | source
    """
    from click.shell_completion import get_completion_class

    completion_class = get_completion_class(shell)
    root = click.get_current_context().find_root()
    assert completion_class is not None
    source = completion_class(root.command, {}, "brimgen", "_BRIMGEN_COMPLETE").source()
    print_text(f"{source.strip()}\n")
    return SOUND
