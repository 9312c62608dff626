"""Suggest our type for a type name of another language."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.model.scalars import SCALARS

_MEANT: Mapping[str, str] = {
    word: scalar.value for scalar, row in SCALARS.items() for word in row.foreign_names
}
_NOTHING = frozenset({"none", "null", "nil", "unit", "nothing", "undefined"})


def brimgen_types(word: str, *, returns: bool = False) -> tuple[str, ...]:
    """Return the type word for ``word`` of another language, or nothing.

    What returns nothing is ``void``, where a tool says what it ``returns``.
    """
    folded = word.casefold()
    if folded in _NOTHING:
        return ("void",) if returns else ()
    return (_MEANT[folded],) if folded in _MEANT else ()
