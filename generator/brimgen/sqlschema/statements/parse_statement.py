"""Parse a statement with sqlglot, so that calls stay as written and every node has its place.

sqlglot makes a class of each function that it knows, and reorders the arguments of some. Here all
calls but those with a syntax of their own stay `exp.Anonymous`: the tables of functions are ours.
A parameter is given a name of the same length that nothing else has, so that each use is found
again, and no offset changes.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from brimgen.frozen import dataclass
from brimgen.sqlschema.model import Place
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind

_FIRST = 0x4E00
_LONG = {TokenKind.LIVE_OPEN, TokenKind.AMBIGUOUS, TokenKind.FOREIGN}
_OWN_SYNTAX = (
    *("CAST", "TRY_CAST", "CONVERT", "EXTRACT", "OVERLAY", "POSITION", "SUBSTRING"),
    *("TRIM", "STRING_AGG", "GROUP_CONCAT", "JSON_TABLE", "XMLTABLE", "MATCH"),
)
"""Calls whose arguments are more than a list; sqlglot parses them."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement as a tree; ``uses`` are its parameters, by the name they have in the tree."""

    tree: exp.Expr
    text: str
    uses: Mapping[str, Token]


def parse(statement: Statement) -> Parsed | None:
    """Parse one statement; None where sqlglot cannot, or where several readings are possible."""
    if not _LONG.isdisjoint(statement.kinds):
        return None
    uses: dict[str, Token] = {}
    pieces: list[str] = []
    for token in statement.tokens:
        text = token.text
        if token.kind is TokenKind.PARAM:
            name = chr(_FIRST + len(uses)) + "_" * (len(text) - 2)
            uses[name] = token
            text = f":{name}"
        elif token.kind is TokenKind.ESCAPED:
            text = " :"
        elif token.word == "REPLACE" and token is statement.significant[0]:
            text = "INSERT "  # which sqlglot parses in every dialect
        pieces.append(text)
    tree = parse_text("".join(pieces), statement.dialect.name)
    return None if tree is None else Parsed(tree, statement.text, uses)


def parse_text(text: str, dialect: str) -> exp.Expr | None:
    """Parse the text of one statement; None where sqlglot cannot."""
    with _silenced():
        try:
            trees = _dialect(dialect).parse(text)
        except (SqlglotError, RecursionError):
            return None
    found = [each for each in trees if isinstance(each, exp.Expr)]
    if len(found) != 1 or isinstance(found[0], exp.Command):
        return None
    return found[0]


@contextmanager
def _silenced() -> Generator[None]:
    """Without what sqlglot logs about statements that it knows only by their first word."""
    logger = logging.getLogger("sqlglot")
    was, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = was


@cache
def _dialect(name: str) -> Dialect:
    """The dialect with a parser that leaves calls as they are written."""
    dialect = Dialect.get_or_raise(name)
    parser: Any = type(dialect).parser_class
    own = {
        name: parse
        for name, parse in parser.FUNCTION_PARSERS.items()
        if name in _OWN_SYNTAX
    }
    plain: Any = type(
        f"Plain{parser.__name__}", (parser,), {"FUNCTIONS": {}, "FUNCTION_PARSERS": own}
    )
    dialect.parser_class = plain
    return dialect


def place_of(node: exp.Expr, parsed: Parsed) -> Place:
    """Return where a node stands, from its first to its last token that sqlglot keeps a place of.

    The whole statement where it keeps none.
    """
    starts: list[int] = []
    ends: list[int] = []
    for each in node.walk():
        if isinstance(each, exp.Placeholder):
            token = parsed.uses.get(str(each.this))
            if token is not None:
                starts.append(token.start)
                ends.append(token.end)
        elif "start" in each.meta:
            starts.append(each.meta["start"])
            ends.append(each.meta["end"] + 1)
    if not starts:
        return Place(0, len(parsed.text.rstrip()))
    return Place(min(starts), max(ends))
