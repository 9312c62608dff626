"""Values that are bound, and the keys under which a driver gets them."""

from __future__ import annotations

from typing import NamedTuple

from brimgen.frozen import dataclass
from brimgen.sql import Statement
from brimgen.sql.tokens import words

_ORACLE_WORDS = words(
    """ACCESS ADD ALL ALTER AND ANY AS ASC AUDIT BETWEEN BY CHAR CHECK CLUSTER COLUMN COMMENT
    COMPRESS CONNECT CREATE CURRENT DATE DECIMAL DEFAULT DELETE DESC DISTINCT DROP ELSE EXCLUSIVE
    EXISTS FILE FLOAT FOR FROM GRANT GROUP HAVING IDENTIFIED IMMEDIATE IN INCREMENT INDEX INITIAL
    INSERT INTEGER INTERSECT INTO IS LEVEL LIKE LOCK LONG MAXEXTENTS MINUS MLSLABEL MODE MODIFY
    NOAUDIT NOCOMPRESS NOT NOWAIT NULL NUMBER OF OFFLINE ON ONLINE OPTION OR ORDER PCTFREE PRIOR
    PUBLIC RAW RENAME RESOURCE REVOKE ROW ROWID ROWNUM ROWS SELECT SESSION SET SHARE SIZE SMALLINT
    START SUCCESSFUL SYNONYM SYSDATE TABLE THEN TO TRIGGER UID UNION UNIQUE UPDATE USER VALIDATE
    VALUES VARCHAR VARCHAR2 VIEW WHENEVER WHERE WITH"""
)
_FOLDING = frozenset({"duckdb", "oracle", "bigquery"})
"""Dialects for which `:a` and `:A` are one parameter; in the others each name is its own key."""


class Slot(NamedTuple):
    """A value that is bound: of which parameter, under which key.

    ``given`` slots stand where only "is it NULL" is asked; they have a key of their own so that
    the database need not find one type for both uses. So do further uses whose type may differ
    (``use``, which counts from 1).
    """

    name: str
    key: str
    given: bool = False
    use: int = 1


@dataclass(frozen=True, slots=True)
class Expansion:
    """The right side of IN, made of one placeholder an item when the list is known."""

    slot: Slot


def slot_of(
    statement: Statement, name: str, *, given: bool = False, use: int = 1
) -> Slot:
    """Return the slot of a parameter; ``given`` where only "is it NULL" is asked."""
    key, dialect = name, statement.dialect.name
    if dialect in _FOLDING:
        if dialect == "oracle":
            odd = key.upper() in _ORACLE_WORDS or not key.isascii() or key[0] == "_"
            plain = key.strip("_") if key.isascii() else ""
            key = f"b{statement.names.index(name)}_{plain}" if odd else key
        key = _distinct_key(statement, name, key)
    if given or use > 1:
        key = f"{key}__{'given' if given else use}"
        while key in statement.names:
            key += "_"
    return Slot(name, key, given, use)


def _distinct_key(statement: Statement, name: str, key: str) -> str:
    """Return the key of a parameter; a different one where only its case sets it apart from
    others.
    """
    folded = [parameter.lower() for parameter in statement.names]
    if folded.count(name.lower()) > 1:
        key = f"{key}_{statement.names.index(name)}"
        while key.lower() in folded:
            key += "_"
    return key


def spread_of(statement: Statement, slot: Slot) -> Slot:
    """Return a list whose items have keys that no other parameter has."""
    key = slot.key
    while any(name.startswith(f"{key}__") for name in statement.names):
        key += "_"
    return slot._replace(key=key)
