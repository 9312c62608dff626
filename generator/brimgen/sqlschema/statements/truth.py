"""Decide whether a condition can be true while some columns are NULL.

A condition is evaluated with three truth values, and with all values that its other parts can
have: the result is the set of the truth values that are possible.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from sqlglot import exp

TRUE, FALSE, UNKNOWN = "t", "f", "n"
ANY = frozenset({TRUE, FALSE, UNKNOWN})
ALWAYS = frozenset({TRUE})
NEVER_KNOWN = frozenset({UNKNOWN})
_NOT = {TRUE: FALSE, FALSE: TRUE, UNKNOWN: UNKNOWN}

_STRICT = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.ILike, exp.Glob),
    *(
        exp.RegexpLike,
        exp.RegexpILike,
        exp.SimilarTo,
        exp.Add,
        exp.Sub,
        exp.Mul,
        exp.Div,
    ),
    *(exp.IntDiv, exp.Mod, exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor, exp.Neg),
    *(exp.Paren, exp.Cast, exp.TryCast, exp.Collate, exp.Escape, exp.JSONExtract),
    *(
        exp.JSONExtractScalar,
        exp.ArrayContainsAll,
        exp.AtTimeZone,
        exp.Substring,
        exp.Trim,
    ),
    *(exp.Extract,),
)
"""Expressions that are NULL if a part of them is."""

IsNull = Callable[[exp.Column], bool]
IsStrict = Callable[[str, int], bool]


class Truth:
    """Evaluates conditions, while ``is_null`` tells which columns are NULL.

    ``is_strict`` tells whether a function of so many arguments is NULL if one of them is.
    """

    def __init__(self, is_null: IsNull, is_strict: IsStrict) -> None:
        self._is_column_null = is_null
        self._is_strict = is_strict

    def possible(self, node: exp.Expr) -> frozenset[str]:
        """The truth values that a condition can have."""
        if isinstance(node, exp.Paren):
            return self.possible(node.this)
        if isinstance(node, (exp.And, exp.Or)):
            pairs = product(self.possible(node.this), self.possible(node.expression))
            join = _and if isinstance(node, exp.And) else _or
            return frozenset(join(*pair) for pair in pairs)
        if isinstance(node, exp.Not):
            return frozenset(_NOT[value] for value in self.possible(node.this))
        if isinstance(node, exp.Boolean):
            return frozenset({TRUE if node.this else FALSE})
        if isinstance(node, exp.Is):
            values = self._values_of_is(node)
            negated = bool(node.args.get("negate"))
            return frozenset(_NOT[value] for value in values) if negated else values
        if isinstance(node, exp.In):
            return self._values_of_in(node)
        if isinstance(node, (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)):
            return self._values_of_comparison(node)
        if isinstance(node, exp.Between):
            if self.is_null(node.this):
                return frozenset({UNKNOWN})
            return ANY
        if isinstance(node, exp.Exists):
            return frozenset({TRUE, FALSE})
        return frozenset({UNKNOWN}) if self.is_null(node) else ANY

    def _values_of_is(self, node: exp.Is) -> frozenset[str]:
        if isinstance(node.expression, exp.Null):
            if self.is_null(node.this):
                return frozenset({TRUE})
            is_literal = isinstance(node.this.unnest(), exp.Literal)
            return frozenset({FALSE}) if is_literal else frozenset({TRUE, FALSE})
        if isinstance(node.expression, exp.Boolean) and self.is_null(node.this):
            return frozenset({FALSE})
        return frozenset({TRUE, FALSE})

    def _values_of_in(self, node: exp.In) -> frozenset[str]:
        if not self.is_null(node.this):
            return ANY
        listed = [
            expression
            for expression in node.expressions
            if isinstance(expression, exp.Literal)
        ]
        if listed:
            return frozenset({UNKNOWN})
        return frozenset({UNKNOWN, FALSE})  # an empty list

    def _values_of_comparison(self, node: exp.Expr) -> frozenset[str]:
        right = node.expression
        quantifier, _ = quantified(right)
        if quantifier:
            never = quantifier == "any" and self.is_null(node.this)
            return frozenset({UNKNOWN, FALSE}) if never else ANY
        if isinstance(node.this, exp.Tuple) or isinstance(right, exp.Tuple):
            return ANY
        is_null = self.is_null(node.this) or self.is_null(right)
        return frozenset({UNKNOWN}) if is_null else ANY

    def is_null(self, node: exp.Expr) -> bool:
        """Whether an expression is NULL for sure."""
        if isinstance(node, exp.Column):
            return self._is_column_null(node)
        if isinstance(node, exp.Null):
            return True
        if isinstance(node, _STRICT):
            return any(
                self.is_null(part)
                for key in ("this", "expression", "start", "length", "zone")
                if isinstance(part := node.args.get(key), exp.Expr)
            )
        if isinstance(node, exp.Anonymous):
            name = str(node.this).lower()
            if name == "coalesce" or name == "ifnull":
                return all(map(self.is_null, node.expressions))
            if self._is_strict(name, len(node.expressions)):
                return any(map(self.is_null, node.expressions))
        if isinstance(node, (exp.And, exp.Or, exp.Not)):
            return self.possible(node) == NEVER_KNOWN
        return False


def _and(left: str, right: str) -> str:
    if FALSE in (left, right):
        return FALSE
    return UNKNOWN if UNKNOWN in (left, right) else TRUE


def _or(left: str, right: str) -> str:
    if TRUE in (left, right):
        return TRUE
    return UNKNOWN if UNKNOWN in (left, right) else FALSE


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that AND joins."""
    if node is None:
        return []
    if isinstance(node, exp.Paren):
        return conjuncts(node.this)
    if isinstance(node, exp.And):
        return [*conjuncts(node.this), *conjuncts(node.expression)]
    return [node]


def quantified(node: exp.Expr) -> tuple[str, exp.Expr | None]:
    """The quantifier of ANY, SOME and ALL (``any`` or ``all``), and what it is over."""
    if isinstance(node, (exp.Any, exp.All)):
        return ("any" if isinstance(node, exp.Any) else "all"), node.this
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1:
        word = str(node.this).lower()
        if word in ("all", "some", "any"):
            return ("all" if word == "all" else "any"), node.expressions[0]
    return "", None
