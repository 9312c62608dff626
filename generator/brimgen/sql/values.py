"""What an expression gives, and what a call or an operator means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from sqlglot import exp

from brimgen.sql.model import Base, ColumnType, Mistake, Origin


class Value(NamedTuple):
    """What an expression gives.

    ``open`` marks a parameter, NULL, and where the dialect has it so a string literal: its type is
    that of what it stands beside, ``type`` the one that it has alone. ``origin`` is the column
    that it comes from unchanged.
    """

    type: ColumnType | None
    nullable: bool | None
    node: exp.Expr
    open: bool = False
    origin: Origin | None = None

    @property
    def is_parameter(self) -> bool:
        """Whether it is a parameter, in brackets perhaps."""
        return isinstance(self.node.unnest(), exp.Placeholder)


class Nulls(StrEnum):
    """When a call is NULL.

    ``STRICT``: if an argument is; ``LOOSE``: then, and perhaps of other arguments; ``MAYBE``:
    then, and of some other arguments for sure; ``ALL``: if all are; ``FIRST``: if the first is.
    ``GROUP``: an aggregate of nothing but NULL; ``COLLECT``: an aggregate of no rows. The rest
    belong to single functions.
    """

    STRICT = "strict"
    LOOSE = "loose"
    MAYBE = "maybe"
    NEVER = "never"
    ALL = "all"
    FIRST = "first"
    GROUP = "group"
    COLLECT = "collect"
    BRANCH = "branch"
    NULLIF = "nullif"
    NEIGHBOUR = "neighbour"
    FRAME = "frame"
    UNSURE = "unsure"


NULL_OF_NULL = frozenset({Nulls.STRICT, Nulls.LOOSE, Nulls.MAYBE, Nulls.NULLIF})
"""When a call with an argument that is NULL is NULL for sure."""


class Meaning(NamedTuple):
    """What a call or an operator means.

    ``arguments`` are the types that it takes, None for any; a parameter or a string literal among
    them becomes of that type. ``kind`` is f for a function, a aggregate, w window function, s
    function that returns a set.
    """

    type: ColumnType | None
    arguments: tuple[ColumnType | None, ...] = ()
    kind: str = "f"
    nulls: Nulls = Nulls.UNSURE

    def type_of(self, values: Sequence[Value]) -> ColumnType | None:
        """Return the type for ``values``; None for a list of some that may be NULL.

        No type of a spec says so, since the items of a list are never null.
        """
        if self.type is None or self.type.base is not Base.LIST:
            return self.type
        may_list_null = self.nulls is not Nulls.STRICT and any(
            value.nullable is not False
            and (value.type is None or value.type.base is not Base.LIST)
            for value in values
        )
        return None if may_list_null else self.type


class Refused(NamedTuple):
    """Why there is no such call or operator, and what else there is."""

    mistake: Mistake
    text: str
    subject: str = ""
    candidates: tuple[str, ...] = ()


NOTHING_KNOWN = Meaning(None)


def strict(nullables: Iterable[bool | None]) -> bool | None:
    """Whether a value that is NULL exactly if one of the others is may be NULL."""
    kinds = set(nullables)
    if True in kinds:
        return True
    return None if None in kinds else False


def all_of(nullables: Iterable[bool | None]) -> bool | None:
    """Whether a value that is NULL exactly if all others are may be NULL."""
    kinds = set(nullables)
    if False in kinds:
        return False
    return None if None in kinds else True
