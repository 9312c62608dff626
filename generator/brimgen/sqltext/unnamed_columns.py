"""Find what databases call a column whose expression has no alias, where that is certain."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.sqltext.tokens import (
    CLOSING,
    OPENING,
    Token,
    TokenKind,
    depths,
    ends_operand,
    words,
)

_CALLED_BY_TEXT = frozenset(
    {"sqlite", "duckdb", "mysql", "tsql", "oracle", "snowflake", "bigquery"}
)
"""Dialects that call it by its text, in some form, or by no name that an author would choose."""

_OPERATORS = frozenset({"+", "-", "*", "/", "%", "||"})
_GIVING_NAMES = frozenset({"=", ":", "::", ":=", "@"})
"""Marks by which some dialects name a column, or after which the name of a part is kept."""

_NOT_CALLED = words(
    """NAME_CONST CONNECT_BY_ROOT PRIOR BINARY DISTINCT ALL ANY SOME NOT CASE INTERVAL AS"""
)
_CALLED_OTHERWISE = words(
    """CAST TRIM EXTRACT TREAT SUBSTRING OVERLAY POSITION COLLATION NORMALIZE ROW ARRAY EXISTS
    GROUPING"""
)
"""What looks like a function in PostgreSQL and is called by another name."""

_AFTER_CALL = words("OVER FILTER WITHIN GROUP")
_PATH = frozenset({TokenKind.WORD, TokenKind.QUOTED})


def function_named(item: Sequence[Token], dialect: str) -> str | None:
    """Return the name that PostgreSQL gives to a column that is the call of a function: its
    name.
    """
    called = _called(item) if dialect == "postgres" else None
    if called is None or called.word in _CALLED_OTHERWISE:
        return None
    levels = depths(item)
    after = [
        each
        for each, level in zip(item, levels, strict=False)
        if level == 0 and each.start > called.start
    ]
    rest = [each for each in after if each.text not in OPENING | CLOSING]
    if item[-1].text != ")" or any(each.word not in _AFTER_CALL for each in rest):
        return None
    quoted = called.kind is TokenKind.QUOTED
    return called.text[1:-1] if quoted else called.text.lower()


def is_unnamed(item: Sequence[Token], dialect: str) -> bool:
    """Whether no database of the dialect gives the expression the name of a column or the like.

    So it is with calls and with operators, if nothing after them can be an alias.
    """
    levels = depths(item)
    outer = {each.text for each, level in zip(item, levels, strict=False) if not level}
    if not outer.isdisjoint(_GIVING_NAMES):
        return False
    calculated = len(item) > 2 and item[-2].text in _OPERATORS and not levels[-2]
    if calculated and ends_operand(item[-1]) and ends_operand(item[-3]):
        return dialect in _CALLED_BY_TEXT or dialect == "postgres"
    called = _called(item)
    return called is not None and item[-1].text == ")" and dialect in _CALLED_BY_TEXT


def _called(item: Sequence[Token]) -> Token | None:
    """Return the function that an expression begins with a call of."""
    at = next((at for at, each in enumerate(item) if each.text == "("), 0)
    path = item[:at]
    is_path = at % 2 == 1 and all(
        each.kind in _PATH if index % 2 == 0 else each.text == "."
        for index, each in enumerate(path)
    )
    return path[-1] if is_path and path[-1].word not in _NOT_CALLED else None
