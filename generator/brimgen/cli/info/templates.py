"""List the templates of brimgen, and print one."""

from __future__ import annotations

from collections.abc import Iterator

import click

from brimgen.emit.render import template_names, template_text


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
    text = template_text(name)
    if text is not None:
        return text
    from brimgen.diagnostics import did_you_mean

    near = did_you_mean(name, template_names())
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise click.BadParameter(
        f"there is no template {name!r}.{hint}", param_hint="'NAME'"
    )
