"""Find what the conditions of a query rule out in its rows, and what its groups leave open.

A column that must have a value for a row to pass is never NULL; an outer join whose added rows
never pass is an inner one, and then its condition holds for all rows, too. In PostgreSQL, what a
query names outside of aggregates must be grouped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from brimgen.sql.inference.calls import Calls
from brimgen.sql.inference.scopes import ResolvedColumn, Scope, Source
from brimgen.sql.model import Mistake
from brimgen.sql.truth import ALWAYS, TRUE, Truth, conjuncts
from brimgen.sql.values import NULL_OF_NULL, Meaning, Value


class Grouping(Calls):
    """Narrows what is known of columns by conditions, and checks those of grouped queries."""

    def narrow(self, scope: Scope, conditions: Iterable[exp.Expr | None]) -> None:
        """Note what conditions that hold for all rows say of the sources of a query."""
        pending = [part for condition in conditions for part in conjuncts(condition)]
        true_conditions: list[exp.Expr] = []
        while pending:
            true_conditions += pending
            pending = list[exp.Expr]()
            for source in scope.sources:
                if source.extended and self._rules_out_null(true_conditions, source):
                    source.extended = False
                    pending += [
                        part
                        for condition in source.conditions
                        for part in conjuncts(condition)
                    ]
        for source in scope.sources:
            for name in self._column_names_in(true_conditions, source):
                if name not in source.known and self._rules_out_null(
                    true_conditions, source, name
                ):
                    source.known.add(name)

    def _column_names_in(
        self, conditions: Sequence[exp.Expr], source: Source
    ) -> set[str]:
        """The columns of a source that conditions name, without case."""
        names: set[str] = set()
        for condition in conditions:
            for column in condition.find_all(exp.Column):
                resolved = self.resolved_at.get(id(column))
                if resolved is not None and resolved.source is source:
                    names.add(resolved.column.name.casefold())
        return names

    def _rules_out_null(
        self, conditions: Sequence[exp.Expr], source: Source, name: str = ""
    ) -> bool:
        """Whether a condition is not true if a column (or all) of a source are NULL."""

        def is_null(column: exp.Expr) -> bool:
            resolved = self.resolved_at.get(id(column))
            if resolved is None or resolved.source is not source:
                return False
            return not name or resolved.column.name.casefold() == name

        truth = Truth(is_null, self._is_strict)
        return any(TRUE not in truth.possible(condition) for condition in conditions)

    def _is_strict(self, name: str, count: int) -> bool:
        unknown = Value(None, None, exp.Null())
        meaning = self.rules.call(name, [unknown] * count)
        return isinstance(meaning, Meaning) and meaning.nulls in NULL_OF_NULL

    def narrowed_value(
        self,
        value: Value,
        true: Sequence[exp.Expr],
        not_true: Sequence[exp.Expr],
    ) -> Value:
        """A value where some conditions are true, and others are not.

        A column itself is narrowed (`CASE WHEN a IS NOT NULL THEN a END`); of an expression over
        such a column nobody knows whether it is NULL.
        """
        if value.nullable is False or not (true or not_true):
            return value
        node = value.node.unnest()
        parts = [part for condition in true for part in conjuncts(condition)]
        if id(node) in self.resolved_at:
            is_not_null = self._is_not_null(self.resolved_at[id(node)], parts, not_true)
            return value._replace(nullable=False) if is_not_null else value
        named = [
            self.resolved_at.get(id(column)) for column in node.find_all(exp.Column)
        ]
        columns = [column for column in named if column is not None]
        doubtful = any(self._is_not_null(column, parts, not_true) for column in columns)
        return value._replace(nullable=None) if doubtful else value

    def _is_not_null(
        self,
        resolved: ResolvedColumn,
        true: Sequence[exp.Expr],
        not_true: Sequence[exp.Expr],
    ) -> bool:
        """Whether a column is not NULL, given conditions that are true, and some that are not."""

        def is_null(column: exp.Expr) -> bool:
            other = self.resolved_at.get(id(column))
            return other is not None and _is_same(other, resolved)

        truth = Truth(is_null, self._is_strict)
        if any(TRUE not in truth.possible(condition) for condition in true):
            return True
        return any(truth.possible(condition) == ALWAYS for condition in not_true)

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
        return any(map(self.calls_aggregate, _parts_of_window(node)))

    def check_grouping(self, node: exp.Select, scope: Scope) -> None:
        """Report columns that stand outside of aggregates, and are not grouped."""
        if not (scope.is_one_group or scope.is_grouped):
            return
        if scope.has_unknown_source:
            return
        if any(finding.mistake in _HIDING_GROUPS for finding in self.findings):
            return  # which groups are meant is not known
        keys = self._keys(node, scope)
        grouped = {
            _identity(self.resolved_at[id(key)])
            for key in keys
            if id(key) in self.resolved_at
        }
        texts = {self._text(key) for key in keys}
        reported = set[tuple[int, str]]()
        for expression in (*node.expressions, *_having_and_order(node)):
            ungrouped = self._ungrouped(expression, grouped, texts, scope)
            if ungrouped is None:
                continue
            resolved = self.resolved_at[id(ungrouped)]
            if _identity(resolved) in reported:
                continue
            reported.add(_identity(resolved))
            self.report(
                Mistake.NOT_GROUPED,
                ungrouped,
                f"`{ungrouped.name}` is neither grouped nor inside an aggregate",
                subject=ungrouped.name,
                table=resolved.source.table,
                column=(
                    resolved.column.origin.column if resolved.column.origin else None
                ),
            )
        if any(isinstance(expression, exp.Star) for expression in node.expressions):
            self._check_star(node, grouped, scope)

    def _check_star(
        self, node: exp.Select, grouped: set[tuple[int, str]], scope: Scope
    ) -> None:
        """Report ``*`` in a grouped query, which names columns that are not grouped."""
        merged = {
            _identity(column) for columns in scope.merged.values() for column in columns
        }
        for resolved in scope.star_columns() or ():
            allowed = grouped | merged if merged & grouped else grouped
            if _identity(resolved) not in allowed and not self._depends(
                resolved, grouped
            ):
                self.report(
                    Mistake.NOT_GROUPED,
                    node.expressions[0],
                    f"`*` names `{resolved.column.name}`, which is not grouped",
                    subject=resolved.column.name,
                    table=resolved.source.table,
                )
                return

    def _keys(self, node: exp.Select, scope: Scope) -> list[exp.Expr]:
        """The expressions of GROUP BY; numbers and aliases stand for those of the SELECT list."""
        items = [expression.unalias() for expression in node.expressions]
        aliases = {
            scope.fold(expression.args["alias"]): expression.this
            for expression in node.expressions
            if isinstance(expression, exp.Alias)
        }
        keys: list[exp.Expr] = []
        for expression in self.group_keys(node):
            if isinstance(expression, exp.Literal) and expression.name.isdigit():
                at = int(expression.name) - 1
                keys += items[at : at + 1]
            elif (
                isinstance(expression, exp.Column)
                and id(expression) not in self.resolved_at
            ):
                named = aliases.get(scope.fold(expression.this))
                keys.append(named if named is not None else expression)
            else:
                keys.append(expression.unnest())
        return keys

    def _ungrouped(
        self,
        node: exp.Expr,
        grouped: set[tuple[int, str]],
        texts: set[str],
        scope: Scope,
    ) -> exp.Expr | None:
        if isinstance(node, exp.Column):
            resolved = self.resolved_at.get(id(node))
            if resolved is None or not any(
                resolved.source is source for source in scope.sources
            ):
                return None
            if _identity(resolved) in grouped or self._depends(resolved, grouped):
                return None
            name = scope.fold(node.this)
            several = [] if node.table else scope.merged.get(name, [])
            if any(_identity(column) in grouped for column in several):
                return None
            return None if self._text(node) in texts else node
        if isinstance(
            node, (exp.Query, exp.WithinGroup, exp.Filter)
        ) or self.may_aggregate(node):
            return None
        if texts and self._text(node) in texts:
            return None
        is_over = isinstance(node, exp.Window)
        for part in _parts_of_window(node) if is_over else node.iter_expressions():
            ungrouped = self._ungrouped(part, grouped, texts, scope)
            if ungrouped is not None:
                return ungrouped
        return None

    def _text(self, node: exp.Expr) -> str:
        """The text of an expression in which each column has one name, however it is written."""
        copied = node.copy()
        pairs = [
            *zip(node.find_all(exp.Column), copied.find_all(exp.Column), strict=True)
        ]
        for own, other in pairs:
            resolved = self.resolved_at.get(id(own))
            if resolved is not None:
                other.set("table", None)
                other.set(
                    "this", exp.to_identifier(f"{_identity(resolved)}", quoted=True)
                )
        return copied.sql()

    def _depends(self, resolved: ResolvedColumn, grouped: set[tuple[int, str]]) -> bool:
        """Whether a column's table is grouped by its primary key, so that it has one value."""
        table = resolved.source.table
        if table is None or not table.primary_key:
            return False
        return all(
            (id(resolved.source), column.casefold()) in grouped
            for column in table.primary_key
        )


_HIDING_GROUPS = frozenset({Mistake.MISPLACED_AGGREGATE, Mistake.NOT_BOOLEAN})


def _having_and_order(node: exp.Select) -> list[exp.Expr]:
    """What HAVING and ORDER BY read."""
    expressions: list[exp.Expr] = []
    having, order = node.args.get("having"), node.args.get("order")
    if isinstance(having, exp.Having):
        expressions.append(having.this)
    if isinstance(order, exp.Order):
        expressions += [expression.this for expression in order.expressions]
    return expressions


def _identity(resolved: ResolvedColumn) -> tuple[int, str]:
    return id(resolved.source), resolved.column.name.casefold()


def _parts_of_window(window: exp.Expr) -> list[exp.Expr]:
    """What a window function reads: its arguments, those of FILTER and those of OVER."""
    parts = [part for part in window.iter_expressions() if part is not window.this]
    called = window.this
    while isinstance(called, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        parts += [part for part in called.iter_expressions() if part is not called.this]
        called = called.this
    return [*called.iter_expressions(), *parts]


def _is_same(one: ResolvedColumn, other: ResolvedColumn) -> bool:
    return one.source is other.source and one.column.name == other.column.name
