"""Check ids, slugs and versions, and build file names of them (S2.14-24)."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from datetime import datetime
from uuid import UUID

from .errors import StoreError

_LONGEST = 64
_LONGEST_FILE = 200
_UUID7 = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\Z"
)


def checked_id(text: object, what: str) -> str:
    """Return a UUID of version 7 in lower case. Raises StoreError."""
    found = text.lower() if isinstance(text, str) else ""
    if not _UUID7.match(found):
        raise StoreError("invalid", f"{what} must be a UUIDv7")
    return found


def checked_slug(text: object, what: str = "slug", *, dots: bool = False) -> str:
    """Return a slug; with ``dots`` a version, which may have dots, but not only dots.

    Unicode letters, decimal digits and ASCII dashes, 1 to 64 code points, NFC. Raises StoreError.
    """
    if not isinstance(text, str) or not _is_slug(text, dots):
        raise StoreError(
            "invalid",
            f"{what} must have 1 to {_LONGEST} letters, digits and dashes"
            + (" and dots" if dots else ""),
        )
    return text


def _is_slug(text: str, dots: bool) -> bool:
    def fits(character: str) -> bool:
        category = unicodedata.category(character)
        return category[0] == "L" or category == "Nd" or character == "-"

    return (
        0 < len(text) <= _LONGEST
        and unicodedata.normalize("NFC", text) == text
        and all(fits(each) or (dots and each == ".") for each in text)
        and text.strip(".") != ""
    )


def file_name(slug: str, version: str) -> str:
    """Return ``<slug>_<version>.json``; a hash where no file system takes a name so long."""
    name = f"{slug}_{version}"
    if len(name.encode()) > _LONGEST_FILE:
        name = hashlib.sha256(name.encode()).hexdigest()
    return f"{name}.json"


def new_id(now: datetime) -> str:
    """Return a new UUID of version 7 (RFC 9562): milliseconds, then chance."""
    milliseconds = int(now.timestamp() * 1000) & ((1 << 48) - 1)
    chance = int.from_bytes(os.urandom(10), "big")
    value = milliseconds << 80 | 0x7 << 76 | (chance >> 62 & 0xFFF) << 64
    value |= 0b10 << 62 | chance & ((1 << 62) - 1)
    return str(UUID(int=value))
