"""The roles of parameters, and what stands around a use of one."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from brimgen.sqltext.tokens import Token


class Role(StrEnum):
    """What a parameter is used as."""

    VALUE = "value"
    COMPARED = "compared"
    IN_LIST = "in-list"
    IN_PART = "in-part"
    QUANTIFIED = "quantified"
    NULL_TEST = "null-test"
    SELECT_ITEM = "select-item"
    CALL = "call"
    ROWS = "rows"
    ORDER_ITEM = "order-item"
    GROUP_ITEM = "group-item"
    PATH = "path"
    IDENTIFIER = "identifier"


class Place(NamedTuple):
    """One use of a parameter.

    ``cast`` says that the author gives it a type (``::t``, ``CAST(:x AS t)``); ``function`` is
    the call that it is a whole argument of, in lower case. For `Role.IN_LIST`, ``start`` and
    ``end`` enclose the whole ``[NOT] IN (:x)``, ``negated`` tells the NOT, ``tight`` that a
    comparison or a cast stands beside it, so that it may not become one itself, ``of_row`` that
    a row such as ``(a, b)`` stands on its left. ``subscripted`` tells a ``[`` right after it.
    ``live`` is true inside an executable comment of MySQL.
    """

    token: Token
    role: Role
    start: int
    end: int
    cast: bool = False
    function: str = ""
    negated: bool = False
    bare: bool = False
    tight: bool = False
    of_row: bool = False
    subscripted: bool = False
    live: bool = False
