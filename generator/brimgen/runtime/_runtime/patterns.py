"""Translate regular expressions from ECMA-262 (with the ``u`` flag) to Python.

Not supported, because the standard library cannot do it: scripts and other binary properties in
``\\p{…}`` (general categories, ``Any``, ``ASCII`` and ``Alphabetic``, ``White_Space`` as near as
categories allow are supported), and look-behind of variable width.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from .errors import SchemaError

_SPACE = r"\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_CLASSES = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "s": _SPACE,
}
_WORD = "[A-Za-z0-9_]"
_BOUNDARY = f"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))"
_NO_BOUNDARY = f"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))"
_CONTROLS = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_QUANTIFIER = re.compile(r"(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??")
_GROUP = re.compile(r"\(\?(?:([:=!]|<[=!])|<([A-Za-z_$][A-Za-z0-9_$]*)>)")
_HEX = re.compile(r"[0-9a-fA-F]+\Z")


class PatternError(SchemaError):
    """A pattern that is not ECMA-262, or that the standard library cannot run."""


def translate(pattern: str) -> str:
    """Return the Python pattern that finds what an ECMA-262 pattern finds. Raises PatternError."""
    return _translated(pattern)


@cache
def _translated(pattern: str) -> str:
    text = Translator(pattern).text()
    check_compiles(pattern, text)
    return text


def searcher(pattern: str) -> Callable[[str], object]:
    """Return what finds an ECMA-262 pattern in a text. Raises PatternError."""
    return re.compile(translate(pattern)).search


def check_compiles(pattern: str, text: str) -> None:
    """Raise PatternError where Python cannot compile what it is to read for a pattern."""
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError, ValueError) as error:
        raise PatternError(f"pattern {pattern[:80]!r}: {error}") from None


class Translator:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._names: dict[str, str] = {}

    def text(self) -> str:
        """Return the whole in Python's words."""
        parts: list[str] = []
        while self._at < len(self._pattern):
            parts.append(self._term())
        return "".join(parts)

    def _error(self, words: str) -> PatternError:
        return PatternError(
            f"pattern {self._pattern[:80]!r}: {words} at character {self._at + 1}"
        )

    def _term(self) -> str:
        char = self._pattern[self._at]
        if char == "(":
            return self._group()
        if char == "|" or char == "^":
            self._at += 1
            return char if char == "|" else r"\A"
        atom = self._atom(char)
        return atom + self._quantifier()

    def _atom(self, char: str) -> str:
        if char == "[":
            return self._set()
        if char == "\\":
            return self._escape()
        if char in "*+?" or (char == "{" and self._quantified()):
            raise self._error("nothing to repeat")
        self._at += 1
        if char == ".":
            return r"[^\n\r\u2028\u2029]"
        if char == "$":
            return r"\Z"
        return char if char == ")" else re.escape(char)

    def _quantified(self) -> bool:
        return _QUANTIFIER.match(self._pattern, self._at) is not None

    def _quantifier(self) -> str:
        match = _QUANTIFIER.match(self._pattern, self._at)
        if match is None:
            return ""
        self._at = match.end()
        if self._quantified():
            raise self._error("nothing to repeat")
        return match[0]

    def _group(self) -> str:
        match = _GROUP.match(self._pattern, self._at)
        if match is None:
            if self._pattern.startswith("(?", self._at):
                raise self._error("a group that ECMA-262 does not have")
            self._at += 1
            return "("
        self._at = match.end()
        if match[1] is not None:
            return match[0]
        if match[2] in self._names:
            raise self._error("a group name that occurs twice")
        name = self._names[match[2]] = f"g{len(self._names)}"
        return f"(?P<{name}>"

    def _escape(self) -> str:
        """Return the escape outside of a set."""
        char = self._peek(1)
        if char == "b" or char == "B":
            self._at += 2
            return _BOUNDARY if char == "b" else _NO_BOUNDARY
        if char == "k":
            return self._back_reference()
        if char in "123456789" and char:
            return self._number()
        members, negated = self._class_escape()
        if members is not None:
            return f"[{'^' if negated else ''}{members}]"
        return re.escape(chr(self._code()))

    def _number(self) -> str:
        start = self._at + 1
        end = start
        while end < len(self._pattern) and self._pattern[end] in "0123456789":
            end += 1
        self._at = end
        return f"(?:\\{self._pattern[start:end]})"

    def _back_reference(self) -> str:
        match = re.compile(r"\\k<([^>]*)>").match(self._pattern, self._at)
        if match is None or match[1] not in self._names:
            raise self._error("a back reference to no group")
        self._at = match.end()
        return f"(?P={self._names[match[1]]})"

    def _peek(self, distance: int) -> str:
        at = self._at + distance
        return self._pattern[at] if at < len(self._pattern) else ""

    def _class_escape(self) -> tuple[str | None, bool]:
        r"""Return the members of ``\d``, ``\P{L}`` … and whether they are left out, or None."""
        char = self._peek(1)
        if char and char in "dwsDWS":
            self._at += 2
            return _CLASSES[char.lower()], char.isupper()
        if char and char in "pP":
            end = self._pattern.find("}", self._at)
            if self._peek(2) != "{" or end < 0:
                raise self._error(r"\p without {…}")
            name = self._pattern[self._at + 3 : end]
            members = members_of(name)
            if members is None:
                raise self._error(f"the property {name} is not supported")
            self._at = end + 1
            return members, char == "P"
        return None, False

    def _code(self) -> int:
        """Return the code point of an escape that stands for one character."""
        char = self._peek(1)
        self._at += 2
        if char in _CONTROLS:
            return ord(_CONTROLS[char])
        if char == "0" and self._peek(0) not in tuple("0123456789"):
            return 0
        if char == "c" and self._peek(0).isascii() and self._peek(0).isalpha():
            self._at += 1
            return ord(self._pattern[self._at - 1]) % 32
        if char == "x":
            return self._hex(2)
        if char == "u":
            return self._unicode()
        if char and char.isascii() and not char.isalnum():
            return ord(char)
        self._at -= 2
        raise self._error(f"an escape that ECMA-262 does not have: \\{char}")

    def _hex(self, size: int) -> int:
        digits = self._pattern[self._at : self._at + size]
        if len(digits) != size or _HEX.match(digits) is None:
            raise self._error(f"{size} hexadecimal digits are missing")
        self._at += size
        return int(digits, 16)

    def _unicode(self) -> int:
        if self._peek(0) == "{":
            end = self._pattern.find("}", self._at)
            digits = self._pattern[self._at + 1 : max(end, 0)]
            if _HEX.match(digits) is None or int(digits, 16) > 0x10FFFF:
                raise self._error("no code point")
            self._at = end + 1
            return int(digits, 16)
        high = self._hex(4)
        if 0xD800 <= high < 0xDC00 and self._pattern.startswith("\\u", self._at):
            start = self._at
            self._at += 2
            low = self._hex(4)
            if 0xDC00 <= low < 0xE000:
                return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
            self._at = start
        return high

    def _set(self) -> str:
        """Return the set that begins here, ``[…]``."""
        self._at += 1
        negated = self._peek(0) == "^"
        self._at += negated
        parts: list[str] = []
        complements: list[str] = []
        while self._peek(0) != "]":
            if not self._peek(0):
                raise self._error("a set without its end")
            self._member(parts, complements)
        self._at += 1
        return _joined(parts, complements, negated)

    def _member(self, parts: list[str], complements: list[str]) -> None:
        first = self._next_code(parts, complements)
        if self._peek(0) != "-" or self._peek(1) in ("]", ""):
            if first is not None:
                parts.append(_char(first))
            return
        self._at += 1
        last = self._next_code(parts, complements)
        if first is None or last is None:
            parts += [
                _char(code) for code in (first, ord("-"), last) if code is not None
            ]
        elif first > last:
            raise self._error("a range whose end comes before its start")
        else:
            parts.append(f"{_char(first)}-{_char(last)}")

    def _next_code(self, parts: list[str], complements: list[str]) -> int | None:
        """Return the next code point of a set; note a whole class in one of the lists."""
        char = self._peek(0)
        if char != "\\":
            self._at += 1
            return ord(char)
        if self._peek(1) == "b":
            self._at += 2
            return 8
        members, negated = self._class_escape()
        if members is None:
            return self._code()
        (complements if negated else parts).append(members)
        return None


def _char(code: int) -> str:
    return f"\\U{code:08x}"


def _joined(parts: list[str], complements: list[str], negated: bool) -> str:
    """Return a set of members (``parts``) and complements (``others``) as Python has it."""
    whole = "".join(parts)
    if not complements:
        if not whole:
            return r"[\s\S]" if negated else r"(?!)"
        return f"[{'^' if negated else ''}{whole}]"
    options = [f"[{whole}]"] if whole else []
    options += [f"[^{complement}]" for complement in complements]
    either = "|".join(options)
    return f"(?:(?!{either})[\\s\\S])" if negated else f"(?:{either})"


_NAMES = {
    "Letter": "L",
    "Cased_Letter": "LC",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me",
    "Number": "N",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P",
    "punct": "P",
    "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po",
    "Symbol": "S",
    "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp",
    "Other": "C",
    "Control": "Cc",
    "cntrl": "Cc",
    "Format": "Cf",
    "Surrogate": "Cs",
    "Private_Use": "Co",
    "Unassigned": "Cn",
}
_GROUPS = {
    "LC": ("Lu", "Ll", "Lt"),
    "Alphabetic": ("L", "Nl"),
    "Alpha": ("L", "Nl"),
    "Uppercase": ("Lu",),
    "Lowercase": ("Ll",),
}
_FIXED = {
    "Any": r"\U00000000-\U0010ffff",
    "ASCII": r"\x00-\x7f",
    "ASCII_Hex_Digit": "0-9A-Fa-f",
    "White_Space": r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
}


def members_of(name: str) -> str | None:
    """Return the members of a Unicode property as a set has them, or None."""
    for prefix in ("General_Category=", "gc="):
        name = name.removeprefix(prefix)
    if name in _FIXED:
        return _FIXED[name]
    prefixes = _GROUPS.get(_NAMES.get(name, name), (_NAMES.get(name, name),))
    ranges = _categories()
    members = [
        part
        for category, parts in ranges.items()
        if category.startswith(prefixes)
        for part in parts
    ]
    return "".join(members) or None


@cache
def _categories() -> dict[str, list[str]]:
    """Return the ranges of code points of every general category (one pass over Unicode)."""
    import unicodedata

    ranges: dict[str, list[str]] = {}
    start, current = 0, unicodedata.category("\0")
    for code in range(1, 0x110001):
        category = unicodedata.category(chr(code)) if code < 0x110000 else ""
        if category != current:
            ranges.setdefault(current, []).append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start, current = code, category
    return ranges
