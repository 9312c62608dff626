"""Explain a rule in general: placeholders in words, examples formatted."""

from __future__ import annotations

import re

from brimgen.diagnostics.rule import Rule

_PLACE = re.compile(r"\{\{|\}\}|\{([a-z_]+)\}")


def sentence(message: str) -> str:
    """The message of a rule as a sentence, its named places shown as ``<name>``."""
    text = _PLACE.sub(_placeholder_text, message)
    return f"{text[:1].upper()}{text[1:]}."


def _placeholder_text(match: re.Match[str]) -> str:
    return f"<{match[1].replace('_', ' ')}>" if match[1] else match[0][0]


def example_text(rule: Rule) -> str:
    """The advice of a rule, and a spec before and after where it has one, as plain text."""
    parts = [rule.help]
    for word, example in (("Wrong", rule.wrong), ("Right", rule.right)):
        if example:
            parts.append(f"{word}:\n\n{indented(example)}")
    return "\n\n".join(parts)


def indented(text: str) -> str:
    """The lines of ``text``, four spaces further in."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join(f"    {line}".rstrip() for line in lines)
