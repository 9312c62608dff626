"""Lists that are written as one text, with a delimiter between the items."""

from __future__ import annotations

from collections.abc import Iterable


class Delimited(list[str]):
    """Texts of which none has the ``separator``; where they are encoded, each is by itself."""

    __slots__ = ("separator",)

    def __init__(self, texts: Iterable[str], separator: str) -> None:
        super().__init__(texts)
        self.separator = separator
