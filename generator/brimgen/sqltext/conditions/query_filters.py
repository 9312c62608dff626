"""Collect the conditions of a statement's queries and subqueries as trees."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from brimgen.frozen import replace
from brimgen.sqltext.conditions.parse_conditions import condition
from brimgen.sqltext.conditions.parse_operands import Node, NotUnderstood, plain_name
from brimgen.sqltext.statement import Statement
from brimgen.sqltext.tokens import TokenKind, words

_FILTERS = words("WHERE HAVING QUALIFY PREWHERE ON")
_SETS = words("UNION INTERSECT EXCEPT MINUS")
_AGGREGATES = words(
    """COUNT SUM MIN MAX AVG TOTAL ARRAY_AGG STRING_AGG GROUP_CONCAT JSON_AGG JSONB_AGG BOOL_AND
    BOOL_OR EVERY LISTAGG JSON_GROUP_ARRAY"""
)
_NAMES = frozenset({TokenKind.WORD, TokenKind.QUOTED})
_ITEM_ENDS = words("AS FROM WHERE GROUP ORDER LIMIT UNION")


class Filter(NamedTuple):
    """A condition that keeps or drops rows, from the token ``start`` up to ``end``.

    ``closes`` tells that it stands in NOT IN or NOT EXISTS, so that less comes out of the
    statement where more fulfils it.
    """

    node: Node
    start: int
    end: int
    closes: bool


class Queries:
    """Reads the conditions of one statement; ``lists`` are the parameters that are lists."""

    def __init__(self, statement: Statement, lists: frozenset[str]) -> None:
        self.statement, self.lists = statement, lists
        self._tokens, self._words = statement.significant, statement.words
        self._filters: dict[tuple[int, int], tuple[Node, ...]] = {}
        self._mentions: dict[tuple[int, str], tuple[Node, bool]] = {}
        self._bound: dict[str, Node] = {}
        self._bound = dict(self._bindings())

    def all_filters(self) -> Iterator[Filter]:
        """Return every condition of the statement, including those of subqueries."""
        for at in self._filter_words(0, len(self._tokens)):
            node, end = self._condition(at + 1)
            yield Filter(node, at + 1, end, self._closes(at))

    def filters(self, query: Node) -> tuple[Node, ...]:
        """Return the conditions that a row of a subquery must meet, without those nested
        deeper.
        """
        key = (query.start, query.end)
        if key not in self._filters:
            self._filters[key] = tuple(self._own_filters(*key))
        return self._filters[key]

    def _own_filters(self, start: int, end: int) -> Iterator[Node]:
        levels = self.statement.levels
        own = [at for at in range(start, end) if levels[at] == levels[start]]
        own_words = {self._words[at] for at in own}
        # Of an aggregate without groups there is always a row, and an outer join keeps rows.
        if not own_words.isdisjoint(_SETS) or self._words[start] != "SELECT":
            return
        if "GROUP" not in own_words and not own_words.isdisjoint(_AGGREGATES):
            return
        for at in self._filter_words(start, end):
            if levels[at] == levels[start] and self._words[at] != "ON":
                yield self._condition(at + 1)[0]

    def _filter_words(self, start: int, end: int) -> Iterator[int]:
        token_words = (*self._words, "")
        for at in range(start, end):
            after_matched = (
                token_words[at] == "AND" and token_words[at - 1] == "MATCHED"
            )
            if token_words[at] in _FILTERS or after_matched:
                distinct = token_words[at] == "ON" and token_words[at - 1] == "DISTINCT"
                if not distinct and token_words[at + 1] not in (
                    "CONFLICT",
                    "DUPLICATE",
                ):
                    yield at

    def _condition(self, at: int) -> tuple[Node, int]:
        try:
            node, end = condition(self.statement, at)
        except NotUnderstood:
            return Node("opaque"), at
        node = self._substituted(node)
        columns = {part.text for part in node.walk() if part.op == "column"}
        if any("." in column for column in columns):
            node = _unqualified(node, columns)
        return node, end

    def _substituted(self, node: Node) -> Node:
        """Replace ``p.x`` by the expression of ``WITH p AS (SELECT :x AS x)``."""
        if node.op == "column":
            return self._bound.get(node.text, node)
        if not node.args or not self._bound:
            return node
        return replace(node, args=tuple(map(self._substituted, node.args)))

    def _closes(self, at: int) -> bool:
        """Whether the query around a place stands behind an odd number of NOTs."""
        levels, negated, level = self.statement.levels, False, self.statement.levels[at]
        for index in range(at, -1, -1):
            if levels[index] >= level or self._tokens[index].text != "(":
                continue
            level, before = levels[index], index - 1
            if self._words[before] in ("IN", "EXISTS", "ALL"):
                before -= 1
            excluded = self._tokens[before].text in ("<>", "!=")
            negated ^= before >= 0 and (self._words[before] == "NOT" or excluded)
        return negated

    def mentions(self, node: Node, name: str) -> bool:
        """Whether a node depends on a parameter, directly or through a subquery."""
        key = (id(node), name)
        if key not in self._mentions:
            mentioned = any(
                (part.op == "param" and part.text == name)
                or (part.op == "query" and self._query_mentions(part, name))
                for part in node.walk()
            )
            self._mentions[key] = (
                node,
                mentioned,
            )  # the node is kept, and so its identity
        return self._mentions[key][1]

    def _query_mentions(self, query: Node, name: str) -> bool:
        tokens = self._tokens[query.start : query.end]
        bound = {
            text.rpartition(".")[2]
            for text, node in self._bound.items()
            if self.mentions(node, name)
        }
        return any(
            (
                token.name == name
                if token.kind is TokenKind.PARAM
                else token.kind in _NAMES and plain_name(token.text) in bound
            )
            for token in tokens
        )

    def only_value(self, query: Node) -> Node | None:
        """Return the one expression of a query without a table, or of a query that is bound."""
        select_items = self._items(query)
        if select_items is None:
            return None
        items, at = select_items
        if len(items) != 1:
            return None
        node = items[0][1]
        if at == query.end:
            return node
        source = at + 2 == query.end and self._words[at] == "FROM"
        if source and node.op == "column":
            table = plain_name(self._tokens[at + 1].text)
            return self._bound.get(f"{table}.{node.text.rpartition('.')[2]}")
        return None

    def gives_column(self, query: Node) -> bool:
        """Whether a query returns a column of a table, so that it is NULL without a row."""
        select_items = self._items(query)
        return select_items is not None and [
            node.op for _, node in select_items[0]
        ] == ["column"]

    def _items(self, query: Node) -> tuple[list[tuple[str, Node]], int] | None:
        """Return what a plain SELECT gives, each with its name, and the place after that."""
        at, items = query.start + 1, list[tuple[str, Node]]()
        if self._words[query.start] != "SELECT":
            return None
        while at < query.end:
            node, at = self._condition(at)
            at += self._words[at] == "AS"
            named = at < query.end and self._tokens[at].kind in _NAMES
            name = node.text.rpartition(".")[2] if node.op == "column" else ""
            if named and self._words[at] not in _ITEM_ENDS:
                name, at = plain_name(self._tokens[at].text), at + 1
            items.append((name, node))
            if at >= query.end or self._tokens[at].text != ",":
                return items, at
            at += 1
        return None

    def _bindings(self) -> Iterator[tuple[str, Node]]:
        """Map ``p.x`` to the expressions of ``WITH p AS (SELECT :x AS x)`` and ``(SELECT :x AS
        x) AS p``.

        ``WITH p (x) AS (SELECT :x)`` and ``(VALUES (:x)) AS p (x)`` name the columns apart.
        """
        for at, token in enumerate(self._tokens):
            first = self._words[at + 1 : at + 2]
            if token.text != "(" or first not in (("SELECT",), ("VALUES",)):
                continue
            end = self.statement.closing_bracket(at)
            if end is None:
                continue
            select_items = self._derived_columns(at + 1, end)
            if not select_items:
                continue
            names = self._column_names(at, end)
            for table in self._tables(at, end):
                for index, (name, node) in enumerate(select_items):
                    name = names[index] if index < len(names) else name
                    if name:
                        yield f"{table}.{name}", node

    def _derived_columns(self, start: int, end: int) -> list[tuple[str, Node]]:
        """What the query between two places gives without a table, each with its name."""
        if self._words[start] == "VALUES":
            if self.statement.closing_bracket(start + 1) != end - 1:
                return []
            row, _ = self._condition(start + 1)
            return [("", value) for value in (row.args if row.op == "row" else (row,))]
        select_items = self._items(Node("query", start=start, end=end))
        return [] if select_items is None or select_items[1] != end else select_items[0]

    def _column_names(self, opening: int, end: int) -> list[str]:
        """The names in brackets: behind the name of a query of WITH, or behind an alias."""
        token_words, tokens = (*self._words, "", "", ""), self._tokens
        at = self._before_as(opening)
        if at > 1 and tokens[at].text == ")":
            start = self._opening(at)
            return [plain_name(token.text) for token in tokens[start + 1 : at : 2]]
        after = end + 1 + (token_words[end + 1] == "AS")
        if after + 1 < len(tokens) and tokens[after + 1].text == "(":
            stop = self.statement.closing_bracket(after + 1) or 0
            return [plain_name(token.text) for token in tokens[after + 2 : stop : 2]]
        return []

    def _before_as(self, opening: int) -> int:
        """The place before the AS of a query of WITH that opens here; 0 if it is none."""
        at = opening - 1
        while at > 0 and self._words[at] in ("MATERIALIZED", "NOT"):
            at -= 1
        return at - 1 if at > 0 and self._words[at] == "AS" else 0

    def _opening(self, closing: int) -> int:
        """The place of the bracket that the one at ``closing`` closes."""
        levels, at = self.statement.levels, closing - 1
        while at > 0 and levels[at] > levels[closing]:
            at -= 1
        return at

    def _tables(self, opening: int, end: int) -> Iterator[str]:
        """Return the names of the query between two brackets: of WITH, of FROM, and their
        aliases.
        """
        token_words, tokens = (*self._words, "", ""), self._tokens
        at = self._before_as(opening)
        if at > 1 and tokens[at].text == ")":
            at = self._opening(at) - 1
        if self._before_as(opening) and tokens[at].kind in _NAMES:
            table = plain_name(tokens[at].text)
            yield table
            for index in range(end, len(tokens) - 1):
                named = tokens[index].kind in _NAMES
                if named and plain_name(tokens[index].text) == table:
                    after = index + 1 + (token_words[index + 1] == "AS")
                    if tokens[after].kind in _NAMES:
                        yield plain_name(tokens[after].text)
        after = end + 1 + (token_words[end + 1] == "AS")
        if after < len(tokens) and tokens[after].kind in _NAMES:
            yield plain_name(tokens[after].text)


def _unqualified(node: Node, columns: Collection[str]) -> Node:
    """Write ``o.tenant`` as ``tenant`` where the statement also writes ``tenant`` alone."""
    if node.op == "column":
        last = node.text.rpartition(".")[2]
        return replace(node, text=last) if last in columns else node
    if not node.args:
        return node
    return replace(
        node, args=tuple(_unqualified(argument, columns) for argument in node.args)
    )
