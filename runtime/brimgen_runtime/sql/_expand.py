"""Choose the text of a statement, and expand a list after IN to one placeholder for each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ._bind_error import refuse

KeyT = TypeVar("KeyT")
WriterT = TypeVar("WriterT")

MOST = 1000
"""How many items Oracle takes on the right of IN."""


def expanded(
    pieces: Sequence[str],
    lists: Sequence[tuple[str, Sequence[object]]],
    mark: str,
    empty: str,
    row: str = "",
) -> str:
    """The text of a statement whose ``pieces`` stand around lists on the right of IN.

    Each list is its key and its items; ``mark`` is a placeholder, ``{}`` in it the key of one
    item; an empty list becomes ``empty``, a query without rows. ``row`` is a query of one value:
    where it is given, a list of more than `MOST` items becomes the union of one for each.
    """
    text = pieces[0]
    for (key, items), piece in zip(lists, pieces[1:], strict=True):
        marks = [mark.replace("{}", f"{key}__{at}") for at in range(len(items))]
        if row and len(marks) > MOST:
            rows = " UNION ALL ".join(
                row.replace("{}", placeholder) for placeholder in marks
            )
            text += f"({rows})"
        else:
            text += f"({', '.join(marks)})" if marks else empty
        text += piece
    return text


def spread(key: str, items: Sequence[object]) -> dict[str, object]:
    """The items of a list under the keys that `expanded` gives them."""
    return {f"{key}__{at}": item for at, item in enumerate(items)}


def chosen(writers: Mapping[KeyT, WriterT], key: KeyT) -> WriterT:
    """The writer of the variant that ``key`` chooses. Raises `BindError` if there is none."""
    try:
        return writers[key]
    except (KeyError, TypeError):
        keys = ", ".join(map(repr, writers))
        refuse("choices", f"{key!r:.80} chooses no text among {keys:.200}")
