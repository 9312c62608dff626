"""Read the names of result columns from the text of a statement, where they are certain."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.frozen import dataclass
from brimgen.sql.effects import verb_at
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import (
    BEFORE_EXPRESSION,
    CLOSING,
    OPENING,
    Token,
    TokenKind,
    depths,
    ends_operand,
    words,
)

_LIST_ENDS = words(
    """FROM WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH WINDOW QUALIFY UNION INTERSECT EXCEPT MINUS
    FOR INTO"""
)
_NO_ALIASES = BEFORE_EXPRESSION | words(
    """END ISNULL NOTNULL NULL TRUE FALSE CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP PRIOR BINARY
    CONNECT_BY_ROOT STRAIGHT_JOIN HIGH_PRIORITY SQL_CALC_FOUND_ROWS"""
)
_SPREADING = words("COLUMNS UNNEST EXPLODE FLATTEN INLINE STACK STRUCT")
_MODIFIERS = words("DISTINCT ALL")
_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})


@dataclass(frozen=True, slots=True)
class Column:
    """One column: where its expression ends, and its name; None where the text does not show it.

    ``spread`` is one of those that ``*`` stands for: nobody has asked for it by name.
    ``unnamed`` is an expression without an alias, to which no database gives a name that an author
    would; its text.
    """

    name: str | None
    token: Token
    spread: bool = False
    unnamed: str = ""


def columns(statement: Statement) -> tuple[Column, ...] | None:
    """Return the columns of the rows that a statement gives, or None if their number is
    uncertain.

    Those of SELECT (the first one, of several in a UNION) and of RETURNING.
    """
    tokens = statement.significant
    while tokens and tokens[-1].text == ";":
        tokens = tokens[:-1]
    at = verb_at(tokens)
    several = ";" in statement.text and any(token.text == ";" for token in tokens)
    if at is None or several:
        return None
    start = _list_start(tokens, at)
    return None if start is None else _columns(tokens[start:], statement)


def _list_start(tokens: Sequence[Token], at: int) -> int | None:
    """Find the start of the column list: after SELECT, or after RETURNING."""
    if tokens[at].word in ("INSERT", "UPDATE", "DELETE", "REPLACE"):
        levels = depths(tokens)
        returning_places = [
            index + 1
            for index, token in enumerate(tokens)
            if token.word == "RETURNING" and levels[index] == 0
        ]
        return returning_places[0] if len(returning_places) == 1 else None
    if tokens[at].word != "SELECT":
        return None
    at += 1
    while at < len(tokens) and tokens[at].word in _MODIFIERS:
        at += 1
    unsure = at == len(tokens) or tokens[at].word in ("TOP", "ON")
    return None if unsure else at


def _columns(
    tokens: Sequence[Token], statement: Statement
) -> tuple[Column, ...] | None:
    items: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        text, item = token.text, items[-1]
        if text in CLOSING:
            depth = max(0, depth - 1)
        if depth == 0:
            closed = text == ")" and not any(part.text == "(" for part in item)
            if closed or (token.word in _LIST_ENDS and not _is_part(item)):
                break
        if depth == 0 and text == ",":
            items.append([])
        else:
            item.append(token)
        depth += text in OPENING
    if not all(items) or any(_is_star(item) for item in items):
        return None
    return tuple(_column(item, statement) for item in items)


def _column(item: Sequence[Token], statement: Statement) -> Column:
    dialect, last = statement.dialect.name, item[-1]
    name = _name(item) or function_column_name(item, dialect)
    if name is not None or not is_unnamed(item, dialect):
        return Column(name, last)
    text = " ".join(statement.text[item[0].start : last.end].split())
    return Column(None, last, unnamed=text)


def _is_part(item: Sequence[Token]) -> bool:
    """Whether FROM belongs to ``IS [NOT] DISTINCT FROM``."""
    return bool(item) and item[-1].word == "DISTINCT"


def _is_star(item: Sequence[Token]) -> bool:
    """``*``, ``t.*`` and what may follow them, as in ``* EXCLUDE (a)``; not ``count(*)``."""
    if any(token.word in _SPREADING for token in item):
        return True
    return any(token.text == "*" for token in item) and any(
        token.text == "*" and level == 0 and (index == 0 or item[index - 1].text == ".")
        for index, (token, level) in enumerate(zip(item, depths(item), strict=False))
    )


def _name(item: Sequence[Token]) -> str | None:
    last, rest = item[-1], item[:-1]
    if rest and rest[-1].word == "AS":
        return _unquoted(last, aliased=True)
    follows = bool(rest) and rest[-1].word not in _NO_ALIASES and _is_path(rest)
    called = bool(rest) and rest[-1].text == ")"
    sure = _is_path(item) or follows or called
    return _unquoted(last) if sure and last.word not in _NO_ALIASES else None


def _is_path(item: Sequence[Token]) -> bool:
    """``a``, ``t.a``, ``s.t.a``."""
    return len(item) % 2 == 1 and all(
        token.kind in _NAMES if index % 2 == 0 else token.text == "."
        for index, token in enumerate(item)
    )


def _unquoted(token: Token, *, aliased: bool = False) -> str | None:
    """A name without its quotes; after AS some databases take a string for one."""
    if token.kind is TokenKind.WORD:
        return token.text
    if token.kind is TokenKind.QUOTED or (aliased and token.kind is TokenKind.STRING):
        mark, inner = token.text[0], token.text[1:-1]
        if mark == "[":
            return inner.replace("]]", "]")
        if mark in "\"'`" and "\\" not in inner:
            return inner.replace(mark * 2, mark)
    return None


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


def function_column_name(item: Sequence[Token], dialect: str) -> str | None:
    """Return the name that PostgreSQL gives to a column that is the call of a function: its
    name.
    """
    called = _called_function(item) if dialect == "postgres" else None
    if called is None or called.word in _CALLED_OTHERWISE:
        return None
    levels = depths(item)
    after = [
        token
        for token, level in zip(item, levels, strict=False)
        if level == 0 and token.start > called.start
    ]
    clauses = [token for token in after if token.text not in OPENING | CLOSING]
    if item[-1].text != ")" or any(token.word not in _AFTER_CALL for token in clauses):
        return None
    quoted = called.kind is TokenKind.QUOTED
    return called.text[1:-1] if quoted else called.text.lower()


def is_unnamed(item: Sequence[Token], dialect: str) -> bool:
    """Whether no database of the dialect gives the expression the name of a column or the like.

    So it is with calls and with operators, if nothing after them can be an alias.
    """
    levels = depths(item)
    outer = {
        token.text for token, level in zip(item, levels, strict=False) if not level
    }
    if not outer.isdisjoint(_GIVING_NAMES):
        return False
    calculated = len(item) > 2 and item[-2].text in _OPERATORS and not levels[-2]
    if calculated and ends_operand(item[-1]) and ends_operand(item[-3]):
        return dialect in _CALLED_BY_TEXT or dialect == "postgres"
    called = _called_function(item)
    return called is not None and item[-1].text == ")" and dialect in _CALLED_BY_TEXT


def _called_function(item: Sequence[Token]) -> Token | None:
    """Return the function that an expression begins with a call of."""
    at = next((at for at, token in enumerate(item) if token.text == "("), 0)
    path = item[:at]
    return path[-1] if _is_path(path) and path[-1].word not in _NOT_CALLED else None
