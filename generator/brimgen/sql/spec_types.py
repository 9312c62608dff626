"""Write the types of columns in the spec language; say what all texts of a statement have in
common, of which its choices make several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from brimgen.frozen import replace
from brimgen.model.types import Scalar
from brimgen.sql.model import (
    Base,
    ColumnType,
    Inferred,
    InferredColumn,
    InferredParameter,
)

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


def agreed(texts: Sequence[Inferred]) -> Inferred:
    """Return what holds for each of several texts; what differs is unknown.

    Places are those of the first text; a parameter of other texts has none. ``columns`` is None
    where the texts name different ones.
    """
    first, *others = texts
    if not others:
        return first
    unreadable = next((each for each in texts if each.unreadable is not None), None)
    if unreadable is not None:
        return unreadable
    gives_rows = {each.gives_rows for each in texts}
    return replace(
        first,
        columns=_columns(texts),
        gives_rows=gives_rows.pop() if len(gives_rows) == 1 else None,
        parameters={
            name: _parameter(
                [each.parameters[name] for each in texts if name in each.parameters],
                has_places=name in first.parameters,
            )
            for name in dict.fromkeys(
                name for each in texts for name in each.parameters
            )
        },
        at_least_one=all(each.at_least_one for each in texts),
        findings=tuple(finding for each in texts for finding in each.findings),
    )


def _columns(texts: Sequence[Inferred]) -> tuple[InferredColumn, ...] | None:
    names = {
        None if each.columns is None else tuple(column.name for column in each.columns)
        for each in texts
    }
    if len(names) > 1 or None in names:
        return None
    rows = [each.columns or () for each in texts]
    return tuple(
        replace(
            columns[0],
            type=_type(column.type for column in columns),
            nullable=_any(column.nullable for column in columns),
        )
        for columns in zip(*rows, strict=True)
    )


def _parameter(
    uses: Sequence[InferredParameter], *, has_places: bool
) -> InferredParameter:
    first = uses[0]
    nullables = {use.nullable for use in uses}
    known = [use for use in uses if use.type is not None]
    are_lists = {use.is_list for use in known}
    return replace(
        first,
        type=_type(use.type for use in known) if len(are_lists) == 1 else None,
        nullable=False if False in nullables else (True if True in nullables else None),
        places=first.places if has_places else (),
        is_list=are_lists == {True},
        stored=any(use.stored for use in uses),
    )


def _type(types: Iterable[ColumnType | None]) -> ColumnType | None:
    """The type, if a spec writes all of them alike."""
    first, *others = types
    word = spec_type(first)
    return first if all(spec_type(each) == word for each in others) else None


def _any(answers: Iterable[bool | None]) -> bool | None:
    """Whether one is true; None where that is not sure."""
    found = {*answers}
    return True if True in found else (None if None in found else False)
