"""Suggest our type for a type name of another language."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.model.scalars import SCALARS

_BY_FOREIGN_NAME: Mapping[str, str] = {
    word: scalar.value for scalar, row in SCALARS.items() for word in row.foreign_names
}
_NOTHING = frozenset({"none", "null", "nil", "unit", "nothing", "undefined"})


def brimgen_types(word: str, *, returns: bool = False) -> tuple[str, ...]:
    """Return the type word for a type name of another language, or nothing.

    In ``returns`` of a tool, a word for no value is ``void``.
    """
    folded = word.casefold()
    if folded in _NOTHING:
        return ("void",) if returns else ()
    return (_BY_FOREIGN_NAME[folded],) if folded in _BY_FOREIGN_NAME else ()
