"""Report characters that no spec may hold, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from brimgen.diagnostics import Diagnostics, Span
from brimgen.diagnostics.rules import REFUSED_CHARACTER
from brimgen.source.nodes import ListNode, Node, ScalarNode
from brimgen_runtime.grammar.hidden_characters import described, hidden_characters

_CONTROLS = bytes({*range(32), 127} - {*b"\t\n"})
_MOST_REPORTED = 10
# An escape of YAML or JSON, two of a surrogate pair being one, or a character of its own.
_PIECE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|."
)
_ESCAPED = re.compile(r"\\[xuUNLP0abevf]")
_SHORT_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "v": "\v",
    "f": "\f",
    "e": "\x1b",
    "N": "\x85",
    "L": "\u2028",
    "P": "\u2029",
}

REPLACEMENT = "\ufffd"


def is_clean(raw: bytes) -> bool:
    """Return whether ASCII bytes hold no refused character; also False if ``raw`` is not ASCII."""
    return raw.isascii() and len(raw.translate(None, _CONTROLS)) == len(raw)


def replace_refused(name: str, text: str, diagnostics: Diagnostics) -> str | None:
    """Report every refused character in the text of a file, and replace it by U+FFFD.

    The rest of the file can then be checked in the same run. The result is None if the text has
    more than a few refused characters, because such a file is not a text.
    """
    refused = list(_first(hidden_characters(text)))
    if len(refused) > _MOST_REPORTED:
        for at in refused[:-1]:
            _report(text[at], _place(name, text, at), diagnostics)
        return None
    pieces: list[str] = []
    begin = 0
    for at in refused:
        _report(text[at], _place(name, text, at), diagnostics)
        pieces += text[begin:at], REPLACEMENT
        begin = at + 1
    return "".join((*pieces, text[begin:]))


def may_hide_characters(text: str) -> bool:
    """Whether the strings in a YAML or JSON text may hold refused characters."""
    if not text.isascii():
        return True
    return "\\" in text and _ESCAPED.search(text) is not None


def report_hidden(root: Node, text: str, diagnostics: Diagnostics) -> None:
    """Report the refused characters in the keys and values of a document.

    ``text`` is that of the whole file. Each report points at the character, or at its escape.
    """
    lines = text.split("\n")
    reported: set[Span] = set()
    for scalar, is_key in _scalars(root):
        if scalar.text.isascii() and scalar.text.isprintable():
            continue
        for at in _first(hidden_characters(scalar.text)):
            character = scalar.text[at]
            nth = scalar.text.count(character, 0, at)
            span = _written(scalar, character, nth, lines, is_key=is_key)
            if span not in reported and len(reported) < _MOST_REPORTED:
                reported.add(span)
                _report(character, span, diagnostics)


def _first(places: Iterator[int]) -> Iterator[int]:
    return islice(places, _MOST_REPORTED + 1)


def _report(character: str, span: Span, diagnostics: Diagnostics) -> None:
    diagnostics.add(REFUSED_CHARACTER, span, character=described(character))


def _place(name: str, text: str, at: int) -> Span:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return Span(name, line, column, line, column + 1)


def _scalars(root: Node) -> Iterator[tuple[ScalarNode, bool]]:
    """Every scalar of a document, and whether it is a key; in order, aliased ones once."""
    waiting: list[tuple[Node, bool]] = [(root, False)]
    seen: set[int] = set()
    while waiting:
        node, is_key = waiting.pop()
        if isinstance(node, ScalarNode):
            yield node, is_key
        elif id(node) not in seen:
            seen.add(id(node))
            if isinstance(node, ListNode):
                waiting += [(item, False) for item in reversed(node.items)]
            else:
                for entry in reversed(node.entries):
                    waiting += (entry.value, False), (entry.key, True)


def _written(
    scalar: ScalarNode, character: str, nth: int, lines: list[str], *, is_key: bool
) -> Span:
    """Return the place of the ``nth`` (from 0) occurrence of a character in a scalar.

    Keys of JSON objects have the place of their value, and are searched before it. Returns the
    place of the whole scalar if the character is not found.
    """
    span = scalar.span
    spans = list(_spans(character, span, lines))
    if nth < len(spans):
        return spans[nth]
    if is_key:
        line = Span(span.file, span.line, 1, span.line, span.column)
        return next(reversed(list(_spans(character, line, lines))), span)
    return span


def _spans(character: str, region: Span, lines: list[str]) -> Iterator[Span]:
    """The places in a part of a file where a character is written, as itself or as an escape."""
    for number in range(region.line, min(region.end_line, len(lines)) + 1):
        text = lines[number - 1]
        begin = region.column - 1 if number == region.line else 0
        end = region.end_column - 1 if number == region.end_line else len(text)
        for piece in _PIECE.finditer(text, begin, end):
            if _meaning(piece.group()) == character:
                column = piece.start() + 1
                width = len(piece.group())
                yield Span(region.file, number, column, number, column + width)


def _meaning(piece: str) -> str:
    """The character that an escape or a character stands for."""
    if len(piece) == 1:
        return piece
    if len(piece) == 2:
        return _SHORT_ESCAPES.get(piece[1], "")
    if len(piece) == 12:
        units = bytes.fromhex(piece[2:6] + piece[8:])
        return units.decode("utf-16-be")
    code = int(piece[2:], 16)
    return chr(code) if code < 0x110000 else ""
