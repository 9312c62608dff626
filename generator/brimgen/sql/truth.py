"""Decide whether a condition can be true while some columns or parameters are NULL.

A condition is evaluated with three truth values, and with all values that its other parts can
have: the result is the set of the truth values that are possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from itertools import product

from sqlglot import exp

TRUE, FALSE, UNKNOWN = "t", "f", "n"
ANY = frozenset({TRUE, FALSE, UNKNOWN})
ALWAYS = frozenset({TRUE})
NEVER = frozenset({FALSE})
KNOWN = frozenset({TRUE, FALSE})
NEVER_KNOWN = frozenset({UNKNOWN})
NEVER_TRUE = frozenset({UNKNOWN, FALSE})
_NOT = {TRUE: FALSE, FALSE: TRUE, UNKNOWN: UNKNOWN}

_STRICT = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Like, exp.ILike, exp.Glob),
    *(exp.RegexpLike, exp.RegexpILike, exp.SimilarTo, exp.Add, exp.Sub, exp.Mul),
    *(exp.Div, exp.IntDiv, exp.Mod, exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor),
    *(exp.Neg, exp.Paren, exp.Cast, exp.TryCast, exp.Collate, exp.Escape),
    *(exp.JSONExtract, exp.JSONExtractScalar, exp.ArrayContainsAll, exp.AtTimeZone),
    *(exp.Substring, exp.Trim, exp.Extract),
)
"""Expressions that are NULL if a part of them is."""
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_FILTERS = ("where", "having", "qualify")

IsNull = Callable[[exp.Expr], bool]
IsStrict = Callable[[str, int], bool]


def _none(_: exp.Expr) -> bool:
    return False


class Truth:
    """Evaluates conditions, while ``is_null`` tells which columns and parameters are NULL.

    ``is_strict`` tells whether a function of so many arguments is NULL if one of them is,
    ``joins_strictly`` whether `||` is NULL if a side is. ``is_empty`` tells which parameters stand
    for a list without items; where ``lists_are_values``, one that is NULL is no such list.
    """

    def __init__(
        self,
        is_null: IsNull,
        is_strict: IsStrict,
        *,
        is_empty: IsNull = _none,
        joins_strictly: bool = False,
        lists_are_values: bool = False,
    ) -> None:
        self._is_leaf_null = is_null
        self._is_strict = is_strict
        self._is_empty = is_empty
        self._strict = (*_STRICT, exp.DPipe) if joins_strictly else _STRICT
        self._null_list = NEVER_KNOWN if lists_are_values else NEVER_TRUE

    def possible(self, node: exp.Expr) -> frozenset[str]:
        """The truth values that a condition can have."""
        if isinstance(node, exp.Paren):
            return self.possible(node.this)
        if isinstance(node, (exp.And, exp.Or)):
            join = _and if isinstance(node, exp.And) else _or
            return reduce(join, map(self.possible, operands(node, type(node))))
        if isinstance(node, exp.Not):
            return frozenset(_NOT[value] for value in self.possible(node.this))
        if isinstance(node, exp.Boolean):
            return ALWAYS if node.this else NEVER
        if isinstance(node, exp.Is):
            values = self._values_of_is(node)
            negated = bool(node.args.get("negate"))
            return frozenset(_NOT[value] for value in values) if negated else values
        if isinstance(node, exp.In):
            return self._values_of_in(node)
        if isinstance(node, _COMPARISONS):
            return self._values_of_comparison(node)
        if isinstance(node, exp.Between):
            return self._values_of_between(node)
        if isinstance(node, exp.Exists):
            return KNOWN if self.without_rows(node.this) is None else NEVER
        return NEVER_KNOWN if self.is_null(node) else ANY

    def _values_of_is(self, node: exp.Is) -> frozenset[str]:
        if isinstance(node.expression, exp.Null):
            if self.is_null(node.this):
                return ALWAYS
            is_literal = isinstance(node.this.unnest(), exp.Literal)
            return NEVER if is_literal else KNOWN
        if isinstance(node.expression, exp.Boolean) and self.is_null(node.this):
            return NEVER
        return KNOWN

    def _values_of_in(self, node: exp.In) -> frozenset[str]:
        query, listed = node.args.get("query"), node.expressions
        values = NEVER_TRUE if self.is_null(node.this) else ANY
        if query is not None:
            return values if self.without_rows(query) is None else NEVER
        listed = listed or [field for field in [node.args.get("field")] if field]
        if len(listed) == 1 and isinstance(listed[0], exp.Placeholder):  # of a list
            if self._is_empty(listed[0]):
                return NEVER
            return self._null_list if self.is_null(listed[0]) else values
        nulls = [self.is_null(item) for item in listed]
        if nulls and (all(nulls) or self.is_null(node.this)):
            return NEVER_KNOWN
        return frozenset({TRUE, UNKNOWN}) if any(nulls) else values

    def _values_of_comparison(self, node: exp.Expr) -> frozenset[str]:
        right = node.expression
        quantifier, over = quantified(right)
        if quantifier and over is not None:
            if self.is_null(over):
                return NEVER_KNOWN
            is_never = quantifier == "any" and self.is_null(node.this)
            return NEVER_TRUE if is_never else ANY
        if isinstance(node.this, exp.Tuple) or isinstance(right, exp.Tuple):
            return ANY
        is_null = self.is_null(node.this) or self.is_null(right)
        return NEVER_KNOWN if is_null else ANY

    def _values_of_between(self, node: exp.Between) -> frozenset[str]:
        bounds = [self.is_null(node.args[key]) for key in ("low", "high")]
        if self.is_null(node.this) or all(bounds):
            return NEVER_KNOWN
        return NEVER_TRUE if any(bounds) else ANY

    def is_null(self, node: exp.Expr) -> bool:
        """Whether an expression is NULL for sure."""
        if isinstance(node, (exp.Column, exp.Placeholder)):
            return self._is_leaf_null(node)
        if isinstance(node, exp.Null):
            return True
        if isinstance(node, exp.Subquery):
            return self.without_rows(node) is not None
        if isinstance(node, self._strict):
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

    def without_rows(
        self, query: exp.Expr, *, filtered: bool = False
    ) -> exp.Expr | None:
        """Return the condition for which a query gives no row; None where it may give one.

        An aggregate of no rows is a row; where ``filtered``, only what it is over counts.
        """
        if isinstance(query, (exp.Subquery, exp.Paren)):
            return self.without_rows(query.this, filtered=filtered)
        if isinstance(query, exp.Insert):
            rows = query.args.get("expression")
            return self.without_rows(rows) if isinstance(rows, exp.Query) else None
        if isinstance(query, exp.SetOperation):
            left = self.without_rows(query.this, filtered=filtered)
            right = self.without_rows(query.expression, filtered=filtered)
            if isinstance(query, exp.Intersect):
                return left or right
            return right and left if isinstance(query, exp.Union) else left
        if not isinstance(query, (exp.Select, exp.Update, exp.Delete)):
            return None
        if not filtered and _may_aggregate(query):
            return None
        clauses = (query.args.get(key) for key in _FILTERS)
        parts = (
            part for clause in clauses if clause for part in conjuncts(clause.this)
        )
        never = (part for part in parts if TRUE not in self.possible(part))
        return next(never, None) or self._without_source(query)

    def _without_source(self, query: exp.Expr) -> exp.Expr | None:
        """The same for a subquery that every row of the result must come from."""
        joins: list[exp.Join] = query.args.get("joins") or []
        start = query.args.get("from_")
        if start is None or any(join.side in ("RIGHT", "FULL") for join in joins):
            return None
        inner = (
            join.this
            for join in joins
            if not join.side and join.kind in ("", "INNER", "CROSS")
        )
        rows = (_rows_of(source) for source in (start.this, *inner))
        found = (self.without_rows(query) for query in rows if query is not None)
        return next((condition for condition in found if condition is not None), None)


def _may_aggregate(query: exp.Expr) -> bool:
    """Whether a query may give a row of no rows: it has no groups, and calls a function."""
    if not isinstance(query, exp.Select) or query.args.get("group"):
        return False
    calls = (call for part in query.expressions for call in part.find_all(exp.Func))
    return bool(query.args.get("having")) or next(calls, None) is not None


def _rows_of(source: exp.Expr) -> exp.Expr | None:
    """The query in FROM, or in the WITH list that a table names; None for other sources."""
    if not isinstance(source, exp.Table) or source.args.get("db"):
        return source if isinstance(source, exp.Subquery) else None
    around: exp.Expr | None = source.parent
    inside: list[exp.Expr] = [source]
    while around is not None:
        listed = around.args.get("with_")
        for cte in listed.expressions if listed is not None else ():
            if any(cte is node for node in inside):
                break  # it sees the lists before it, and itself
            if cte.alias == source.name:
                rows: exp.Expr = cte.this
                return rows
        inside.append(around)
        around = around.parent
    return None


def _and(left: Iterable[str], right: Iterable[str]) -> frozenset[str]:
    return frozenset(
        FALSE if FALSE in pair else UNKNOWN if UNKNOWN in pair else TRUE
        for pair in product(left, right)
    )


def _or(left: Iterable[str], right: Iterable[str]) -> frozenset[str]:
    return frozenset(
        TRUE if TRUE in pair else UNKNOWN if UNKNOWN in pair else FALSE
        for pair in product(left, right)
    )


def operands(node: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    """The parts of a chain of AND, or of OR; chains may be longer than Python recurses."""
    parts: list[exp.Expr] = []
    pending = [node]
    while pending:
        part = pending.pop()
        inner = part.unnest()
        if isinstance(inner, kind):
            pending += [inner.expression, inner.this]
        else:
            parts.append(part)
    return parts


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that AND joins."""
    return [] if node is None else [part.unnest() for part in operands(node, exp.And)]


def quantified(node: exp.Expr) -> tuple[str, exp.Expr | None]:
    """The quantifier of ANY, SOME and ALL (``any`` or ``all``), and what it is over."""
    if isinstance(node, (exp.Any, exp.All)):
        return ("any" if isinstance(node, exp.Any) else "all"), node.this
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1:
        word = str(node.this).lower()
        if word in ("all", "some", "any"):
            return ("all" if word == "all" else "any"), node.expressions[0]
    return "", None
