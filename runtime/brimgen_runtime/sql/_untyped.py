"""Bind moments whose type the server infers from the column that they are compared with.

PostgreSQL and DuckDB compare ``timestamp`` with ``timestamptz`` in the time zone of the session.
What is bound here is right for both, whatever that zone is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, tzinfo
from typing import TypeVar

from . import _encode

ValueT = TypeVar("ValueT")


class Instant(datetime):
    """A datetime in UTC without an offset, which asyncpg sends as the server's type wants it: as
    it is for ``timestamp``, and by `astimezone` for ``timestamptz``.
    """

    def astimezone(self, tz: tzinfo | None = None) -> Instant:
        """Return the same instant with an offset."""
        aware = self if self.tzinfo else self.replace(tzinfo=UTC)
        return super(Instant, aware).astimezone(tz)


def instant(value: datetime, name: str) -> Instant:
    """An instant for a parameter whose type the server finds: ``timestamp`` or ``timestamptz``."""
    plain = _encode.timestamp(value, name)
    return Instant.combine(plain.date(), plain.time())


def lenient_instant(value: datetime, name: str) -> Instant:
    """`instant` for a field that takes a datetime without an offset for UTC."""
    plain = _encode.lenient_timestamp(value, name)
    return Instant.combine(plain.date(), plain.time())


def instant_text(value: datetime, name: str) -> str:
    """An instant as text in UTC with its offset, which ``timestamp`` ignores."""
    return f"{_encode.timestamp_text(value, name)}+00:00"


def lenient_instant_text(value: datetime, name: str) -> str:
    """`instant_text` for a field that takes a datetime without an offset for UTC."""
    return f"{_encode.lenient_timestamp_text(value, name)}+00:00"


def array_text(
    encode: Callable[[ValueT, str], str | int | float],
) -> Callable[[Sequence[ValueT], str], str]:
    """An encoder of lists as the text of an array, to which PostgreSQL gives the type."""
    encode_list = _encode.array(encode)

    def encode_items(value: Sequence[ValueT], name: str) -> str:
        items = (str(item) for item in encode_list(value, name))
        quoted = (item.replace("\\", "\\\\").replace('"', '\\"') for item in items)
        return "{" + ",".join(f'"{item}"' for item in quoted) + "}"

    return encode_items
