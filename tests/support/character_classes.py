r"""Tell whether a character belongs to an atom of an ECMA-262 pattern.

It follows the standard, with the ``u`` flag, and uses `unicodedata`. It is independent of the
runtime, which translates patterns to Python's, so that the runtime does not test itself.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


class Undecided(Exception):
    """The general categories do not tell."""


_SPACE = frozenset("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | {
    chr(code) for code in range(0x2000, 0x200B)
}
_LINE_ENDS = frozenset("\n\r\u2028\u2029")
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "0": "\0"}
_PIECE = re.compile(
    r"\\(?:[pP]\{(?P<property>[^}]*)\}|u\{(?P<code>[0-9a-fA-F]+)\}|u(?P<four>[0-9a-fA-F]{4})"
    r"|x(?P<two>[0-9a-fA-F]{2})|c(?P<control>[A-Za-z])|(?P<letter>.))|(?P<plain>.)",
    re.DOTALL,
)
_CATEGORIES = {
    "Letter": "L",
    "Cased_Letter": "LC",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Combining_Mark": "M",
    "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me",
    "Number": "N",
    "Other_Number": "No",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Letter_Number": "Nl",
    "punct": "P",
    "Punctuation": "P",
    "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe",
    "Symbol": "S",
    "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf",
    "Math_Symbol": "Sm",
    "Other_Punctuation": "Po",
    "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Other": "C",
    "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp",
    "Control": "Cc",
    "cntrl": "Cc",
    "Format": "Cf",
    "Surrogate": "Cs",
    "Private_Use": "Co",
    "Unassigned": "Cn",
}
_SHORT = frozenset(_CATEGORIES.values())


@lru_cache(maxsize=4096)
def atom_matches(atom: str, character: str) -> bool:
    """Whether one character is what an atom (a letter, an escape, a set) says.

    Raises `Undecided` for a property that the general categories do not tell, and for halves of
    characters.
    """
    if atom == ".":
        return character not in _LINE_ENDS
    if atom[0] == "[":
        return _is_of_set(atom[1:-1], character)
    piece = _PIECE.fullmatch(atom)
    if piece is None:
        raise Undecided
    of_class = _is_of_class(piece, character)
    return _character(piece) == character if of_class is None else of_class


def _is_of_set(content: str, character: str) -> bool:
    negated = content.startswith("^")
    pieces = [*_PIECE.finditer(content, negated)]
    is_member, at = False, 0
    while at < len(pieces):
        of_class = _is_of_class(pieces[at], character)
        is_range = at + 2 < len(pieces) and pieces[at + 1][0] == "-"
        if of_class is not None:
            is_member |= of_class
        elif is_range and _is_of_class(pieces[at + 2], character) is None:
            first, last = _character(pieces[at]), _character(pieces[at + 2])
            is_member |= first <= character <= last
            at += 2
        else:
            is_member |= _character(pieces[at]) == character
        at += 1
    return is_member is not negated


def _is_of_class(piece: re.Match[str], character: str) -> bool | None:
    """Whether a character is of a class, None where the piece is a character itself."""
    name, letter = piece["property"], piece["letter"]
    if name is not None:
        return _has_property(name, character) is (piece[0][1] == "p")
    if letter is None or letter not in "dDwWsS":
        return None
    is_word = character.isascii() and (character.isalnum() or character == "_")
    is_member = {
        "d": "0" <= character <= "9",
        "w": is_word,
        "s": character in _SPACE,
    }[letter.lower()]
    return is_member is letter.islower()


def _has_property(name: str, character: str) -> bool:
    if name in ("Any", "ASCII"):
        return name == "Any" or character.isascii()
    name = name.removeprefix("General_Category=").removeprefix("gc=")
    wanted = _CATEGORIES.get(name, name)
    if wanted not in _SHORT:
        raise Undecided
    category = unicodedata.category(character)
    if wanted == "LC":
        return category in ("Lu", "Ll", "Lt")
    return category.startswith(wanted)


def _character(piece: re.Match[str]) -> str:
    """The one character that a piece stands for; ``\\b`` in a set is a backspace."""
    code = piece["code"] or piece["four"] or piece["two"]
    if code is not None:
        code_point = int(code, 16)
        if piece["four"] and 0xD800 <= code_point < 0xDC00:  # half of a pair, perhaps
            raise Undecided
        return chr(code_point)
    if piece["control"] is not None:
        return chr(ord(piece["control"]) % 32)
    letter: str | None = piece["letter"]
    if letter is None:
        return str(piece["plain"])
    return "\b" if letter == "b" else _CONTROLS.get(letter, letter)
