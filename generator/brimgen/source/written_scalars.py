"""Find the places of the characters of a YAML scalar that is folded or has escapes."""

from __future__ import annotations

import re

from brimgen.source.events import PAIR

_ESCAPE = re.compile(
    rf"{PAIR}|" r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|.)",
    re.DOTALL,
)
_BLANKS = frozenset(" \t\r\n")


def pieces_of(written: str, text: str, style: str) -> list[tuple[int, int]]:
    """Return where the characters of ``text`` stand in ``written``, the scalar in its file.

    Each piece is the (offset in ``text``, index in ``written``) of the first of some characters
    that stand side by side in both; the last can be that of the end. ``style`` is YAML's: a quote,
    ``>``, or empty for a plain scalar. The result is empty where the two do not match.
    """
    index = {'"': 1, "'": 1, ">": written.find("\n") + 1}.get(style, 0)
    special = {'"': "\\", "'": "'"}.get(style, "")
    pieces: list[tuple[int, int]] = []
    following = -1
    for offset, character in enumerate(text):
        if written[index : index + 1] == character != special:
            place, index = index, index + 1
        else:
            place, index = _place(written, index, character, style)
        if place < 0:
            return []
        if place != following:
            pieces.append((offset, place))
        following = place + 1
    if index != following:
        pieces.append((len(text), index))
    return pieces


def _place(written: str, index: int, character: str, style: str) -> tuple[int, int]:
    """Return the place of the next character, and the index behind it; -1 without one."""
    while index < len(written):
        if style == '"' and written[index] == "\\":
            escape = _ESCAPE.match(written, index)
            if escape is None:
                break
            if escape[0][1] not in "\r\n":
                return index, escape.end()
            index = escape.end()  # a line that goes on
        elif style == "'" and written.startswith("''", index):
            return index, index + 2
        elif written[index] == character:
            return index, index + 1
        elif character in " \n" and written[index] in _BLANKS:
            return index, index  # the end of a line, which is a space in the text
        elif written[index] in _BLANKS:
            index += 1
        else:
            break
    return -1, index
