"""Say what stands beside each parameter: a column, a value of its type, or another parameter.

``placed_at >= :since`` stands beside ``placed_at``, and so do ``placed_at BETWEEN :a AND :b``,
``placed_at IN (:a, :b)`` and ``COALESCE(:since, placed_at)``. A parameter that is calculated with
(``:since - interval '1 day'``) stands beside none. PostgreSQL infers the type of a parameter from
its cast: ``:n::text`` makes a text of what is bound, which a driver that encodes by the server's
types refuses for a number. ``:page * :size`` are two unknowns, whose product is none.

Of a statement that sqlglot cannot read nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from brimgen.frozen import dataclass
from brimgen.sql.model import Unreadable
from brimgen.sql.statement import Statement
from brimgen.sql.tree import Parsed, parse, place_of
from brimgen.sql.truth import quantified

STORED = "="
"""Stands for the column that a parameter is stored in; it has no name where it is stored."""
OTHER = "?"
"""Stands for an expression that is no plain column."""
OPERAND = "operand"
"""Stands for the type of an operand that nothing shows."""
LONE = "lone"
"""Stands for the type of one of several values that none of them shows: ``COALESCE(:a, :b)``."""
STEP = "step"
"""Stands for a small integer: of days that are added to a day, or of an item in JSON."""

_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_DISTINCT = (exp.NullSafeEQ, exp.NullSafeNEQ)
_LONGER = (*_ARITHMETIC, exp.Cast, exp.Bracket, exp.Dot, exp.DPipe)
"""What makes a longer operand of one."""
_CHOOSING = frozenset({"coalesce", "nullif", "greatest", "least"})
_OF_ONE_TYPE = _CHOOSING | {"mod", "power"}
_ASSIGNING = (exp.Update, exp.OnConflict)


@dataclass(frozen=True, slots=True)
class Context:
    """What is around one use of a parameter.

    ``column`` is the text of the column beside it, `STORED`, `OTHER`, or empty where it stands
    beside none. ``type`` is the type that it is cast to, in the words of sqlglot (``TIMESTAMPTZ``),
    or `OPERAND`, `LONE` or `STEP`. ``partner`` is the parameter that it is calculated with.
    """

    column: str = ""
    type: str = ""
    partner: str = ""


def context_of(statement: Statement, start: int) -> Context:
    """Return what is around the parameter at an offset of the text."""
    return statement.computed_once(_contexts).get(start, Context())


def _contexts(statement: Statement) -> Mapping[int, Context]:
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        return {}
    contexts: dict[int, Context] = {}
    for node in parsed.tree.find_all(exp.Placeholder):
        token = parsed.uses.get(str(node.this))
        if token is not None:
            partner = _partner(node, parsed)
            type_ = _inferred(node)
            contexts[token.start] = Context(_column(node, parsed), type_, partner)
    return contexts


def _column(node: exp.Expr, parsed: Parsed) -> str:
    around = node.parent
    if around is None or isinstance(around, exp.Alias):
        return ""
    if isinstance(around, _COMPARISONS):
        if isinstance(around.parent, _ASSIGNING) and around.arg_key == "expressions":
            return STORED
        return _operand(_other(around, node), parsed)
    if isinstance(around, _DISTINCT) and node.arg_key == "expression":
        return _operand(around.this, parsed)
    if isinstance(around, exp.Between) and node.arg_key in ("low", "high"):
        return _operand(around.this, parsed)
    if isinstance(around, exp.In) and node.arg_key != "this":
        return _operand(around.this, parsed)
    if isinstance(around, exp.Anonymous) and _called(around) in _CHOOSING:
        plain = (each for each in around.expressions if _is_plain(each))
        return next((_text(each, parsed) for each in plain), "")
    for quantifier in (around, around.parent):
        if quantifier is not None and quantified(quantifier)[0]:
            compared = quantifier.parent
            if isinstance(compared, _COMPARISONS):
                return _operand(compared.this, parsed)
    return STORED if _is_inserted(node, around) else ""


def _is_inserted(node: exp.Expr, around: exp.Expr) -> bool:
    """Whether a value is one of a row that an INSERT stores."""
    if node.arg_key != "expressions" or around.parent is None:
        return False
    if isinstance(around, exp.Select):
        combines = around.args.get("distinct") or around.args.get("group")
        return isinstance(around.parent, exp.Insert) and not combines
    if not isinstance(around, exp.Tuple):
        return False
    if isinstance(around.parent, exp.Values):
        return isinstance(around.parent.parent, exp.Insert)
    return isinstance(around.parent, exp.Insert) and around.arg_key == "expression"


def _other(around: exp.Expr, node: exp.Expr) -> exp.Expr:
    """The other side of an operator."""
    other: exp.Expr = around.expression if around.this is node else around.this
    return other


def _operand(node: exp.Expr, parsed: Parsed) -> str:
    if _is_plain(node):
        return _text(node, parsed)
    return "" if _is_date(node) else OTHER


def _is_plain(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and not isinstance(node.this, exp.Star)


def _text(node: exp.Expr, parsed: Parsed) -> str:
    return parsed.text[slice(*place_of(node, parsed))]


def _called(node: exp.Anonymous) -> str:
    return str(node.this).lower()


def _is_date(node: exp.Expr) -> bool:
    """Whether an operand is a date: a literal, or a cast to one."""
    if isinstance(node, exp.Anonymous):
        return _called(node) == "date"
    if isinstance(node, exp.Cast):
        return node.to.is_type(exp.DataType.Type.DATE)
    return isinstance(node, exp.CurrentDate)


def _inferred(node: exp.Expr) -> str:
    around = node.parent
    if isinstance(around, exp.Cast):
        named = around.to
        while named.is_type(exp.DataType.Type.ARRAY) and named.expressions:
            named = named.expressions[0]  # drivers send a text for `int[]` as for `int`
        target = named.this
        is_interval = isinstance(target, exp.Interval)
        return "INTERVAL" if is_interval else str(getattr(target, "value", ""))
    if isinstance(around, (exp.JSONExtract, exp.JSONExtractScalar)):
        return STEP if node.arg_key == "expression" else ""
    adds = isinstance(around, (exp.Add, exp.Sub)) and around.expression is node
    if around is not None and adds and _is_date(around.this):
        return STEP
    if around is not None and _has_no_typed_sibling(node, around):
        return LONE
    if isinstance(around, exp.Neg):
        return OPERAND
    return OPERAND if around is not None and _is_pair(around) else ""


def _has_no_typed_sibling(node: exp.Expr, around: exp.Expr) -> bool:
    """Whether a parameter is one of several values of one type, and no value shows the type."""
    if isinstance(around, _DISTINCT):
        return isinstance(_other(around, node), exp.Placeholder)
    called = isinstance(around, exp.Anonymous) and _called(around) in _OF_ONE_TYPE
    if called or isinstance(around, exp.Array):
        return all(map(_is_silent, around.expressions))
    rows = around.parent if isinstance(around, exp.Tuple) else None
    return isinstance(rows, exp.Values) and not isinstance(rows.parent, exp.Insert)


def _is_silent(node: exp.Expr) -> bool:
    is_text = isinstance(node, exp.Literal) and bool(node.is_string)
    return is_text or isinstance(node, (exp.Placeholder, exp.Null))


def _is_pair(around: exp.Expr) -> bool:
    """Whether two parameters and an operator between them are all that is calculated or
    compared.
    """
    if not isinstance(around, (*_ARITHMETIC, *_COMPARISONS)):
        return False
    if not all(
        isinstance(side, exp.Placeholder) for side in (around.this, around.expression)
    ):
        return False
    outer = around.parent
    if isinstance(outer, exp.Paren):  # `day + (:a * :b)` is no sum of integers
        return not isinstance(outer.parent, _LONGER)
    if not isinstance(outer, _LONGER):
        return True
    other = outer.args.get("expression")  # what is added to an integer is one
    return isinstance(outer, _ARITHMETIC) and isinstance(other, exp.Literal)


def _partner(node: exp.Expr, parsed: Parsed) -> str:
    around = node.parent
    if not isinstance(around, (*_ARITHMETIC, *_COMPARISONS)):
        return ""
    token = parsed.uses.get(str(_other(around, node).this))
    return token.name if token is not None else ""
