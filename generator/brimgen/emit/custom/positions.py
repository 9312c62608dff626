"""Find the places in a template that an error of Jinja is about, by offsets."""

from __future__ import annotations

import re

from brimgen.diagnostics import Span

_WORD = re.compile(r"\w+", re.ASCII)


def span_of_word(file: str, text: str, offset: int) -> Span:
    """The place of the word that begins at ``offset``, or of one character."""
    match = _WORD.match(text, offset)
    return span_between(file, text, offset, match.end() if match else offset + 1)


def span_of_name(file: str, text: str, offset: int, name: str) -> Span:
    """The place of ``name`` in the tag at ``offset``; of the word at ``offset`` where it is not in
    that tag.
    """
    begin, end = tag_around(text, offset)
    exact = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    match = exact.search(text, offset, end) or exact.search(text, begin, end)
    if match is None:
        return span_of_word(file, text, offset)
    return span_between(file, text, match.start(), match.end())


def expression_at(text: str, offset: int) -> tuple[int, int] | None:
    """The range of the expression between ``{{`` and ``}}`` around ``offset``."""
    begin, end = tag_around(text, offset)
    if not text.startswith("{{", begin) or text[end - 2 : end] != "}}":
        return None
    inner = text[begin + 2 : end - 2]
    expression = inner.strip("+- \n\t")
    at = begin + 2 + inner.index(expression) if expression else begin
    return at, at + len(expression)


def tag_around(text: str, offset: int) -> tuple[int, int]:
    """The range of the tag (``{{ … }}`` or ``{% … %}``) around ``offset``."""
    begin = max(text.rfind("{{", 0, offset + 2), text.rfind("{%", 0, offset + 2))
    begin = offset if begin < 0 else begin
    ending = "}}" if text.startswith("{{", begin) else "%}"
    end = text.find(ending, offset)
    return begin, len(text) if end < 0 else end + 2


def span_between(file: str, text: str, begin: int, end: int) -> Span:
    """The place from one offset to another."""
    begin = min(begin, len(text))
    end = max(begin, min(end, len(text)))
    return Span(file, *_place(text, begin), *_place(text, end))


def _place(text: str, offset: int) -> tuple[int, int]:
    line_begin = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_begin + 1
