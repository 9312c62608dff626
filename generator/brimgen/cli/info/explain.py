"""The text that `brimgen explain` prints about diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import get_terminal_size
from textwrap import fill

import click

from brimgen.cli.options import check_known
from brimgen.diagnostics.catalogue import UnknownKind, explain, kind_named
from brimgen.emit.render import template_names, template_text

_WIDEST = 100


def explanation(name: str) -> str:
    """Return the explanation of a code, by itself, its slug or a reason.

    Raises `click.UsageError`.
    """
    try:
        return wrapped(explain(kind_named(name)))
    except UnknownKind as problem:
        near = " or ".join(f"`{suggestion}`" for suggestion in problem.suggestions)
        hint = f"Did you mean {near}?" if near else "`--all` lists them."
        raise click.UsageError(f"There is no diagnostic {name!r}. {hint}") from None


def wrapped(text: str) -> str:
    """Return ``text`` wrapped for the terminal; examples are not wrapped."""
    width = min(get_terminal_size().columns, _WIDEST)
    lines = [
        line if line.startswith(" ") else fill(line, width, break_long_words=False)
        for line in text.split("\n")
    ]
    return "\n".join(lines)


def template_lines() -> Iterator[str]:
    """Yield the name of each template, with the blocks that a project can replace."""
    from jinja2 import Environment, nodes

    parse = Environment().parse
    for name in sorted(template_names()):
        tree = parse(template_text(name) or "")
        blocks = ", ".join(node.name for node in tree.find_all(nodes.Block))
        yield f"{name}: {blocks}\n" if blocks else f"{name}\n"


def text_of(name: str) -> str:
    """Return the text of a template. Raises `click.BadParameter` for an unknown name."""
    check_known("template", name, template_names(), "'NAME'")
    return template_text(name) or ""
