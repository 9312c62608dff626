"""Say what all texts of one statement have in common: its choices make several of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from brimgen.frozen import replace
from brimgen.sql.model import (
    ColumnType,
    Inferred,
    InferredColumn,
    InferredParameter,
)
from brimgen.sql.spec_types import spec_type


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
