"""Read the names of result columns from the tree of a statement, where they are certain."""

from __future__ import annotations

from sqlglot import exp

from brimgen.frozen import dataclass
from brimgen.sql.effects import verb_at
from brimgen.sql.model import Place, Unreadable
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import ends_operand, words
from brimgen.sql.tree import Parsed, parse, place_of

_SPREADING = words("COLUMNS UNNEST EXPLODE POSEXPLODE FLATTEN INLINE STACK STRUCT")
_CALLED_BY_TEXT = frozenset(
    {"sqlite", "duckdb", "mysql", "tsql", "oracle", "snowflake", "bigquery"}
)
"""Dialects that call it by its text, in some form, or by no name that an author would choose."""
_NOT_CALLED = words("NAME_CONST ANY SOME ROW")
_CALLED_OTHERWISE = words("TREAT COLLATION NORMALIZE ROW ARRAY EXISTS GROUPING")
"""What looks like a function in PostgreSQL and is called by another name."""
_AROUND_CALLS = (exp.Window, exp.Filter, exp.WithinGroup)
_CALCULATED = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.DPipe)
_WITH_BRACKETS = (
    *(exp.Anonymous, exp.Cast, exp.TryCast, exp.Extract, exp.Trim, exp.Substring),
    *(exp.StrPosition, exp.GroupConcat, exp.Overlay),
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: where its expression stands, and its name; None where nobody can tell it.

    ``unnamed`` is an expression without an alias, to which no database gives a name that an author
    would; its text.
    """

    name: str | None
    place: Place
    unnamed: str = ""


def columns(statement: Statement) -> tuple[Column, ...] | None:
    """Return the columns of the rows that a statement gives, or None if their number is
    uncertain.

    Those of SELECT (the first one, of several in a UNION) and of RETURNING.
    """
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        return None
    tree: exp.Expr | None = parsed.tree
    while isinstance(tree, (exp.SetOperation, exp.Subquery)):
        tree = tree.this
    if tree is not None and not isinstance(tree, exp.Select):
        tree = tree.args.get("returning")
    if tree is None or not tree.expressions or any(map(_is_spread, tree.expressions)):
        return None
    return tuple(_column(node, statement, parsed) for node in tree.expressions)


def _is_spread(node: exp.Expr) -> bool:
    """Whether an item stands for several columns: ``*``, ``t.*`` and the like."""
    return bool(node.is_star) or any(
        isinstance(part, (exp.Unnest, exp.Struct)) or part.name.upper() in _SPREADING
        for part in node.find_all(exp.Func, exp.Columns)
    )


def _column(node: exp.Expr, statement: Statement, parsed: Parsed) -> Column:
    dialect, named = statement.dialect.name, node.args.get("alias")
    if isinstance(node, exp.Alias) and isinstance(named, exp.Identifier):
        return Column(named.name, place_of(named, parsed))
    if isinstance(node, exp.Column):
        return Column(node.name, place_of(node.this, parsed))
    place = _whole_place(node, statement, parsed)
    called = node
    while isinstance(called, _AROUND_CALLS):
        called = called.this
    if isinstance(called, exp.Dot):
        called = called.expression
    is_call = isinstance(called, exp.Anonymous)
    word = called.name.upper() if is_call else ""
    if dialect == "postgres" and is_call and word not in _CALLED_OTHERWISE:
        is_quoted = isinstance(called.this, exp.Identifier)
        return Column(called.name if is_quoted else called.name.lower(), place)
    is_calculated = isinstance(node, _CALCULATED) and dialect == "postgres"
    by_text = (*_CALCULATED, *_WITH_BRACKETS) if dialect in _CALLED_BY_TEXT else ()
    if is_calculated or (isinstance(called, by_text) and word not in _NOT_CALLED):
        return Column(None, place, " ".join(parsed.text[slice(*place)].split()))
    return Column(None, place)


def _whole_place(node: exp.Expr, statement: Statement, parsed: Parsed) -> Place:
    """Return the place of an expression with its brackets, of which the tree keeps no place."""
    start, end = place_of(node, parsed)
    tokens, levels = statement.significant, statement.levels
    verb = verb_at(tokens)
    level = levels[verb] if verb is not None else 0
    first = next(at for at, token in enumerate(tokens) if token.end > start)
    last = next((at for at, token in enumerate(tokens) if token.end >= end), first)
    while first and levels[first] > level:
        first -= 1
    if tokens[first].text == "(" and ends_operand(tokens[first - 1]):
        first -= 1  # the name before the bracket
    if tokens[last + 1 : last + 2] and tokens[last + 1].text == "(":
        last = statement.closing_bracket(last + 1) or last
    while last + 1 < len(tokens) and levels[last] > level:
        last += 1
    return Place(tokens[first].start, tokens[last].end)
