"""Find hidden characters that a text must not contain.

Characters that are invisible or change the direction of text can hide words from people that a
model reads. The rule is about the text itself: how a character was written, as itself or as an
escape, makes no difference. Some of these characters belong to sound texts, and are allowed where
they belong: joiners in emoji and inside words of scripts that join letters, variation selectors
after a character that has variants, word separators in scripts without spaces, and direction marks
beside punctuation in a line of a right-to-left script.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_NONCHARACTERS = "\ufdd0-\ufdef" + "".join(
    chr(plane + last)
    for plane in range(0, 0x110000, 0x10000)
    for last in (65534, 65535)
)
_NEVER = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u115f\u1160\u17b4\u17b5\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U00016fe4\U0001bca0-\U0001bca3"
    f"\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff{_NONCHARACTERS}"
)
_IN_PLACE = "\u061c\u180b-\u180f\u200b-\u200f\u2800\ufe00-\ufe0f"


def _tags(region: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in region)


# The flags of England, Scotland and Wales are the only emoji that are spelled with tags.
_FLAG = f"\U0001f3f4(?:{'|'.join(map(_tags, ('gbeng', 'gbsct', 'gbwls')))})\U000e007f"
_SUSPECT = f"{_FLAG}|([{_NEVER}{_IN_PLACE}])"

# Extended_Pictographic of Unicode 16.
_PICTOGRAPH = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u2388\u23cf"
    "\u23e9-\u23f3\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2605"
    "\u2607-\u2612\u2614-\u2685\u2690-\u2705\u2708-\u2712\u2714\u2716\u271d\u2721\u2728\u2733"
    "\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763-\u2767\u2795-\u2797\u27a1\u27b0"
    "\u27bf\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171"
    "\U0001f17e\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5"
    "\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f"
    "\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f"
    "\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a"
    "\U0001f93c-\U0001f945\U0001f947-\U0001faff\U0001fc00-\U0001fffd"
)
_SKIN = "\U0001f3fb-\U0001f3ff"
_IDEOGRAPH = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003fffd"
# Scripts whose letters join, Indic ones among them.
_JOINING = (
    "\u0600-\u060f\u0620-\u06ff\u0700-\u07ff\u0840-\u085f\u0870-\u08ff\u0900-\u0dff\u0f00-\u109f"
    "\u1700-\u180a\u1810-\u18af\u1900-\u1aaf\u1b00-\u1c4f\ua800-\ua82f\ua840-\uaaff\uabc0-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010ac0-\U00010aff\U00010d00-\U00010d3f"
    "\U00010f30-\U00010fdf\U00011000-\U00011fff\U0001e900-\U0001e95f"
)
_ARABIC = (
    "\u0620-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
)
_MONGOLIAN = "\u1820-\u18aa"
# Thai, Lao, Tibetan, Myanmar, Khmer, Tai and their neighbours separate words invisibly.
_UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u1950-\u1aaf\ua9e0-\ua9ff\uaa60-\uaadf"
_RIGHT_TO_LEFT = (
    r"[\u05d0-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff"
    r"\U0001e800-\U0001efff]"
)
_NEARBY = 200
_DIRECTION_MARKS = "\u061c\u200e\u200f"

# Characters that are allowed in a place, with patterns of what stands before and after them.
_PLACES: tuple[tuple[str, str, str], ...] = (
    ("\ufe0e\ufe0f", f"[{_PICTOGRAPH}{_SKIN}]", ""),
    ("\ufe0f", "[0-9#*]", "\u20e3"),
    (
        "\ufe00",
        "[0\u1000-\u109f\u2200-\u22ff\u2a00-\u2aff\ua840-\ua87f\uaa60-\uaa7f]",
        "",
    ),
    (
        "\ufe00\ufe01",
        "[\u2018\u2019\u201c\u201d\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]",
        "",
    ),
    ("\ufe00\ufe01\ufe02", f"[{_IDEOGRAPH}]", ""),
    ("\u180b\u180c\u180d\u180f", f"[{_MONGOLIAN}]", ""),
    ("\u180e", f"[{_MONGOLIAN}]", f"[{_MONGOLIAN}]"),
    ("\u200d", f"[{_PICTOGRAPH}][{_SKIN}]?\ufe0f?", f"[{_PICTOGRAPH}]"),
    ("\u200c\u200d", f"[{_JOINING}]", f"[{_JOINING}]"),
    # A letter in its joined form, or kept apart at the end of a word, as Kurdish writes it.
    ("\u200c\u200d", f"[{_ARABIC}]", r"(?![\w\u200c\u200d])"),
    # A Persian ending after a foreign word, a number or a quotation.
    ("\u200c", r"[^\W_]|[)\]\"'\u00bb\u2019\u201d]", f"[{_ARABIC}]"),
    ("\u200b", f"[{_UNSPACED}]", "."),
    ("\u2800", "[\u2801-\u28ff]\u2800*", ""),
    ("\u2800", "", "\u2800*[\u2801-\u28ff]"),
)
_VIRAMA = 9


def hidden_characters(text: str) -> Iterator[int]:
    """Return where each character stands that ``text`` must not hold, in order."""
    for match in re.finditer(_SUSPECT, text):
        if match.group(1) and not _is_in_place(text, match.start()):
            yield match.start()


def described(character: str) -> str:
    """Return the Unicode name of a character and its code point."""
    is_control = unicodedata.category(character) == "Cc"
    unnamed = "control character" if is_control else "noncharacter"
    return f"{unicodedata.name(character, unnamed)} (U+{ord(character):04X})"


def _is_in_place(text: str, at: int) -> bool:
    character = text[at]
    if character in _DIRECTION_MARKS:
        return _may_mark_direction(text, at)
    if (
        character in "\u200c\u200d"
        and at
        and unicodedata.combining(text[at - 1]) == _VIRAMA
    ):
        return True
    return any(
        character in allowed
        and re.search(rf"(?:{before})\Z", text[max(0, at - 99) : at])
        and re.match(after, text[at + 1 : at + 100])
        for allowed, before, after in _PLACES
    )


def _may_mark_direction(text: str, at: int) -> bool:
    """Return whether a direction mark can be needed: beside what has no direction of its own."""
    neighbours = text[max(0, at - 1) : at], text[at + 1 : at + 2]
    if all(map(str.isalpha, neighbours)):
        return False
    if any(neighbour and re.match(_SUSPECT, neighbour) for neighbour in neighbours):
        return False
    before = text[max(0, at - _NEARBY) : at].rpartition("\n")[2]
    behind = text[at + 1 : at + _NEARBY].partition("\n")[0]
    return re.search(_RIGHT_TO_LEFT, before + behind) is not None
