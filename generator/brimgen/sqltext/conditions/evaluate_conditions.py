"""Evaluate a condition with what is known of its parameters.

SQL has three truth values: True, False and None. A part of which too little is known may have
several of them, so `World.truth` gives the set of those that are possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import product

from brimgen.frozen import dataclass
from brimgen.sqltext.conditions.parse_operands import Node
from brimgen.sqltext.conditions.query_filters import Queries
from brimgen.sqltext.conditions.symbolic_values import (
    CHOOSING,
    FIRST_VALUE,
    MAYBE,
    NO,
    NULL,
    YES,
    Symbol,
    Truth,
    Value,
    accepts_all,
    call_value,
    compare,
    constant,
    exclusive_or,
    key_of,
    negated,
    rank,
)

_ARRAYS = frozenset({"postgres", "duckdb"})
"""Dialects in which a list that is absent is NULL; in the others it has no item."""


class Undecided(Exception):
    """Whether ``key`` holds is unknown, and no assumption is allowed."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True, slots=True)
class World:
    """The assumptions under which a condition is evaluated.

    ``asked`` is the parameter in question, ``values`` are those of all parameters. A column of
    ``guarded`` has the value of somebody else's row: not NULL, and equal to no value that is
    given. ``choices`` are assumptions about the rest; with None everything about it is possible.
    """

    queries: Queries
    asked: str
    values: Mapping[str, Value]
    guarded: frozenset[str]
    choices: Mapping[str, bool] | None

    @property
    def dialect(self) -> str:
        """The dialect of the statement."""
        return self.queries.statement.dialect.name

    def truth(self, node: Node) -> Truth:
        """Return the truth values that a condition may have."""
        match node.op:
            case "and" | "or":
                return self._and_or(node)
            case "not":
                return negated(self.truth(node.args[0]))
            case "xor":
                sets = [self.truth(argument) for argument in node.args]
                return frozenset(map(exclusive_or, product(*sets)))
            case "compare":
                return self._comparison(node)
            case "isnull" | "istrue" | "isfalse":
                return self._test(node)
            case "in":
                return self._evaluate_in(node, node.args[0], node.args[1:])
            case "match":
                return self._match(node)
            case "exists":
                empty = self._is_empty(node.args[0])
                return NO if empty else self._unknown_truth(node, key_of_node(node))
            case "case":
                return self._chosen_truth(node)
            case "deep":  # what was not read counts as open, rather than as safe
                is_absent = self.values.get(self.asked, "") is None
                return YES if is_absent else MAYBE
            case "call" if node.text in CHOOSING | FIRST_VALUE | {"lnnvl", "isnull"}:
                return self._choosing_call(node)
            case _:
                return self._truth_of_value(node)

    def _and_or(self, node: Node) -> Truth:
        """Evaluate AND, the least of its operands, and OR, the greatest: False, None, True."""
        is_or = node.op == "or"
        ends, possible = (YES, NO) if is_or else (NO, YES)
        for argument in node.args:
            pairs = product(possible, self.truth(argument))
            possible = frozenset(
                (max if is_or else min)(pair, key=rank) for pair in pairs
            )
            if possible == ends:
                break
        return possible

    def _truth_of_value(self, node: Node) -> Truth:
        value = self.value(node)
        if value is None:
            return NULL
        if isinstance(value, bool | Decimal):
            return frozenset({bool(value)})
        return self._unknown_truth(node, key_of(value))

    def _unknown_truth(self, node: Node, key: str) -> Truth:
        """Return every truth value for a part that depends on the parameter in question; else
        assume one.
        """
        if self.queries.mentions(node, self.asked):
            return MAYBE
        return self._assume(key)

    def _assume(self, key: str) -> Truth:
        if self.choices is None:
            return MAYBE
        if key not in self.choices:
            raise Undecided(key)
        return frozenset({self.choices[key]})

    def _comparison(self, node: Node) -> Truth:
        left, right = node.args
        if right.op == "call" and right.text in ("any", "some", "all"):
            possible = self._evaluate_in(node, left, right.args)
            if (node.text, right.text) == ("<>", "all"):
                return negated(possible)
            if node.text == "=" and right.text != "all":
                return possible
            return self._unknown_truth(node, key_of_node(node))
        return self._compare(node, self.value(left), self.value(right), node.text)

    def _compare(self, node: Node, left: Value, right: Value, sign: str) -> Truth:
        if sign == "<=>" and (left is None or right is None):
            operand = right if left is None else left
            return self._is_null(node, operand)
        if left is None or right is None:
            return NULL
        if isinstance(left, tuple) and isinstance(right, tuple) and sign == "=":
            return self._equal_rows(node, left, right)
        outcome = compare(left, right, "=" if sign == "<=>" else sign)
        if outcome is not None:
            return frozenset({outcome})
        key = f"{key_of(left)} {sign} {key_of(right)}"
        if sign == "=" and _is_chosen_by_caller(left, right):
            return self._assume(key)
        return self._unknown_truth(node, key)

    def _equal_rows(
        self, node: Node, left: tuple[Value, ...], right: tuple[Value, ...]
    ) -> Truth:
        pairs = zip(left, right, strict=False)
        sets = [self._compare(node, *pair, "=") for pair in pairs]
        return frozenset(
            min(combination, key=rank) for combination in product(YES, *sets)
        )

    def _is_null(self, node: Node, value: Value) -> Truth:
        if value is None:
            return YES
        if isinstance(value, Symbol) and value.nullable:
            return self._unknown_truth(node, f"{value.key} IS NULL")
        return NO

    def _test(self, node: Node) -> Truth:
        """Evaluate IS NULL, IS TRUE and IS FALSE, for conditions and for values."""
        (inner,) = node.args
        if node.op == "isnull" and inner.op not in _CONDITIONS:
            return self._is_null(node, self.value(inner))
        tested = {"isnull": None, "istrue": True, "isfalse": False}[node.op]
        return frozenset(value is tested for value in self.truth(inner))

    def _evaluate_in(self, node: Node, left: Node, items: tuple[Node, ...]) -> Truth:
        value = self.value(left)
        possible = NO
        for item in items:
            possible = frozenset(
                max(pair, key=rank)
                for pair in product(possible, self._in_item(node, value, item))
            )
        return possible

    def _in_item(self, node: Node, left: Value, item: Node) -> Truth:
        if item.op == "query":
            if self._is_empty(item):
                return NO
            if (only := self.queries.only_value(item)) is None:
                return (
                    NULL
                    if left is None
                    else self._unknown_truth(node, key_of_node(node))
                )
            return self._compare(node, left, self.value(only), "=")
        value = self.value(item)
        is_list = item.op == "param" and item.text in self.queries.lists
        if is_list and value is None:
            return NULL if self.dialect in _ARRAYS else NO
        if is_list and isinstance(value, Symbol):
            return self._unknown_truth(node, f"{key_of(left)} in {value.key}")
        if not isinstance(value, tuple):
            return self._compare(node, left, value, "=")
        sets = [self._compare(node, left, member, "=") for member in value]
        return frozenset(
            max(combination, key=rank) for combination in product(NO, *sets)
        )

    def _match(self, node: Node) -> Truth:
        left, pattern = (self.value(argument) for argument in node.args)
        if left is None or pattern is None:
            return NULL
        if accepts_all(node.text, pattern) or key_of(left) == key_of(pattern):
            return YES
        return self._unknown_truth(
            node, f"{key_of(left)} {node.text} {key_of(pattern)}"
        )

    def _choosing_call(self, node: Node) -> Truth:
        """Evaluate functions that choose among conditions."""
        if node.text in CHOOSING and len(node.args) > 1:
            return self._chosen_truth(node)
        only = node.args[0] if len(node.args) == 1 else None
        if node.text == "lnnvl" and only is not None:
            return frozenset(value is not True for value in self.truth(only))
        if node.text == "isnull" and only is not None:
            return self._is_null(node, self.value(only))
        possible: Truth = frozenset()
        for argument in node.args:
            truth = self.truth(argument)
            possible |= truth - NULL
            if None not in truth:
                return possible
        return possible | NULL

    def _branches(self, node: Node) -> Iterator[tuple[Truth, Node]]:
        """Return the conditions of a CASE, IF or DECODE in order, each with what it gives."""
        if node.op == "call" and node.text != "decode":
            first, last = node.args[0], (*node.args, Node("value"))[2]
            if node.text == "nvl2":
                first = Node("not", (Node("isnull", (first,)),))
            yield self.truth(first), node.args[1]
            yield YES, last
            return
        subject, rest = node.args[0], node.args[1:]
        for when, then in zip(rest[0:-1:2], rest[1::2], strict=False):
            if node.text == "searched":
                yield self.truth(when), then
            else:
                sign = "<=>" if node.text == "decode" else "="
                pair = self.value(subject), self.value(when)
                yield self._compare(node, *pair, sign), then
        yield YES, rest[-1] if len(rest) % 2 else Node("value")

    def _chosen_truth(self, node: Node) -> Truth:
        possible: Truth = frozenset()
        for condition, result in self._branches(node):
            if True in condition:
                possible |= self.truth(result)
            if condition == YES:
                break
        return possible

    def value(self, node: Node) -> Value:
        """Return the value of an expression; a `Symbol` where it is unknown."""
        match node.op:
            case "value":
                empty = node.value == "" and self.dialect == "oracle"
                return None if empty else constant(node.value)
            case "literal":
                return Symbol(node.text, nullable=False)
            case "param":
                return self.values.get(node.text, Symbol(f":{node.text}"))
            case "column":
                guarded = node.text in self.guarded
                return Symbol(node.text, "row" if guarded else "", not guarded)
            case "cast":
                return self.value(node.args[0])
            case "row":
                return tuple(self.value(argument) for argument in node.args)
            case "query":
                return self._query_value(node)
            case "case":
                return self._chosen_value(node)
            case "call" if node.text in CHOOSING and len(node.args) > 1:
                return self._chosen_value(node)
            case "call" if node.text not in ("lnnvl",):
                arguments = [self.value(argument) for argument in node.args]
                return call_value(node.text, arguments, self.dialect)
            case _:
                pass
        truth = MAYBE if node.op in ("opaque", "deep") else self.truth(node)
        return next(iter(truth)) if len(truth) == 1 else Symbol(key_of_node(node))

    def _chosen_value(self, node: Node) -> Value:
        for condition, result in self._branches(node):
            if condition == YES:
                return self.value(result)
            if True in condition:
                break
        return Symbol(key_of_node(node))

    def _query_value(self, node: Node) -> Value:
        only = self.queries.only_value(node)
        if only is not None:
            return self.value(only)
        if self.queries.gives_column(node) and self._is_empty(node):
            return None
        return Symbol(key_of_node(node))

    def _is_empty(self, node: Node) -> bool:
        """Whether a subquery gives no row, whatever its tables hold."""
        inner = World(self.queries, self.asked, self.values, frozenset(), None)
        return node.op == "query" and any(
            True not in inner.truth(filter_) for filter_ in self.queries.filters(node)
        )


def _is_chosen_by_caller(left: Value, right: Value) -> bool:
    """Whether a column of somebody else's row is compared with an argument of the caller."""
    symbols = [value for value in (left, right) if isinstance(value, Symbol)]
    return any(symbol.kind == "row" for symbol in symbols) and any(
        symbol.key.startswith(":") and not symbol.kind for symbol in symbols
    )


_CONDITIONS = frozenset(
    {"and", "or", "not", "xor", "compare", "isnull", "istrue", "isfalse", "in", "match"}
)


def key_of_node(node: Node) -> str:
    """Return a key that is the same for two readings of one node."""
    return f"#{id(node)}"
