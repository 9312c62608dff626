"""Find what the conditions of a query rule out in its rows.

A column that must have a value for a row to pass is never NULL; an outer join whose added rows
never pass is an inner one, and then its condition holds for all rows, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from brimgen.sql.inference.calls import Calls
from brimgen.sql.inference.scopes import ResolvedColumn, Scope, Source
from brimgen.sql.truth import ALWAYS, TRUE, Truth, conjuncts
from brimgen.sql.values import NULL_OF_NULL, Meaning, Value


class Narrowing(Calls):
    """Narrows what is known of columns by conditions."""

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


def _is_same(one: ResolvedColumn, other: ResolvedColumn) -> bool:
    return one.source is other.source and one.column.name == other.column.name
