"""Look up Unicode properties of ``\\p{…}`` as members of a Python character set."""

from __future__ import annotations

from functools import cache

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
    wanted = _GROUPS.get(_NAMES.get(name, name), (_NAMES.get(name, name),))
    ranges = _categories()
    found = [
        part
        for category, parts in ranges.items()
        if category.startswith(wanted)
        for part in parts
    ]
    return "".join(found) or None


@cache
def _categories() -> dict[str, list[str]]:
    """Return the ranges of code points of every general category (one pass over Unicode)."""
    import unicodedata

    found: dict[str, list[str]] = {}
    start, current = 0, unicodedata.category("\0")
    for code in range(1, 0x110001):
        category = unicodedata.category(chr(code)) if code < 0x110000 else ""
        if category != current:
            found.setdefault(current, []).append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start, current = code, category
    return found
