"""Say what the filters of a statement do while parameters are NULL, and write it without guards.

What sqlglot cannot read is unknown: then nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import pairwise
from typing import TypeVar

from sqlglot import exp

from brimgen.frozen import dataclass
from brimgen.sql.model import Unreadable
from brimgen.sql.rules.postgres_rules import PostgresRules
from brimgen.sql.rules.table_rules import TableRules
from brimgen.sql.statement import Statement
from brimgen.sql.tokens import Token, TokenKind, words
from brimgen.sql.tree import Parsed, parse, place_of
from brimgen.sql.truth import ALWAYS, Truth, conjuncts
from brimgen.sql.values import NULL_OF_NULL, Meaning, Value

AnswerT = TypeVar("AnswerT")

LISTS_ARE_ARRAYS = frozenset({"postgres", "duckdb"})
"""Dialects in which a list that is absent is NULL; in others it is empty."""
_JOINS_LOOSELY = frozenset({"oracle", "mysql"})
_STRICT_EVERYWHERE = words("lower upper trim ltrim rtrim abs round length date")
_EQUALITIES = frozenset({"=", "<>", "!="})
_CLAUSES = (exp.Where, exp.Having, exp.Qualify, exp.Join, exp.If)


def _ask(
    statement: Statement, answer: Callable[[Parsed], AnswerT], unknown: AnswerT
) -> AnswerT:
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        return unknown
    try:
        return answer(parsed)
    except RecursionError:
        return unknown


def rejecting(statement: Statement, names: Collection[str]) -> Mapping[str, Token]:
    """Return those of the parameters ``names`` that, when NULL, leave a statement without a row.

    Each with its first place in a condition that cannot be true then. An assignment, an inserted
    value, a join condition and everything that is not understood need no value.
    """

    def answer(parsed: Parsed) -> dict[str, Token]:
        found: dict[str, Token] = {}
        for name in names:
            truth = _truth(parsed, statement, {name})
            condition = truth.without_rows(parsed.tree, filtered=True)
            uses = [] if condition is None else _uses(condition, parsed, {name})
            if uses:
                found[name] = uses[0]
        return found

    return _ask(statement, answer, {})


def opening(
    statement: Statement, absent: Collection[str], empty: Collection[str]
) -> tuple[Token, ...]:
    """Return the parameters without which an UPDATE or DELETE touches every row.

    ``absent`` are those that may be NULL, ``empty`` those that may be lists without items. There
    are none where a condition beside them holds by itself, ``WHERE true`` among them.
    """

    def opener(condition: exp.Expr, parsed: Parsed) -> Token | None:
        for token in _uses(condition, parsed, {*absent, *empty}):
            name = {token.name}
            truth = _truth(parsed, statement, name & {*absent}, name & {*empty})
            if truth.possible(condition) == ALWAYS:
                return token
        return None

    def answer(parsed: Parsed) -> tuple[Token, ...]:
        where = parsed.tree.args.get("where")
        if not isinstance(parsed.tree, (exp.Update, exp.Delete)) or where is None:
            return ()
        openers = [opener(condition, parsed) for condition in conjuncts(where.this)]
        found = tuple(token for token in openers if token is not None)
        return found if len(found) == len(openers) else ()

    return _ask(statement, answer, ())


def _truth(
    parsed: Parsed,
    statement: Statement,
    absent: Collection[str],
    empty: Collection[str] = (),
) -> Truth:
    """The evaluator while the parameters ``absent`` are NULL, and ``empty`` are empty lists."""
    dialect = statement.dialect.name
    rules = PostgresRules({}) if dialect == "postgres" else TableRules(dialect)

    def is_strict(name: str, count: int) -> bool:
        meaning = rules.call(name, [Value(None, None, exp.Null())] * count)
        if isinstance(meaning, Meaning):
            return meaning.nulls in NULL_OF_NULL
        return meaning is None and name in _STRICT_EVERYWHERE

    def named(names: Collection[str]) -> Callable[[exp.Expr], bool]:
        keys = {use for use, token in parsed.uses.items() if token.name in names}
        return lambda node: isinstance(node, exp.Placeholder) and node.this in keys

    return Truth(
        named(absent),
        is_strict,
        is_empty=named(empty),
        joins_strictly=dialect not in _JOINS_LOOSELY,
        lists_are_values=dialect in LISTS_ARE_ARRAYS,
    )


def _uses(node: exp.Expr, parsed: Parsed, names: Collection[str]) -> list[Token]:
    """The uses of some parameters in a condition, in order."""
    placeholders = (str(each.this) for each in node.find_all(exp.Placeholder))
    tokens = [parsed.uses[each] for each in placeholders if each in parsed.uses]
    named = (token for token in tokens if token.name in names)
    return sorted(named, key=lambda token: token.start)


def compared_with_null(statement: Statement) -> tuple[tuple[Token, str], ...]:
    """Return every NULL of ``a = NULL`` in a condition, with its operator."""
    if "NULL" not in statement.vocabulary:
        return ()

    def answer(parsed: Parsed) -> tuple[tuple[Token, str], ...]:
        found = [
            _null_after(statement, place_of(node.this, parsed).end)
            for node in parsed.tree.find_all(exp.EQ, exp.NEQ)
            if isinstance(node.expression, exp.Null) and _is_condition(node)
        ]
        return tuple(sorted(found, key=lambda use: use[0].start))

    return _ask(statement, answer, ())


def _is_condition(node: exp.Expr) -> bool:
    """Whether a comparison decides which rows are kept, or which branch of a CASE is taken."""
    around = node
    while isinstance(around.parent, (exp.And, exp.Or, exp.Not, exp.Paren)):
        around = around.parent
    return isinstance(around.parent, _CLAUSES) and around.arg_key in ("this", "on")


def _null_after(statement: Statement, start: int) -> tuple[Token, str]:
    """The NULL of the first comparison with it behind a place, and its operator."""
    return next(
        (token, sign.text)
        for sign, token in pairwise(statement.significant)
        if sign.start >= start and sign.text in _EQUALITIES and token.word == "NULL"
    )


def limit_parameters(statement: Statement) -> tuple[tuple[Token, str], ...]:
    """Return every parameter that is the whole of a LIMIT, OFFSET, TOP or FETCH FIRST, with
    that word.
    """
    if not statement.parameters:
        return ()
    return _ask(statement, _read_limits, ())


def _read_limits(parsed: Parsed) -> tuple[tuple[Token, str], ...]:
    found = [
        (parsed.uses[str(count.this)], node.key.upper())
        for node in parsed.tree.find_all(exp.Limit, exp.Offset, exp.Fetch)
        for count in [_uncast(node.args.get("count") or node.args.get("expression"))]
        if isinstance(count, exp.Placeholder) and str(count.this) in parsed.uses
    ]
    return tuple(sorted(found, key=lambda use: use[0].start))


def _uncast(node: exp.Expr | None) -> exp.Expr | None:
    while isinstance(node, (exp.Paren, exp.Cast, exp.TryCast)):
        node = node.this
    return node


def assignments(statement: Statement) -> tuple[tuple[Token, str], ...]:
    """Return every parameter that alone is assigned to a column by an UPDATE, with the column."""
    return _ask(statement, _read_assignments, ())


def _read_assignments(parsed: Parsed) -> tuple[tuple[Token, str], ...]:
    if not isinstance(parsed.tree, exp.Update):
        return ()
    return tuple(
        (parsed.uses[str(value.this)], parsed.text[slice(*place_of(column, parsed))])
        for node in parsed.tree.expressions
        if isinstance(node, exp.EQ) and isinstance(node.this, exp.Column)
        for column, value in [(node.this.this, node.expression)]
        if isinstance(value, exp.Placeholder) and str(value.this) in parsed.uses
    )


_GUARD = ("IS", "NULL", "OR")
_ALWAYS = "(1 = 1)"
"""What stands for a filter that is left out; every dialect has it."""


@dataclass(frozen=True, slots=True)
class OptionalFilter:
    """A filter of the argument ``name`` in brackets, and where its condition starts."""

    name: str
    start: int
    condition: int
    end: int


def optional_filters(statement: Statement) -> tuple[OptionalFilter, ...]:
    """Return the filters of a statement that begin with their guard, outermost first."""
    return tuple(_find_filters(statement))


def _find_filters(statement: Statement) -> Iterator[OptionalFilter]:
    tokens, searched = statement.significant, 0
    for at in range(len(tokens) - 4):
        if tokens[at].text != "(" or tokens[at].start < searched:
            continue
        words = tuple(token.word for token in tokens[at + 2 : at + 5])
        if tokens[at + 1].kind is not TokenKind.PARAM or words != _GUARD:
            continue
        if (
            at
            and tokens[at - 1].kind is TokenKind.WORD
            and not _may_precede(tokens[at - 1].word)
        ):
            continue  # the arguments of a function
        end = statement.closing_bracket(at)
        if end is None:
            return
        searched = tokens[end].end
        name = tokens[at + 1].name
        yield OptionalFilter(name, tokens[at].start, tokens[at + 5].start, searched)


def _may_precede(word: str) -> bool:
    return word in ("WHERE", "AND", "OR", "NOT", "ON", "HAVING", "WHEN")


def without_guards(statement: Statement, given: Mapping[str, bool]) -> str:
    """Return the text in which the filters of ``given`` have no guard.

    Those whose argument is absent are left out.
    """
    text, at = "", 0
    for optional_filter in optional_filters(statement):
        if optional_filter.name not in given:
            continue
        text += statement.text[at : optional_filter.start]
        at = optional_filter.end
        condition = statement.text[optional_filter.condition : optional_filter.end]
        text += f"({condition}" if given[optional_filter.name] else _ALWAYS
    return text + statement.text[at:]
