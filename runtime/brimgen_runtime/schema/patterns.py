"""Translate regular expressions from ECMA-262 (with the ``u`` flag) to Python.

Not supported, because the standard library cannot do it: scripts and other binary properties in
``\\p{…}`` (general categories, ``Any``, ``ASCII`` and ``Alphabetic``, ``White_Space`` as near as
categories allow are supported), look-behind of variable width, modifiers (``(?i:…)``), and
references back to a group that a repetition would have to forget.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
_GROUP = re.compile(
    r"\(\?(?:(?P<kind>[:=!]|<[=!])|<(?P<name>[A-Za-z_$][A-Za-z0-9_$]*)>"
    r"|(?P<flags>[ims]*(?:-[ims]*)?):)"
)
_REFERENCE = re.compile(r"\\(?:([1-9][0-9]*)|k<([^>]*)>)")
_HEX = re.compile(r"[0-9a-fA-F]+\Z")
_DIGITS = tuple("123456789")
_ONCE = ("", "{0}", "{1}", "{0,1}", "{1,1}")
"""Quantifiers, but for ``?`` at their end, that repeat nothing."""
_NEGATED = ("!", "<!")
_LOOKS = ("=", "<=", *_NEGATED)


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


@dataclass(slots=True, eq=False)
class Bracket:
    """A pair of brackets, or the whole pattern, or a place in it.

    It stands in the ``option`` (from 1) of its ``parent`` at the character ``at``, and has
    ``options`` itself. ``kind`` is "(" for a group that captures, "m" for modifiers, else what
    follows "(?". ``quantifier`` is the one behind it.
    """

    kind: str
    parent: Bracket | None
    option: int
    at: int
    options: int = 1
    quantifier: str = ""

    @property
    def is_optional(self) -> bool:
        """Whether the brackets may match nothing at all."""
        return self.quantifier.startswith(("*", "?", "{0"))

    @property
    def repeats(self) -> bool:
        """Whether the brackets may match more than once."""
        return self.quantifier.rstrip("?") not in _ONCE

    def around(self) -> Iterator[tuple[Bracket, int]]:
        """Yield the brackets around this one, innermost first, and in which option it stands."""
        inner = self
        while inner.parent is not None:
            yield inner.parent, inner.option
            inner = inner.parent


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference back to a group, by its number or name."""

    group: str
    place: Bracket


class Translator:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._open = Bracket(":", None, 1, 0)
        self._groups: list[Bracket] = []
        self._names: dict[str, int] = {}

    def text(self) -> str:
        """Return the whole in Python's words."""
        parts: list[str | Reference] = []
        while self._at < len(self._pattern):
            parts += self._term()
        return "".join(
            part if isinstance(part, str) else self._referenced(part) for part in parts
        )

    def _error(self, words: str) -> PatternError:
        return PatternError(
            f"pattern {self._pattern[:80]!r}: {words} at character {self._at + 1}"
        )

    def _term(self) -> tuple[str | Reference, ...]:
        char = self._pattern[self._at]
        if char == "(":
            return (self._group(),)
        if char == "^":
            self._at += 1
            return (r"\A",)
        if char == "|":
            self._at += 1
            self._open.options += 1
            return (char,)
        if char == ")":
            return self._end()
        reference = _REFERENCE.match(self._pattern, self._at)
        if reference is not None:
            place = self._bracket(":")
            self._at = reference.end()
            return Reference(reference[1] or reference[2], place), self._quantifier()
        return self._atom(char), self._quantifier()

    def _bracket(self, kind: str) -> Bracket:
        return Bracket(kind, self._open, self._open.options, self._at)

    def _end(self) -> tuple[str, str]:
        """Return a closing bracket and its quantifier."""
        self._at += 1
        quantifier = self._quantifier()
        self._open.quantifier = quantifier
        self._open = self._open.parent or self._open
        return ")", quantifier

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
        return re.escape(char)

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
        if match is None and self._pattern.startswith("(?", self._at):
            raise self._error("a group that ECMA-262 does not have")
        kind, name = "(", None
        if match is not None:
            name = match["name"]
            kind = match["kind"] or ("(" if name else "m")
            flags = match["flags"] or ""
            if kind == "m" and (flags == "-" or len(set(flags)) < len(flags)):
                raise self._error("a group that ECMA-262 does not have")
        opening = self._opening(kind)
        self._open = self._bracket(kind)
        self._at = self._at + 1 if match is None else match.end()
        if kind == "(":
            self._groups.append(self._open)
        if name in self._names:
            raise self._error("a group name that occurs twice")
        if name is not None:
            self._names[name] = len(self._groups)
        return opening

    def _opening(self, kind: str) -> str:
        """Return the opening bracket of a group."""
        if kind == "m":
            raise self._error("modifiers of a group are not supported")
        return "(" if kind == "(" else f"(?{kind}"

    def _referenced(self, reference: Reference) -> str:
        """Return what matches the text of a group, or nothing while the group has taken no part.

        In ECMA-262 a repetition forgets its groups before each round and drops a round that reads
        nothing; in Python neither is so. So a group that repeats must be one of the same round.
        """
        number = self._number(reference)
        place, group = reference.place, self._groups[number - 1]
        options = {id(bracket): option for bracket, option in place.around()}
        path = [group]
        while id(path[-1]) not in options:
            path.append(path[-1].parent or self._open)
        *inner, common = path
        if (
            not inner
            or inner[-1].option != options[id(common)]
            or any(bracket.kind in _NEGATED for bracket in inner)
        ):
            return "(?:)"
        outer = [common, *(bracket for bracket, _ in common.around())]
        if any(bracket.kind.startswith("<") for bracket in outer):
            raise self._unsupported(reference, "of its own look-behind")
        if group.at > place.at:
            return "(?:)"
        repeats = any(bracket.repeats for bracket in inner)
        is_certain = not any(
            bracket.is_optional or (bracket.options > 1 and bracket is not group)
            for bracket in inner
        )
        if is_certain and not repeats:
            return f"(?:\\{number})"
        looks = any(bracket.kind in _LOOKS for bracket in inner)
        if looks or repeats or any(bracket.repeats for bracket in outer):
            raise self._unsupported(reference, "of an earlier round of a repetition")
        return f"(?({number})\\{number})"

    def _unsupported(self, reference: Reference, which: str) -> PatternError:
        self._at = reference.place.at
        return self._error(f"a back reference to a group {which}")

    def _number(self, reference: Reference) -> int:
        """Return the number of the group that is meant."""
        said = reference.group
        if said[:1] not in _DIGITS:
            number, words = self._names.get(said, 0), "a back reference to no group"
        else:
            number = int(said) if len(said) < 5 else 0
            words = f"invalid group reference {said}"
        if not 0 < number <= len(self._groups):
            self._at = reference.place.at
            raise self._error(words)
        return number

    def _escape(self) -> str:
        """Return the escape outside of a set."""
        char = self._peek(1)
        if char == "b" or char == "B":
            self._at += 2
            return _BOUNDARY if char == "b" else _NO_BOUNDARY
        members, negated = self._class_escape()
        if members is not None:
            return f"[{'^' if negated else ''}{members}]"
        return re.escape(chr(self._code()))

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
            members = self._members(name)
            if members is None:
                raise self._error(f"the property {name} is not supported")
            self._at = end + 1
            return members, char == "P"
        return None, False

    def _members(self, name: str) -> str | None:
        return members_of(name)

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


def is_category(name: str) -> bool:
    """Return whether a text names a general category of Unicode, as ``\\p{…}`` does."""
    name = _bare(name)
    return name in _NAMES or name in _NAMES.values()


def _bare(name: str) -> str:
    return name.removeprefix("General_Category=").removeprefix("gc=")


def members_of(name: str) -> str | None:
    """Return the members of a Unicode property as a set has them, or None."""
    name = _bare(name)
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
