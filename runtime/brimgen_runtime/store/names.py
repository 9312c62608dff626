"""Check ids, slugs and versions, and derive file names from them."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from datetime import datetime
from uuid import UUID

from .errors import Fault, StoreError, refused
from .rule_messages import Mistake

_LONGEST = 64
_LONGEST_FILE = 200
_UUID7 = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"
)


def id_mistake(text: str) -> Mistake | None:
    """Return a mistake if an id is no UUID of version 7 in lower case."""
    return None if _UUID7.match(text) else Mistake("R423", {"text": text[:80]})


def slug_mistake(text: str, key: str = "slug") -> Mistake | None:
    """Return the mistake in a slug, or in a version (``key`` is ``version``), if any.

    A slug has 1 to 64 Unicode letters, decimal digits and ASCII dashes, in NFC. A version may have
    dots, too, but not only dots.
    """
    reason = _fault(text, dots=key == "version")
    if reason is None:
        return None
    return Mistake("R389", {"what": key, "text": text[:80], "reason": reason})


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


def checked_id(text: object, key: str) -> str:
    """Return a UUID of version 7 in lower case. Raises StoreError."""
    if not isinstance(text, str):
        raise StoreError("invalid", f"{key} must be a UUIDv7")
    mistake = id_mistake(text.lower())
    if mistake is not None:
        raise refused([Fault.of(mistake, key)])
    return text.lower()


def checked_slug(text: object, key: str = "slug") -> str:
    """Return a slug, or a version. Raises StoreError."""
    if not isinstance(text, str):
        raise StoreError("invalid", f"{key} must be a string")
    mistake = slug_mistake(text, key)
    if mistake is not None:
        raise refused([Fault.of(mistake, key)])
    return text


def file_name(slug: str, version: str) -> str:
    """Return ``<slug>_<version>.json``; a hash if that is too long for a file name."""
    name = f"{slug}_{version}"
    if len(name.encode()) > _LONGEST_FILE:
        name = hashlib.sha256(name.encode()).hexdigest()
    return f"{name}.json"


def new_id(now: datetime) -> str:
    """Return a new UUID of version 7 (RFC 9562): milliseconds, then random bits."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    chance = int.from_bytes(os.urandom(10), "big")
    value = milliseconds << 80 | 0x7 << 76 | (chance >> 62 & 0xFFF) << 64
    value |= 0b10 << 62 | chance & ((1 << 62) - 1)
    return str(UUID(int=value))
