"""Find `::` casts in dialects that do not have them.

SQLite reads ``:year::int`` as the name of one variable, and MySQL gets it as it stands: both
refuse every call, long after the statement was built.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.sql.slips import Slip
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind, ends_operand, words

_MARK = "::"
_WITHOUT = {
    "sqlite": "SQLite",
    "mysql": "MySQL",
    "oracle": "Oracle",
    "tsql": "T-SQL",
    "bigquery": "BigQuery",
}
"""The dialects that have no such casts, as they are called."""

_OF_TYPES = frozenset({"tsql"})
"""Dialects in which ``type::Method()`` calls a method of a type, and ``SCHEMA::name`` names one."""

_SURE = frozenset({TokenKind.PARAM, TokenKind.NUMBER, TokenKind.STRING})
_WHOLE = words("INT INTEGER BIGINT SMALLINT INT2 INT4 INT8 INT64")
_TEXT = words("TEXT VARCHAR CHAR STRING CHARACTER")
_BROKEN = words("FLOAT DOUBLE REAL FLOAT4 FLOAT8 FLOAT64")
_TYPES: Mapping[str, tuple[str, str, str]] = {
    "sqlite": ("INTEGER", "TEXT", "REAL"),
    "mysql": ("SIGNED", "CHAR", "DOUBLE"),
    "oracle": ("INTEGER", "VARCHAR2(4000)", "BINARY_DOUBLE"),
    "tsql": ("BIGINT", "NVARCHAR(MAX)", "FLOAT"),
    "bigquery": ("INT64", "STRING", "FLOAT64"),
}
"""What whole numbers, texts and floats are cast to; of other types each dialect has its own."""


def foreign_cast(statement: Statement) -> Slip | None:
    """Find the first `::` that the dialect does not have, and its replacement there."""
    name = statement.dialect.name
    if name not in _WITHOUT or _MARK not in statement.text:
        return None
    tokens = statement.significant
    marks = (i for i, token in enumerate(tokens) if token.text == _MARK)
    for at in marks:
        if at and _is_cast(tokens[at - 1], name):
            replacement = (
                f"CAST({_operand(statement, at)} AS {_type(tokens, at, name)})"
            )
            why = f"casts nothing in {_WITHOUT[name]}: write `{replacement}`"
            return Slip(tokens[at], why)
    return None


def _is_cast(before: Token, dialect: str) -> bool:
    sure = before.kind in _SURE or before.text == ")"
    return sure or (dialect not in _OF_TYPES and ends_operand(before))


def _operand(statement: Statement, at: int) -> str:
    """Return what is cast if it is a name or a value; brackets are not followed."""
    tokens, first = statement.significant, at - 1
    while first > 1 and tokens[first - 1].text == ".":
        first -= 2
    text = statement.text[tokens[first].start : tokens[at - 1].end]
    return "…" if text == ")" or "\n" in text else text


def _type(tokens: tuple[Token, ...], at: int, dialect: str) -> str:
    type_name = tokens[at + 1].word if at + 1 < len(tokens) else ""
    for spellings, replacement in zip(
        (_WHOLE, _TEXT, _BROKEN), _TYPES[dialect], strict=True
    ):
        if type_name in spellings:
            return replacement
    return "…"
