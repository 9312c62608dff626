"""Texts for properties: without the characters that no spec may hold."""

from __future__ import annotations

from brimgen_runtime.grammar.hidden_characters import hidden_characters


def visible(text: str) -> str:
    """Return ``text`` without its hidden characters.

    One that is taken away may leave another without the character that it belonged to.
    """
    while hidden := set(hidden_characters(text)):
        text = "".join(each for at, each in enumerate(text) if at not in hidden)
    return text
