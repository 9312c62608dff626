"""Find parameters without which a change touches every row."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.sqltext.effects.statement_kind import verb_at
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind, depths, words

_ENDS = words("RETURNING ORDER LIMIT OUTPUT OPTION")


def parameters_that_open(statement: Statement) -> tuple[Token, ...]:
    """Return the parameters without which an UPDATE or DELETE touches every row.

    There are none where a condition beside them holds by itself, ``WHERE true`` among them. A
    filter is open while its parameter is NULL (``:x IS NULL OR …``), or while a list has no
    item (``NOT IN (:x)``).
    """
    tokens = statement.significant
    at = verb_at(tokens)
    if at is None or tokens[at].word not in ("UPDATE", "DELETE"):
        return ()
    parameters: list[Token] = []
    for condition in _split(_filter(tokens[at:]), "AND"):
        opened = _opening_parameter(condition)
        if opened is None:
            return ()
        parameters.append(opened)
    return tuple(parameters)


def _filter(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return the tokens behind WHERE, at the level of the verb."""
    levels = depths(tokens)
    outer = [at for at, level in enumerate(levels[:-1]) if not level]
    start = next((at for at in outer if tokens[at].word == "WHERE"), len(tokens))
    ends = (at for at in outer if at > start and _ends(tokens[at]))
    return tokens[start + 1 : next(ends, len(tokens))]


def _ends(token: Token) -> bool:
    return token.word in _ENDS or token.text == ";"


def _split(tokens: Sequence[Token], word: str) -> list[Sequence[Token]]:
    """Split at AND or OR at the same level; the AND of BETWEEN does not count."""
    levels, parts, start, between = depths(tokens), list[Sequence[Token]](), 0, False
    for at, token in enumerate(tokens):
        if levels[at]:
            continue
        if token.word == word and not between:
            parts.append(tokens[start:at])
            start = at + 1
        between = token.word == "BETWEEN" or (between and token.word != "AND")
    return [part for part in (*parts, tokens[start:]) if part]


def _opening_parameter(condition: Sequence[Token]) -> Token | None:
    """Return the parameter that makes a condition hold for every row, if one does."""
    condition = _strip_brackets(condition)
    if [token.word for token in condition].count("CASE"):
        return None
    for part in map(_strip_brackets, _split(condition, "OR")):
        token_words = [token.word for token in part]
        if part[0].kind is TokenKind.PARAM and token_words[1:] == ["IS", "NULL"]:
            return part[0]
    ending = [token.text for token in condition[-3:]]
    if ending[:1] == ["("] and ending[2:] == [")"]:
        condition = (*condition[:-3], condition[-2])
    return _excluded_list(condition)


def _excluded_list(condition: Sequence[Token]) -> Token | None:
    """Return the list of ``a NOT IN :list`` if that is the whole condition."""
    last = condition[-1]
    path = [token.text for token in condition[1:-3]]
    plain = all(text == "." for text in path[::2]) and len(path) % 2 == 0
    token_words = [token.word for token in condition[-3:-1]]
    is_list = token_words == ["NOT", "IN"] and last.kind is TokenKind.PARAM
    return last if plain and is_list else None


def _strip_brackets(tokens: Sequence[Token]) -> Sequence[Token]:
    """Strip the brackets around the whole of a condition."""
    while len(tokens) > 2 and tokens[0].text == "(" and tokens[-1].text == ")":
        levels = depths(tokens)
        if not all(levels[1:-2]):
            break
        tokens = tokens[1:-1]
    return tokens
