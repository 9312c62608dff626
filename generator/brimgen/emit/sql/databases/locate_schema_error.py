"""Find the word in a schema's statement that SQLite refuses."""

from __future__ import annotations

import re
import sqlite3

from brimgen.sqltext import DIALECTS, scan

_NAMED = re.compile(
    r'near "([^"]+)"|unrecognized token: "(.+)"|[a-z]: (.+)\Z'
    r'|\b(?:table|view|index|trigger) "?(\w+)"? (?:already|has)\b'
)


def locate_error(
    statement: str, refusal: str, connection: sqlite3.Connection
) -> tuple[int, int]:
    """Return the place where SQLite stops in ``statement``, or of the first name in its
    message; else the start of the statement.
    """
    tokens = scan(statement, DIALECTS["sqlite"]).significant
    if not tokens:
        return 0, 0
    if refusal == "incomplete input":
        return tokens[-1].start, tokens[-1].end
    named = next((group for group in _named(refusal) if group), "").casefold()
    if not refusal.startswith("near"):
        named = named.rpartition(".")[2]
    matches = [token for token in tokens if token.folded == named]
    if refusal.startswith("near"):
        cut = (
            token
            for token in matches
            if _is_refused_alike(connection, statement[: token.end], refusal)
        )
        matches = [*cut, *matches[-1:]]
    elif refusal.startswith("duplicate column"):
        matches = matches[1:]
    named_token = matches[0] if matches else tokens[0]
    return named_token.start, named_token.end


def _named(refusal: str) -> tuple[str, ...]:
    match = _NAMED.search(refusal)
    return () if match is None else match.groups("")


def _is_refused_alike(connection: sqlite3.Connection, text: str, refusal: str) -> bool:
    """Whether SQLite refuses a text for the same reason."""
    try:
        connection.execute(f"EXPLAIN {text}")
    except sqlite3.Error as error:
        return str(error) == refusal
    return False
