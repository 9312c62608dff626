"""Find calls of functions that are not known to change nothing."""

from __future__ import annotations

from brimgen.sql.statement import Statement
from brimgen.sql.tokens import BEFORE_EXPRESSION, TokenKind, words

_USUAL = words(
    "COUNT SUM MIN MAX AVG COALESCE LOWER UPPER NULLIF CAST LENGTH ROUND DATE NOW"
)
"""The functions of most statements, so that the long lists are rarely read."""

_NO_CALL = BEFORE_EXPRESSION | words(
    """AGAINST BERNOULLI BTREE CASE CHECK CLUSTER COLUMN COLUMNS CONFLICT CROSS CUBE CYCLE DEFINE
    DEPTH DIMENSION ELSE EXCLUDE EXISTS FILTER FORCE FOREIGN FULL GROUP GROUPING HASH IF IGNORE
    INDEX INNER JOIN KEEP KEY LEFT LOOP MATCH_RECOGNIZE MATERIALIZED MEASURES MODEL NATURAL OF
    OPTION OUTER OUTPUT OVER OVERWRITE PARTITION PATTERN PIVOT PRIMARY QUALIFY RANGE RECURSIVE
    REFERENCES RENAME REPLACE RESERVOIR RETURN RIGHT ROLLUP ROW ROWS RULES SAMPLE SET SETS SYSTEM
    TABLE TABLESAMPLE UNIQUE UNPIVOT UNTIL USE WINDOW WITHIN"""
)
"""Words before brackets that call nothing."""

_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})
_BUILT_IN = words("PG_CATALOG SYS NET SAFE HLL_COUNT KEYS SYSTEM$")
"""Schemas and prefixes whose functions are the database's own."""

_XML_METHODS = words("VALUE NODES QUERY EXIST")


def unknown_call(statement: Statement) -> str:
    """Return the text of the first function with unknown effects; empty if there is none."""
    tokens, token_words = statement.significant, statement.words
    dialect = statement.dialect.name
    for at in range(1, len(tokens)):
        name = tokens[at - 1]
        if tokens[at].text != "(" or name.kind not in _NAMES:
            continue
        word = token_words[at - 1]
        if word in _USUAL and (at < 2 or tokens[at - 2].text != "."):
            continue
        if word in _NO_CALL or not _is_call(statement, at - 1, at):
            continue
        start, is_own = _qualified(statement, at - 1)
        if dialect == "tsql" and start < at - 1 and word in _XML_METHODS:
            continue
        from brimgen.sql.pure_functions import (
            is_pure,  # most statements do without
        )

        if not (is_own and is_pure(word or name.text[1:-1].upper(), dialect)):
            return statement.text[tokens[start].start : name.end]
    return ""


def _qualified(statement: Statement, at: int) -> tuple[int, bool]:
    """Return where the name of a function starts, and whether the database defines it."""
    tokens, start = statement.significant, at
    while start > 1 and tokens[start - 1].text == ".":
        start -= 2
    if start == at:
        return at, True
    return start, at - start == 2 and statement.words[start] in _BUILT_IN


def _is_call(statement: Statement, at: int, opening: int) -> bool:
    """Whether a name before a bracket calls a function: it may also name a type, an alias with
    its columns, or what a WITH or an INSERT fills.
    """
    tokens, token_words = statement.significant, statement.words
    start, _ = _qualified(statement, at)
    before = tokens[start - 1] if start else None
    if [token.text for token in tokens[opening + 1 : opening + 3]] == ["+", ")"]:
        return False  # an outer join of Oracle
    if before is not None:
        if before.text == "::" or before.word in ("AS", "INTO"):
            return False
        ends = before.text in (")", "]") or before.kind is TokenKind.QUOTED
        plain = before.kind is TokenKind.WORD and before.word not in _BEFORE_CALL
        if ends or (plain and start > 1 and _is_source(statement, start - 1)):
            return False
    end = statement.closing_bracket(opening)
    return not (
        end is not None
        and end + 1 < len(tokens)
        and token_words[end + 1] == "AS"
        and (
            tokens[end + 2].text == "("
            or "MATERIALIZED" in token_words[end + 2 : end + 4]
        )
        and (
            token_words[start - 1] in ("WITH", "RECURSIVE")
            or tokens[start - 1].text == ","
        )
    )


_BEFORE_CALL = BEFORE_EXPRESSION | words("JOIN APPLY RETURN CASE TABLE ONLY ROWS")


def _is_source(statement: Statement, at: int) -> bool:
    """Whether the word at a place names a table, so that an alias with columns may follow."""
    before = statement.significant[at - 1]
    return before.word in ("FROM", "JOIN", "ONLY") or before.text in (",", ".")
