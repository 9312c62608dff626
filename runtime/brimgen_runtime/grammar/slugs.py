"""Say what is wrong with ids, slugs and versions."""

from __future__ import annotations

import re
import unicodedata

from .rule_messages import Mistake

_LONGEST = 64
_UUID7 = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"
)


def id_mistake(text: str) -> Mistake | None:
    """Return a mistake if an id is no UUID of version 7 in lower case."""
    return None if _UUID7.match(text) else Mistake("bad-id", {"text": text[:80]})


def slug_mistake(text: str, key: str = "slug") -> Mistake | None:
    """Return the mistake in a slug, or in a version (``key`` is ``version``), if any.

    A slug has 1 to 64 Unicode letters, decimal digits and ASCII dashes, in NFC. A version may have
    dots, too, but not only dots.
    """
    reason = _fault(text, dots=key == "version")
    if reason is None:
        return None
    return Mistake("bad-slug", {"what": key, "text": text[:80], "reason": reason})


def _fault(text: str, *, dots: bool) -> str | None:
    if not text:
        return "is empty"
    if len(text) > _LONGEST:
        return f"has more than {_LONGEST} characters"
    if unicodedata.normalize("NFC", text) != text:
        return "is not in Unicode normal form NFC"
    for character in text:
        category = unicodedata.category(character)
        if category[0] == "L" or category == "Nd" or character == "-":
            continue
        if character == "." and dots:
            continue
        name = unicodedata.name(character, f"U+{ord(character):04X}")
        return f"has the character {character!a} ({name})"
    if not text.strip("."):
        return "has nothing but dots"
    return None
