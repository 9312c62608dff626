"""The catalogue of diagnostics in; what `brimgen explain` prints out."""

from __future__ import annotations

import click

from brimgen.diagnostics.catalogue import RULES, UnknownRule, explain
from brimgen.diagnostics.rule import Rule

_INTRODUCTION = """\
# Diagnostics

Made by `make docs` from the catalogue in the code; `brimgen explain CODE` prints one of them.
The letter says which stage speaks: S reads the specs, R gives them their meaning, T and SQL
belong to the targets, O to configuration and output. Only errors stop a run.
"""


def explanation(name: str) -> str:
    """What the rule with the code or slug ``name`` means. Raises `click.UsageError`."""
    try:
        return explain(name)
    except UnknownRule as problem:
        near = " or ".join(f"`{each}`" for each in problem.suggestions)
        hint = f" Did you mean {near}?" if near else ""
        raise click.UsageError(f"There is no diagnostic {name!r}.{hint}") from None


def page() -> str:
    """docs/diagnostics.md: every rule, sorted by its code."""
    sections = [_section(rule) for rule in sorted(RULES, key=lambda each: each.code)]
    return "\n".join([_INTRODUCTION, *sections])


def _section(rule: Rule) -> str:
    lines = [f"## {rule.code} {rule.slug}", "", f"{rule.severity}: {rule.message}", ""]
    lines += [rule.help, ""]
    for word, example in (("Wrong", rule.wrong), ("Right", rule.right)):
        if example:
            lines += [f"{word}:", "", *_indented(example), ""]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.rstrip("\n").split("\n")]
