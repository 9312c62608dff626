"""Split a list into pages; a cursor says where the next page begins."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import TypeVar

from .failures import Refusal

ItemT = TypeVar("ItemT")
_MARK = "from:"


def page(
    items: Sequence[ItemT], cursor: str | None, size: int | None
) -> tuple[Sequence[ItemT], str | None]:
    """Return the items of a page, and the cursor of the next one (None on the last page).

    Without a ``size`` all items are on one page. Raises Refusal for a cursor that names no page.
    """
    start = 0 if cursor is None else _start(cursor, len(items), size)
    end = len(items) if size is None else start + size
    return items[start:end], _cursor(end) if end < len(items) else None


def _cursor(start: int) -> str:
    return urlsafe_b64encode(f"{_MARK}{start}".encode()).decode("ascii")


def _start(cursor: str, length: int, size: int | None) -> int:
    try:
        text = urlsafe_b64decode(cursor.encode("ascii")).decode("ascii")
    except ValueError:
        text = ""
    number = text.removeprefix(_MARK)
    if (
        size is not None
        and text.startswith(_MARK)
        and number.isdecimal()
        and len(number) < 10
    ):
        start = int(number)
        if start in range(size, length, size) and cursor == _cursor(start):
            return start
    raise Refusal(f"Unknown cursor: {cursor:.80}")
