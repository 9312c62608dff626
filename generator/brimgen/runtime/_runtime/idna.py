"""Check labels of international host names (IDNA2008: RFC 5891 to 5893) with `unicodedata`.

The standard library knows neither scripts nor joining types: scripts are derived from the names of
characters, and a zero width non-joiner is allowed between Arabic-like letters.
"""

from __future__ import annotations

import unicodedata

_VALID = frozenset("\xdf\u03c2\u06fd\u06fe\u0f0b\u3007")
_INVALID = frozenset("\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b")
_CONTEXT = frozenset("\xb7\u0375\u05f3\u05f4\u30fb\u200c\u200d")
_LETTERS = frozenset(("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"))
_ARABIC = frozenset(map(chr, range(0x660, 0x66A)))
_PERSIAN = frozenset(map(chr, range(0x6F0, 0x6FA)))


def is_a_label_sound(label: str) -> bool:
    """Return whether a label with ``--`` in third place is an ``xn--`` label that decodes."""
    if not label.isascii() or label[:4].lower() != "xn--":
        return False
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return False
    if decoded.isascii() or not is_u_label(decoded) or breaks_bidi([decoded]):
        return False
    return decoded.encode("punycode").decode("ascii").lower() == label[4:].lower()


def is_u_label(label: str) -> bool:
    """Return whether a label with characters beyond ASCII is legal (RFC 5891, 4.2)."""
    if not label or label != unicodedata.normalize("NFC", label):
        return False
    if label[0] == "-" or label[-1] == "-" or label[2:4] == "--":
        return False
    if unicodedata.category(label[0])[0] == "M":
        return False
    try:
        size = len(label.encode("punycode")) + 4
    except UnicodeError:
        return False
    return size <= 63 and all(
        _in_context(label, at) if char in _CONTEXT else _is_legal(label, char)
        for at, char in enumerate(label)
    )


def _is_legal(label: str, char: str) -> bool:
    """Return whether a character is legal by itself (RFC 5892, 3)."""
    if char in _ARABIC:
        return not _PERSIAN & set(label)
    if char in _PERSIAN:
        return not _ARABIC & set(label)
    if char in _VALID:
        return True
    if char in _INVALID or 0x1100 <= ord(char) <= 0x11FF:
        return False
    if char.isascii():
        return char == "-" or char.isdigit() or char.islower() or char.isupper()
    folded = unicodedata.normalize(
        "NFKC", unicodedata.normalize("NFKC", char).casefold()
    )
    return folded == char and unicodedata.category(char) in _LETTERS


def _in_context(label: str, at: int) -> bool:
    """Return whether a character that depends on its neighbours is legal (RFC 5892, A)."""
    char = label[at]
    before = label[at - 1] if at else ""
    after = label[at + 1 : at + 2]
    if char == "\xb7":
        return before == "l" and after == "l"
    if char == "\u0375":
        return _script(after).startswith("GREEK")
    if char in "\u05f3\u05f4":
        return _script(before).startswith("HEBREW")
    if char == "\u30fb":
        return any(
            _script(each).startswith(("HIRAGANA", "KATAKANA LETTER", "CJK"))
            for each in label
        )
    if before and unicodedata.combining(before) == 9:
        return True
    joins = bool(before and after) and all(
        unicodedata.bidirectional(each) == "AL" for each in (before, after)
    )
    return char == "\u200c" and joins


def _script(char: str) -> str:
    return unicodedata.name(char, "") if char else ""


def breaks_bidi(labels: list[str]) -> bool:
    """Return whether labels of a name, one of which is right-to-left, break RFC 5893."""
    kinds = [[unicodedata.bidirectional(each) for each in label] for label in labels]
    if not any(kind in ("R", "AL", "AN") for label in kinds for kind in label):
        return False
    return not all(map(_is_sound_bidi, kinds))


def _is_sound_bidi(kinds: list[str]) -> bool:
    end = [kind for kind in kinds if kind != "NSM"][-1:]
    neutral = {"ES", "CS", "ET", "ON", "BN", "NSM", "EN"}
    if kinds[:1] == ["L"]:
        return set(kinds) <= neutral | {"L"} and end in (["L"], ["EN"])
    if kinds[:1] not in (["R"], ["AL"]):
        return False
    if "EN" in kinds and "AN" in kinds:
        return False
    legal = neutral | {"R", "AL", "AN"}
    return set(kinds) <= legal and end in (["R"], ["AL"], ["EN"], ["AN"])
