"""The text that `brimgen explain` prints about diagnostics."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import fill

import click

from brimgen.diagnostics.catalogue import RULES, UnknownRule, explain
from brimgen.diagnostics.explanation import sentence
from brimgen.diagnostics.rule import Rule

_WIDEST = 100
_INTRODUCTION = """\
# Diagnostics

Everything that brimgen can say about a spec, made from the catalogue in the code by `make docs`;
`brimgen explain CODE` prints one of them. Errors stop a run. Warnings are told and let it go on;
`info` only informs, and those of lint are left to `brimgen lint`. Each rule stands here with a spec
that breaks it and the same spec put right. Values that a message names are written `<so>`.
"""
_STAGES = {
    "S": "S: reading the specs",
    "R": "R: what the specs mean",
    "T": "T: what a target cannot say",
    "SQL": "SQL: statements",
    "L": "L: lint",
    "O": "O: configuration and output",
    "I": "I: imports",
}


def explanation(name: str) -> str:
    """Return the explanation of a rule, by code or slug. Raises `click.UsageError`."""
    try:
        return wrapped(explain(name))
    except UnknownRule as problem:
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


def page() -> str:
    """Return docs/diagnostics.md: a table of all rules, then each rule, stage by stage."""
    stages = {
        letters: [rule for rule in RULES if _letters(rule) == letters]
        for letters in dict.fromkeys(map(_letters, RULES))
    }
    lines = [_INTRODUCTION]
    for letters, rules in stages.items():
        lines += [f"**{_STAGES[letters]}**", "", "| code | name | |", "|---|---|---|"]
        lines += [
            f"| [{rule.code}](#{_anchor(rule)}) | {rule.slug} | {_cell(rule)} |"
            for rule in rules
        ]
        lines.append("")
    for letters, rules in stages.items():
        lines += [f"## {_STAGES[letters]}", ""]
        for rule in rules:
            lines += _section(rule)
    return "\n".join(lines)


def _letters(rule: Rule) -> str:
    return rule.code.rstrip("0123456789")


def _anchor(rule: Rule) -> str:
    return f"{rule.code}-{rule.slug}".lower()


def _cell(rule: Rule) -> str:
    return _prose(rule.message).replace("|", "\\|")


def _section(rule: Rule) -> list[str]:
    lines = [f"### {rule.code} {rule.slug}", ""]
    lines += [f"*{str(rule.severity).capitalize()}.* {_prose(rule.message)}", ""]
    lines += [rule.help, ""]
    for word, example in (("Wrong", rule.wrong), ("Right", rule.right)):
        if example:
            text = example.rstrip("\n")
            lines += [f"{word}:", "", f"```{_language(text)}", text, "```", ""]
    return lines


def _prose(message: str) -> str:
    """Return the message as a sentence in Markdown; `<` outside of code is escaped."""
    pieces = sentence(message).split("`")
    pieces[::2] = [piece.replace("<", "\\<") for piece in pieces[::2]]
    return "`".join(pieces)


def _language(example: str) -> str:
    if example.startswith(("/*", "SELECT")):
        return "sql"
    return "markdown" if example.startswith("---\n") else "yaml"
