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
from sqlglot.errors import ParseError, SqlglotError

from brimgen.frozen import dataclass
from brimgen.sql.model import Place, Unreadable
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind

_FIRST_NAME = 0x4E00
_AMBIGUOUS = {TokenKind.LIVE_OPEN, TokenKind.AMBIGUOUS, TokenKind.FOREIGN}
_OWN_SYNTAX = (
    *("CAST", "TRY_CAST", "CONVERT", "EXTRACT", "OVERLAY", "POSITION", "SUBSTRING"),
    *(
        "TRIM",
        "STRING_AGG",
        "GROUP_CONCAT",
        "JSON_TABLE",
        "XMLTABLE",
        "MATCH",
        "OPENJSON",
    ),
)
"""Calls whose arguments are more than a list; sqlglot parses them."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement as a tree; ``uses`` are its parameters, by the name they have in the tree."""

    tree: exp.Expr
    text: str
    uses: Mapping[str, Token]


def parse(statement: Statement) -> Parsed | Unreadable:
    """Parse one statement, if sqlglot can, and if there is only one way to read it."""
    if not _AMBIGUOUS.isdisjoint(statement.kinds):
        token = next(token for token in statement.tokens if token.kind in _AMBIGUOUS)
        reason = f"`{token.text}` can be read in several ways"
        return Unreadable(reason, Place(token.start, token.end))
    uses: dict[str, Token] = {}
    pieces: list[str] = []
    mark = "$" if statement.dialect.prefix_alias else ":"
    for token in statement.tokens:
        text = token.text
        if token.kind is TokenKind.PARAM:
            name = chr(_FIRST_NAME + len(uses)) + "_" * (len(text) - 2)
            uses[name] = token
            text = f"{mark}{name}"
        elif token.kind is TokenKind.ESCAPED:
            text = " :"
        elif token.word == "REPLACE" and token is statement.significant[0]:
            text = "INSERT "  # which sqlglot parses in every dialect
        pieces.append(text)
    tree = parse_text("".join(pieces), statement.dialect.name, statement.text)
    if isinstance(tree, Unreadable):
        return tree
    if "?" in statement.text:
        for placeholder in tree.find_all(exp.Placeholder):
            if str(placeholder.this) not in uses:
                whole = Place(0, len(statement.text.rstrip()))
                return Unreadable("sqlglot takes an operator for a placeholder", whole)
    return Parsed(tree, statement.text, uses)


def parse_text(text: str, dialect: str, written: str) -> exp.Expr | Unreadable:
    """Parse the text of one statement, if sqlglot can; ``written`` is the text of its author."""
    whole = Place(0, len(text.rstrip()))
    with _silent_sqlglot():
        try:
            trees = _dialect(dialect).parse(text)
        except ParseError as error:
            return _parse_failure(error, written)
        except SqlglotError:
            return Unreadable("a quotation mark or a comment is not closed", whole)
        except RecursionError:
            return too_deep(text)
        except Exception:  # of sqlglot itself
            return Unreadable("sqlglot cannot parse it", whole)
    statements = [
        tree for tree in trees if tree and not isinstance(tree, exp.Semicolon)
    ]
    if len(statements) != 1:
        return Unreadable("it is not one statement", whole)
    if isinstance(statements[0], exp.Command):
        word = text.split(maxsplit=1)[0]
        return Unreadable(f"statements that begin with `{word}` are not known", whole)
    return statements[0]


def too_deep(text: str) -> Unreadable:
    """Return the reason for a statement that is nested too deeply."""
    return Unreadable("it is nested too deeply", Place(0, len(text.rstrip())))


def _parse_failure(error: ParseError, text: str) -> Unreadable:
    """Return the token at which sqlglot stops; its error names the line and column of its end."""
    first: dict[str, Any] = error.errors[0] if error.errors else {}
    if not first.get("highlight"):
        return Unreadable("sqlglot cannot parse it", Place(0, len(text.rstrip())))
    before = text.split("\n")[: first["line"] - 1]
    end = sum(len(line) + 1 for line in before) + first["col"]
    place = Place(max(0, end - len(first["highlight"])), end)
    return Unreadable(f"sqlglot stops at `{text[slice(*place)]}`", place)


@contextmanager
def _silent_sqlglot() -> Generator[None]:
    """Silence sqlglot's log, which warns of statements that it knows by their first word only."""
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
    for part in node.walk():
        if isinstance(part, exp.Placeholder):
            token = parsed.uses.get(str(part.this))
            if token is not None:
                starts.append(token.start)
                ends.append(token.end)
        elif "start" in part.meta:
            starts.append(part.meta["start"])
            ends.append(part.meta["end"] + 1)
    if not starts:
        return Place(0, len(parsed.text.rstrip()))
    return Place(min(starts), max(ends))
