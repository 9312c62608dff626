"""Read UUIDs from their usual form of five groups."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uuid import UUID

_USUAL = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")


def is_uuid(text: str) -> bool:
    """Return whether a text is a UUID in its usual form of five groups."""
    return _USUAL.match(text) is not None


def to_uuid(text: str) -> UUID:
    """Return the UUID of a text in the usual form. Raises ValueError."""
    if not is_uuid(text):
        raise ValueError("no UUID")
    return _uuid()(text)


@cache
def _uuid() -> type[UUID]:
    # It takes longer to load than all that a refusal needs.
    from uuid import UUID

    return UUID
