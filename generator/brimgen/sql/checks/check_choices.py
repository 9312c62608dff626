"""Check that each choice is one whole piece of SQL, and that no text drops a hidden argument."""

from __future__ import annotations

from sqlglot import exp

from brimgen.diagnostics import Diagnostics, rules
from brimgen.model.catalog import CHOICE_PLACE, SqlFragment
from brimgen.model.fields import Caller
from brimgen.sql.dialects import Dialect
from brimgen.sql.filters import without_guards
from brimgen.sql.model import Unreadable
from brimgen.sql.scanner import scan
from brimgen.sql.statements import Bound
from brimgen.sql.tokens import Token, TokenKind, ends_operand, words
from brimgen.sql.tree import parse

_UNREADABLE = {
    TokenKind.COMMENT: "it has a comment",
    TokenKind.OPEN_COMMENT: "it has a comment",
    TokenKind.OPEN_STRING: "a quote in it is not closed",
}
_DIRECTIONS = words("ASC DESC NULLS FIRST LAST")
"""What a choice behind a term to sort by may be."""
_NAME = "brimgen_choice"
"""A name that stands for a choice, so that the tree shows what its place is."""
_TERMS = {"expressions", "from_", "order"}
"""The parts of `SELECT 1 FROM t ORDER BY …`."""
_WHOLE = (
    *(exp.Paren, exp.Literal, exp.Column, exp.Subquery, exp.Placeholder, exp.Null),
    *(exp.Boolean, exp.Tuple, exp.Dot, exp.Array, exp.Bracket, exp.Interval, exp.Case),
    *(exp.Window, exp.Exists),
)
"""Operands that no operator beside them parts; so are calls, but not casts by `::`."""
_OPEN = (
    *(exp.Ordered, exp.Group, exp.Where, exp.Having, exp.Qualify, exp.Join, exp.Select),
    *(exp.Alias, exp.Anonymous, exp.Tuple, exp.If, exp.Case, exp.Paren, exp.Connector),
    *(exp.Returning, exp.Limit, exp.Offset, exp.Window, exp.Array, exp.Values),
)
"""Where a choice may have operators of its own; beside others it is one operand."""


def check_choices(bound: Bound, diagnostics: Diagnostics) -> bool:
    """Report what is wrong with the choices of a statement; return whether they are sound.

    A choice stands in its place as it is written. So it must not end that place or reach beyond
    it: brackets, quotes and CASE are closed in it, and it has no comment, no separator and no
    clause. A condition of several parts stands in brackets, as AND and OR around it would bind
    its parts otherwise; so does everything that is no single operand, beside an operator.
    """
    errors_before = len(diagnostics)
    for fragment in bound.body.fragments:
        why = _why_not_whole(fragment, bound)
        if why is not None:
            diagnostics.add(
                rules.CHOICE_NOT_WHOLE,
                fragment.text.span,
                label=fragment.label,
                name=fragment.argument,
                why=why,
            )
    return len(diagnostics) == errors_before


def check_dropped(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report hidden arguments that only some texts of a statement use.

    Of texts that leave out filters, the one that leaves out all of them has the fewest arguments.
    """
    hidden = [
        each.name for each in bound.tool.fields if not isinstance(each.origin, Caller)
    ]
    if not hidden or not (bound.body.variants or bound.compiled):
        return
    absent = dict.fromkeys(bound.compiled, False)
    shortest = [
        scan(without_guards(text.statement, absent), bound.dialect).names
        for text in bound.chosen
    ]
    used = {name for text in bound.chosen for name in text.statement.names}
    for name in filter(used.__contains__, hidden):
        for text, names in zip(bound.body.variants or (None,), shortest, strict=False):
            if name not in names:
                labels = () if text is None else text.labels
                parts = [("with", labels), ("without", bound.compiled)]
                diagnostics.add(
                    rules.CHOICE_DROPS_HIDDEN,
                    bound.body.statement.span,
                    name=name,
                    when=", ".join(
                        f"{word} {', '.join(f'`{each}`' for each in each_of)}"
                        for word, each_of in parts
                        if each_of
                    ),
                )
                break


def _why_not_whole(fragment: SqlFragment, bound: Bound) -> str | None:
    """Say why a choice is not one whole piece of SQL in each of its places; None if it is."""
    text, dialect = fragment.text.text, bound.dialect
    pieces = scan(text, dialect).pieces
    if not pieces:
        return "it is empty"
    for token in pieces:
        if token.kind in _UNREADABLE:
            return _UNREADABLE[token.kind]
        if token.text == ";":
            return "it has a separator of statements"
    if "," in (pieces[0].text, pieces[-1].text):
        return "a `,` has nothing on one side of it"
    written = bound.body.written or bound.body.statement
    filling = {each.argument: each.text.text for each in bound.body.fragments[::-1]}
    filling[fragment.argument] = text
    places = [*CHOICE_PLACE.finditer(written.text)]
    for place in places:
        if place[1] == fragment.argument:
            before = _filled(written.text[: place.start()], filling)
            after = _filled(written.text[place.end() :], filling)
            why = _why_not_there(before, text, after, dialect)
            if why is not None:
                return why
    return None


def _filled(text: str, filling: dict[str, str]) -> str:
    """Return a part of a statement with a text in each place."""
    return CHOICE_PLACE.sub(lambda place: filling.get(place[1], place[0]), text)


def _why_not_there(before: str, text: str, after: str, dialect: Dialect) -> str | None:
    """Say why a choice is not one piece where it stands; None if it is."""
    start, end = len(before), len(before) + len(text)
    alone = scan(text, dialect).significant
    around = scan(f"{before}{text}{after}", dialect).significant
    inside = [
        token._replace(start=token.start - start)
        for token in around
        if token.end > start and token.start < end
    ]
    if inside != [*alone]:
        return "with what stands beside it, it is read in another way"
    whole = _tree(f"{before}{text}{after}", dialect)
    used = {token.word for token in alone}
    if used <= _DIRECTIONS:
        return whole.reason if isinstance(whole, Unreadable) else None
    ahead = [token for token in around if token.end <= start]
    if ahead and ends_operand(ahead[-1]):
        return "no operator stands before it"
    if _is_path(alone):
        return None
    terms = _terms(text, dialect)
    if isinstance(terms, str):
        return terms
    grafted = _tree(f"{before}{_NAME}{after}", dialect)
    if isinstance(whole, Unreadable):
        return f"the statement cannot be read with it: {whole.reason}"
    if isinstance(grafted, Unreadable):
        return "only a name can stand there"
    named = grafted.find_all(exp.Column, exp.Table)
    place = next((each for each in named if each.name == _NAME), None)
    if place is None:
        return "only a name can stand there"
    if isinstance(place, exp.Table):
        is_source = isinstance(terms[0], (exp.Subquery, exp.Anonymous))
        return None if is_source else "only a table or a query can stand there"
    parent, term = place.parent, terms[0]
    is_term = isinstance(parent, (exp.Ordered, exp.Group))
    if len(terms) > 1 and not is_term:
        return "a `,` makes it several pieces, which only ORDER BY and GROUP BY take"
    if not _DIRECTIONS.isdisjoint(used) and not is_term:
        return "only a term to sort by has a direction"
    if isinstance(term, exp.Alias) and not isinstance(parent, exp.Select):
        return "only an item of SELECT has a name of its own"
    is_open = isinstance(parent, _OPEN) or (
        isinstance(parent, exp.In) and place.arg_key == "expressions"
    )
    if not (is_open or _is_operand(term, alone)):
        return "an operator stands beside it, so it must stand in brackets"
    if is_term or isinstance(parent, exp.In) or isinstance(term, exp.Alias):
        return None
    bracketed = _tree(f"{before}({text}){after}", dialect)
    if isinstance(bracketed, Unreadable) or (
        bracketed.transform(_unwrapped) == whole.transform(_unwrapped)
    ):
        return None
    return "with what stands beside it, it is read in another way"


def _is_path(tokens: tuple[Token, ...]) -> bool:
    """Whether a choice is a name, such as ``a`` or ``t.a``."""
    return len(tokens) % 2 == 1 and all(
        (
            token.text == "."
            if at % 2
            else token.kind in (TokenKind.WORD, TokenKind.QUOTED)
        )
        for at, token in enumerate(tokens)
    )


def _is_operand(term: exp.Expr, tokens: tuple[Token, ...]) -> bool:
    """Whether no operator beside a choice could part it."""
    if isinstance(term, exp.Neg):
        return isinstance(term.this, exp.Literal)
    is_call = isinstance(term, exp.Func) and not isinstance(term, exp.Binary)
    is_cast = isinstance(term, (exp.Cast, exp.TryCast)) and not tokens[0].word.endswith(
        "CAST"
    )
    is_operand = isinstance(term, _WHOLE) or (is_call and not is_cast)
    return is_operand and not term.is_star


def _unwrapped(node: exp.Expr) -> exp.Expr:
    return node.unnest()


def _terms(text: str, dialect: Dialect) -> list[exp.Expr] | str:
    """Return the terms to sort by that a choice is, or the item with its name; why it is none."""
    tree = _tree(f"SELECT 1 FROM t ORDER BY {text}", dialect)
    item = _tree(f"SELECT {text} FROM t", dialect)
    if isinstance(tree, Unreadable):
        if isinstance(item, exp.Select) and isinstance(item.expressions[0], exp.Alias):
            return list(item.expressions)
        return f"it is no expression: {tree.reason}"
    order = tree.args.get("order")
    parts = {key for key, part in tree.args.items() if part}
    if not isinstance(tree, exp.Select) or parts != _TERMS or order is None:
        return "another part of the statement begins in it"
    terms = [term.this for term in order.expressions]
    joined = next((each for each in terms if isinstance(each, exp.Connector)), None)
    if joined is not None:
        return f"a condition with `{joined.key.upper()}` must stand in brackets"
    return terms


def _tree(text: str, dialect: Dialect) -> exp.Expr | Unreadable:
    parsed = parse(scan(text, dialect))
    return parsed if isinstance(parsed, Unreadable) else parsed.tree
