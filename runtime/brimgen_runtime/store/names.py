"""Check ids, slugs and versions, and derive file names from them."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from uuid import UUID

from ..grammar.slugs import id_mistake, slug_mistake
from .errors import Fault, StoreError, refused

_LONGEST_FILE = 200


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
