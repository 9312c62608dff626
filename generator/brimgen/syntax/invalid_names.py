"""Say why a name is invalid, and suggest a valid one."""

from __future__ import annotations

import re
import unicodedata
from string import ascii_letters, digits

from brimgen.syntax.naming import NAME
from brimgen.syntax.reader import shown

_LONGEST = 64
_CHARACTERS = frozenset(f"{ascii_letters}{digits}_-")
_SPACES = {" ": "a space", "\t": "a tab", "\n": "a line end"}
# Letters that are written as two where there is a keyboard without them.
_WRITTEN_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "æ": "ae",
        "ø": "o",
        "œ": "oe",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Æ": "Ae",
        "Ø": "O",
        "Œ": "Oe",
        "ẞ": "Ss",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "þ": "th",
        "Þ": "Th",
    }
)


def why_invalid(name: str) -> str:
    """Say what makes ``name`` invalid; the first reason is enough."""
    if not name.strip():
        return "it is empty"
    wrong = next((each for each in name if each not in _CHARACTERS), "")
    if wrong:
        shown_as = _SPACES.get(wrong, f"`{shown(wrong)}`")
        return f"{shown_as} cannot stand in one"
    if name[0] not in ascii_letters:
        return f"it begins with `{name[0]}`, and not with a letter"
    if len(name) > _LONGEST:
        return f"it has {len(name)} characters"
    return "it is a device on Windows, where no file can be named after it"


def valid_spelling(name: str) -> tuple[str, ...]:
    """Return the name in plain letters, with `_` for invalid characters, if that makes it valid."""
    plain = unicodedata.normalize(
        "NFKD", unicodedata.normalize("NFC", name).translate(_WRITTEN_OUT)
    )
    bare = "".join(each for each in plain if not unicodedata.combining(each))
    tidy = re.sub(r"[^A-Za-z0-9-]+", "_", bare).strip("_-")
    return (tidy,) if NAME.match(tidy) else ()
