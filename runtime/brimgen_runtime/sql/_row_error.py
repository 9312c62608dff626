"""The error that is raised for a row that cannot be read."""

from __future__ import annotations


class RowError(ValueError):
    """A row that is not as its statement declares.

    ``told`` says what is wrong without values, for logs; ``shown`` is what the message adds.
    ``row`` is its number in the result, from 1 on, where that is known.
    """

    row: int | None = None

    def __init__(self, told: str, shown: str = "") -> None:
        super().__init__(f"{told}{shown}")
        self.told = told
