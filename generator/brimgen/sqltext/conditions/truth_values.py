"""Combine the three truth values of SQL."""

from __future__ import annotations

Truth = frozenset[bool | None]
YES: Truth = frozenset({True})
NO: Truth = frozenset({False})
NULL: Truth = frozenset({None})
MAYBE: Truth = frozenset({True, False, None})


def rank(value: bool | None) -> int:
    """Order the truth values: AND takes the least of its operands, OR the greatest."""
    return {False: 0, None: 1, True: 2}[value]


def exclusive_or(values: tuple[bool | None, ...]) -> bool | None:
    """Apply XOR to the operands."""
    return None if None in values else sum(map(bool, values)) % 2 == 1
