"""Write the type of a column in the spec language."""

from __future__ import annotations

from typing import NamedTuple

from brimgen.model.types import Scalar
from brimgen.sql.model import Base, ColumnType

_UUID = "uuid"
"""The leaf of the language for UUIDs, which are no scalar."""

_SCALARS = {
    Base.UINT8: Scalar.UINT64,
    Base.TIME: Scalar.TIME,
    Base.BYTES: Scalar.BYTES,
}
_NO_TIME_OF_DAY = frozenset({"time", "time with time zone", "TIME WITH TIME ZONE"})
"""MySQL's `time` may be a duration, and a time with a zone is none of the language."""


class SpecType(NamedTuple):
    """A type as a spec writes it: a word, `[]` for a list, and the values of an enum."""

    word: str
    is_list: bool = False
    labels: tuple[str, ...] = ()

    def text(self, *, optional: bool = False) -> str:
        """The type without its labels: ``int[]?``."""
        return f"{self.word}{'[]' * self.is_list}{'?' * optional}"


def spec_type(type: ColumnType | None) -> SpecType | None:
    """Return the type of the spec language; None where there is none, or the column's is unknown.

    JSON has none, because its values may be objects, lists or texts, and so have intervals, because
    those with months are no durations.
    """
    if type is None:
        return None
    if type.base is Base.LIST:
        item = spec_type(type.item)
        return None if item is None or item.is_list else item._replace(is_list=True)
    if type.base is Base.UUID:
        return SpecType(_UUID)
    scalar = _SCALARS.get(type.base, type.scalar)
    if scalar is None or type.native in _NO_TIME_OF_DAY:
        return None
    labels = type.labels if scalar is Scalar.STRING else ()
    return SpecType(scalar.value, labels=labels)
