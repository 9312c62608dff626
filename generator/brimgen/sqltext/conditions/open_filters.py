"""Find parameters that open a filter while they are absent.

A filter is open without a parameter if it lets a row through that belongs to somebody else: one
that it drops as soon as the parameter has a value. `tenant = :t` lets nothing through while `:t` is
NULL; `(:t IS NULL OR tenant = :t)` lets everything through. The condition is evaluated to find
out, so that its spelling does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from brimgen.sqltext.conditions.evaluate_conditions import Undecided, World
from brimgen.sqltext.conditions.parse_operands import Node
from brimgen.sqltext.conditions.query_filters import Filter, Queries
from brimgen.sqltext.conditions.symbolic_values import YES, Symbol, Value, value_of
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import Token, TokenKind

_TRIES = 600
"""How many combinations of what is not known are tried for one filter."""

_ATOMS = frozenset(
    {"compare", "in", "match", "isnull", "istrue", "isfalse", "opaque", "deep", "call"}
)


class Argument(NamedTuple):
    """What is known of the argument that a parameter stands for.

    ``absent`` are the values that it has while it is not given: NULL or its default. ``hidden``
    tells that no caller chooses it.
    """

    absent: tuple[Value, ...] = ()
    hidden: bool = False
    is_list: bool = False
    is_bool: bool = False

    @staticmethod
    def of(
        absent: Iterable[object], *, hidden: bool, is_list: bool, is_bool: bool
    ) -> Argument:
        """An argument whose absent values are those of JSON."""
        values = tuple(value_of(value) for value in absent)
        return Argument(values, hidden, is_list, is_bool)


class Opened(NamedTuple):
    """A parameter that opens a filter, where it stands first there, and by which value."""

    token: Token
    value: Value

    @property
    def description(self) -> str:
        """How it is absent, in words."""
        return "NULL" if self.value is None else "its default"


def find_open_filters(
    statement: Statement, arguments: Mapping[str, Argument]
) -> tuple[Opened, ...]:
    """Find the hidden parameters that open a filter while they are absent; report each once."""
    suspects = [
        name
        for name in statement.names
        if name in arguments and arguments[name].hidden and arguments[name].absent
    ]
    if not suspects:
        return ()
    lists = frozenset(name for name, value in arguments.items() if value.is_list)
    queries = Queries(statement, lists)
    filters = [filter_ for filter_ in queries.all_filters() if not filter_.closes]
    opened: list[Opened] = []
    for name in suspects:
        openings = (
            _find_opening(queries, filter_, name, arguments) for filter_ in filters
        )
        opened += [opening for opening in openings if opening is not None][:1]
    return tuple(opened)


def _find_opening(
    queries: Queries, filter: Filter, name: str, arguments: Mapping[str, Argument]
) -> Opened | None:
    """Find how a filter is opened while the parameter ``name`` is absent."""
    node = _relevant(queries, filter.node, name)
    if node is None:
        return None
    for absent in arguments[name].absent:
        for other_values in _other_values(name, arguments):
            if _is_open(queries, node, name, absent, other_values, arguments[name]):
                return Opened(_token(queries, filter, name), absent)
    return None


def _relevant(queries: Queries, node: Node, name: str) -> Node | None:
    """Drop the operands of AND that have nothing to do with a parameter."""
    if not queries.mentions(node, name):
        return None
    if node.op != "and":
        return node
    guarded = _guarded(queries, node, name)
    relevant = [
        argument
        for argument in node.args
        if queries.mentions(argument, name)
        or any(part.op == "column" and part.text in guarded for part in argument.walk())
    ]
    return Node("and", tuple(relevant))


def _guarded(queries: Queries, node: Node, name: str) -> frozenset[str]:
    """Collect the columns that a condition compares with a parameter."""
    if not queries.mentions(node, name):
        return frozenset()
    columns: frozenset[str] = frozenset()
    for argument in node.args:
        columns |= _guarded(queries, argument, name)
    if columns or node.op not in _ATOMS:
        return columns
    return frozenset(part.text for part in node.walk() if part.op == "column")


def _other_values(
    name: str, arguments: Mapping[str, Argument]
) -> Iterator[Mapping[str, Value]]:
    """List the values of the other parameters: all given, then absent where they may be."""
    given: dict[str, Value] = {
        parameter: Symbol(
            f":{parameter}", "given" if value.hidden else "", nullable=False
        )
        for parameter, value in arguments.items()
        if parameter != name
    }
    yield given
    absent = {
        parameter: member.absent[0]
        for parameter, member in arguments.items()
        if parameter != name and member.absent
    }
    if absent:
        yield {**given, **absent}


def _is_open(
    queries: Queries,
    node: Node,
    name: str,
    absent: Value,
    other_values: Mapping[str, Value],
    argument: Argument,
) -> bool:
    """Whether a row passes without the parameter that some value of it would drop."""
    guarded = _guarded(queries, node, name)
    values = _given_values(node, name, argument)
    waiting: list[dict[str, bool]] = [{}]
    for _ in range(_TRIES):
        if not waiting:
            return False
        choices = waiting.pop()

        def world(value: Value, choices: dict[str, bool] = choices) -> World:
            return World(queries, name, {**other_values, name: value}, guarded, choices)

        try:
            if world(absent).truth(node) == YES and any(
                world(value).truth(node) != YES for value in values if value != absent
            ):
                return True
        except Undecided as asks:
            waiting += [{**choices, asks.key: False}, {**choices, asks.key: True}]
    return False


def _given_values(node: Node, name: str, argument: Argument) -> Sequence[Value]:
    """List the values of a parameter that is given, as far as they matter."""
    if argument.is_bool:
        return (True, False)
    constants = [
        part.value
        for part in node.walk()
        if part.op == "value" and isinstance(part.value, str) and part.value
    ]
    return (Symbol(f":{name}", "given", nullable=False), *dict.fromkeys(constants[:20]))


def _token(queries: Queries, filter: Filter, name: str) -> Token:
    """Find where a parameter stands in a filter, or else its first place in the statement."""
    tokens = queries.statement.significant
    places = (*tokens[filter.start : filter.end], *queries.statement.parameters)
    return next(
        place
        for place in places
        if place.kind is TokenKind.PARAM and place.name == name
    )
