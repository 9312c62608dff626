"""Say the type of a column in the spec language."""

from __future__ import annotations

from typing import NamedTuple

from brimgen.model.types import Scalar
from brimgen.sqlschema.model import Base, ColumnType

_UUID = "uuid"
"""The leaf of the language for UUIDs, which are no scalar."""


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

    JSON has none: whether its values are objects, lists or texts is not known.
    """
    if type is None:
        return None
    if type.base is Base.LIST:
        item = spec_type(type.item)
        return None if item is None or item.is_list else item._replace(is_list=True)
    if type.base is Base.UUID:
        return SpecType(_UUID)
    if type.scalar is None:
        return None
    labels = type.labels if type.scalar is Scalar.STRING else ()
    return SpecType(type.scalar.value, labels=labels)
