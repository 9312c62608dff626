"""Find the INSERT whose rows COPY of PostgreSQL can store: one row, of parameters alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind


class PlainInsert(NamedTuple):
    """The table and the columns that an INSERT stores its parameters in, in their order."""

    table: tuple[str, ...]
    columns: tuple[str, ...]


def plain_insert(statement: Statement) -> PlainInsert | None:
    """Return what an INSERT of one row of distinct parameters stores; None for any other text."""
    tokens = statement.significant
    if tokens and tokens[-1].text == ";":
        tokens = tokens[:-1]
    if [token.word for token in tokens[:2]] != ["INSERT", "INTO"]:
        return None
    bracket = next((at for at, token in enumerate(tokens) if token.text == "("), 0)
    count = len(statement.names)
    values = bracket + 2 * count + 1
    if count == 0 or len(tokens) != values + 2 + 2 * count:
        return None
    if tokens[values].word != "VALUES" or tokens[values + 1].text != "(":
        return None
    table = _names(tokens[2:bracket], ".")
    columns = _names(tokens[bracket + 1 : values - 1], ",")
    params = tokens[values + 2 : -1]
    is_plain = all(token.kind is TokenKind.PARAM for token in params[::2])
    if not (table and columns and is_plain) or len(table) > 2:
        return None
    if {token.text for token in params[1::2]} - {","}:
        return None
    return PlainInsert(table, columns)


def _names(tokens: Sequence[Token], mark: str) -> tuple[str, ...]:
    """Return the names between marks; () for anything else."""
    marks = {token.text for token in tokens[1::2]}
    if marks - {mark} or not len(tokens) % 2:
        return ()
    names = [_name(token) for token in tokens[::2]]
    return tuple(names) if all(names) else ()


def _name(token: Token) -> str:
    """Return a name as the database knows it; empty for what is no name."""
    if token.kind is TokenKind.QUOTED:
        return token.text[1:-1].replace('""', '"')
    return token.text.lower() if token.kind is TokenKind.WORD else ""
