"""Decide whether a query gives at most one row: by its keys, its groups and its LIMIT."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sqlschema.model import Base
from brimgen.sqlschema.statements.narrowing import Narrowing
from brimgen.sqlschema.statements.scopes import Scope, Source
from brimgen.sqlschema.statements.truth import conjuncts, quantified

_SIMPLE = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Is, exp.Like, exp.ILike),
    *(exp.In, exp.Between, exp.Not, exp.Column),
)

_UNENFORCED = frozenset({"bigquery", "clickhouse", "databricks", "snowflake"})
"""Dialects whose databases store two rows of one key."""


class RowLimits(Narrowing):
    """Counts the rows of queries."""

    def is_single(self, scope: Scope, filters: Sequence[exp.Expr]) -> bool:
        """Whether the sources of a query have at most one row together."""
        return all(
            id(source) in self._single_row_sources(scope, filters)
            for source in scope.sources
        )

    def _single_row_sources(
        self, scope: Scope, filters: Sequence[exp.Expr]
    ) -> set[int]:
        """The sources with at most one row for those that are fixed before."""
        fixed: set[int] = set()
        growing = True
        while growing:
            newly_fixed = {
                id(source)
                for source in scope.sources
                if id(source) not in fixed
                and self._has_single_row(source, scope, filters, fixed)
            }
            fixed |= newly_fixed
            growing = bool(newly_fixed)
        return fixed

    def _has_single_row(
        self,
        source: Source,
        scope: Scope,
        filters: Sequence[exp.Expr],
        fixed: set[int],
    ) -> bool:
        if source.relation.at_most_one:
            return True
        table = source.table
        if table is None or table.view or self.dialect in _UNENFORCED:
            return False
        conditions = [*filters, *source.conditions]
        bound = self.bound_columns(source, scope, conditions, fixed)
        keys = [key for key in (table.primary_key, *table.unique) if key]
        return any({column.casefold() for column in key} <= bound for key in keys)

    def bound_columns(
        self,
        source: Source,
        scope: Scope,
        conditions: Sequence[exp.Expr],
        fixed: set[int],
    ) -> set[str]:
        """The columns of a source that equal something which is fixed."""
        names: set[str] = set()
        parts = [part for condition in conditions for part in conjuncts(condition)]
        for part in parts:
            if not isinstance(part, exp.EQ):
                continue
            for one, other in (
                (part.this, part.expression),
                (part.expression, part.this),
            ):
                resolved = self.resolved_at.get(id(one.unnest()))
                if resolved is None or resolved.source is not source:
                    continue
                if self._is_constant(other, scope, fixed) and not _is_loose(
                    resolved.column.type, other
                ):
                    names.add(resolved.column.name.casefold())
        return names

    def _is_constant(self, node: exp.Expr, scope: Scope, fixed: set[int]) -> bool:
        """Whether an expression has one value for all rows of a query."""
        if isinstance(node, exp.Tuple) or quantified(node)[0]:
            return False
        own = {id(source) for source in scope.sources}
        for column in node.find_all(exp.Column):
            resolved = self.resolved_at.get(id(column))
            if resolved is None or (
                id(resolved.source) in own and id(resolved.source) not in fixed
            ):
                return False
        return True

    def group_keys(self, node: exp.Select) -> list[exp.Expr]:
        """The expressions that GROUP BY groups by, none of `()` and those of `(a, b)` one by one.

        GROUP BY ALL groups by what the SELECT list says of columns outside of aggregates.
        """
        group = node.args.get("group")
        if not isinstance(group, exp.Group):
            return []
        if group.args.get("all") and not group.expressions:
            return [
                expression.unalias()
                for expression in node.expressions
                if expression.find(exp.Column, exp.Star)
                and not self.calls_aggregate(expression)
            ]
        keys: list[exp.Expr] = []
        for expression in group.expressions:
            is_tuple = isinstance(expression, exp.Tuple)
            keys += expression.expressions if is_tuple else [expression]
        return keys

    def calls_aggregate(self, node: exp.Expr) -> bool:
        """Whether an expression calls an aggregate of the rows of its own query."""
        if isinstance(node, exp.Query):
            return False
        if not isinstance(node, exp.Window):
            if self.is_aggregate(node) or isinstance(node, exp.WithinGroup):
                return True
            return any(map(self.calls_aggregate, node.iter_expressions()))
        return any(map(self.calls_aggregate, parts_of_window(node)))

    def at_most_one_row(
        self, node: exp.Select, scope: Scope, filters: Sequence[exp.Expr]
    ) -> bool | None:
        """Whether a SELECT gives at most one row, apart from its LIMIT."""
        if any(self._returns_set(expression) for expression in node.expressions):
            return None
        if scope.is_one_group:
            return True
        if scope.is_grouped:
            fixed = self._single_row_sources(scope, filters)
            if all(
                self._is_bound_key(key, scope, filters, fixed)
                for key in self.group_keys(node)
            ):
                return True
        if self.is_single(scope, filters) and not scope.is_full:
            return True
        plain = all(
            source.table is not None and not source.table.view
            for source in scope.sources
        )
        simple = all(isinstance(filter, _SIMPLE) for filter in filters)
        limited = (
            node.args.get("group") is not None
            or scope.is_full
            or node.args.get("distinct") is not None
        )
        has_query = any(condition.find(exp.Query) for condition in filters)
        return False if plain and simple and not limited and not has_query else None

    def _is_bound_key(
        self,
        node: exp.Expr,
        scope: Scope,
        filters: Sequence[exp.Expr],
        fixed: set[int],
    ) -> bool:
        resolved = self.resolved_at.get(id(node.unnest()))
        if resolved is None:
            return False
        if id(resolved.source) in fixed:
            return True
        bound = self.bound_columns(resolved.source, scope, filters, fixed)
        return resolved.column.name.casefold() in bound

    def _returns_set(self, node: exp.Expr) -> bool:
        """Whether an expression gives several rows."""
        for call in node.find_all(exp.Anonymous):
            name = str(call.this).lower()
            if name == "unnest" or self.kind_of(name, len(call.expressions)) == "s":
                return True
        return node.find(exp.Unnest) is not None


def parts_of_window(window: exp.Expr) -> list[exp.Expr]:
    """What a window function reads: its arguments, those of FILTER and those of OVER."""
    parts = [part for part in window.iter_expressions() if part is not window.this]
    called = window.this
    while isinstance(called, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        parts += [part for part in called.iter_expressions() if part is not called.this]
        called = called.this
    return [*called.iter_expressions(), *parts]


def limit_of(node: exp.Expr) -> int | None:
    """The number of rows that LIMIT or FETCH names; None where there is none."""
    limit = node.args.get("limit")
    count = limit.args.get("count") if isinstance(limit, exp.Fetch) else None
    if isinstance(limit, exp.Fetch):
        options = limit.args.get("limit_options")
        if options is not None and (
            options.args.get("with_ties") or options.args.get("percent")
        ):
            return None
        count = count if count is not None else exp.Literal.number(1)
    elif isinstance(limit, exp.Limit):
        count = limit.expression
    if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit():
        return int(count.name)
    return None


def _is_loose(type: object, operand: exp.Expr) -> bool:
    """Whether a text is compared with a number, which several texts may equal."""
    base = getattr(type, "base", None)
    return base is Base.TEXT and operand.is_number
