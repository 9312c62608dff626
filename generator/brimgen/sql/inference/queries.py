"""Infer the columns that queries give: SELECT, and the queries of WITH."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.scopes import (
    Relation,
    RelationColumn,
    ResolvedColumn,
    Scope,
    Source,
    nullable_in,
)
from brimgen.sql.inference.set_operations import SetOperations
from brimgen.sql.model import Mistake
from brimgen.sql.truth import conjuncts

_ROUNDS = 4
"""After how many readings a recursive query is taken as it is."""


class Queries(SetOperations):
    """Reads queries."""

    def relation(self, query: exp.Expr, scope: Scope) -> Relation:
        """The rows that a query gives inside a scope."""
        aggregate_depth = self.inside_aggregate
        self.inside_aggregate = 0
        relation = self._relation(query, Scope(dialect=self.dialect, parent=scope))
        self.inside_aggregate = aggregate_depth
        return relation

    def _relation(self, query: exp.Expr, inner: Scope) -> Relation:
        self.read_with(query, inner)
        if isinstance(query, (exp.Subquery, exp.Paren)):
            relation = self.relation(query.this, inner)
            return self.apply_limit(query, relation, inner)
        if isinstance(query, exp.Select):
            return self._select(query, inner)
        if isinstance(query, exp.SetOperation):
            return self.read_set_operation(query, inner)
        if isinstance(query, exp.Values):
            return self.values_of(query, inner)
        if isinstance(query, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
            return self.read_change(query, inner)
        if isinstance(query, exp.Table):
            source = self.source_of(query, inner)
            return source.relation
        return Relation(None)

    @abstractmethod
    def read_change(self, query: exp.Expr, scope: Scope) -> Relation:
        """The rows that RETURNING gives."""

    # WITH

    def read_with(self, query: exp.Expr, scope: Scope) -> None:
        """Read the queries of WITH into a scope."""
        clause = query.args.get("with_")
        if not isinstance(clause, exp.With):
            return
        for expression in clause.expressions:
            name = scope.fold(expression.args["alias"].this)
            if name in scope.tables:
                self.report(
                    Mistake.REPEATED_NAME,
                    expression.args["alias"],
                    f"WITH names `{name}` twice",
                    subject=name,
                )
            if clause.recursive and isinstance(
                expression.this.unnest(), exp.SetOperation
            ):
                scope.tables[name] = self._recursive(expression, name, scope)
            else:
                scope.tables[name] = self._with_names(
                    expression, self.relation(expression.this, scope)
                )

    def _recursive(self, cte: exp.CTE, name: str, scope: Scope) -> Relation:
        """A query that may read itself: it is read until it says the same of its columns."""
        anchor = cte.this.unnest()
        while isinstance(anchor, exp.SetOperation):
            anchor = anchor.this.unnest()
        relation = self._with_names(cte, self.relation(anchor, scope))
        for _ in range(_ROUNDS):
            scope.tables[name] = relation
            again = self._with_names(cte, self.relation(cte.this, scope))
            if again.columns is None or relation.columns is None:
                return again
            same = [(column.type, column.nullable) for column in again.columns] == [
                (column.type, column.nullable) for column in relation.columns
            ]
            if same:
                return again
            relation = again
        columns = relation.columns or ()
        return Relation(tuple(column._replace(nullable=None) for column in columns))

    def _with_names(self, cte: exp.CTE, relation: Relation) -> Relation:
        """A relation with the column names that an alias gives it."""
        alias = cte.args.get("alias")
        return self.rename_columns(relation, alias)

    # SELECT

    def _select(self, node: exp.Select, scope: Scope) -> Relation:
        filters = self.read_from(node, scope)
        scope.aliases = frozenset(self._aliases(node, scope))
        where = node.args.get("where")
        if isinstance(where, exp.Where):
            self.condition(where.this, scope, "WHERE")
            filters += conjuncts(where.this)
        self.narrow(scope, filters)
        self._read_windows(node, scope)
        self._read_groups(node, scope)
        columns = self._select_columns(node, scope)
        self._read_having(node, scope)
        self.read_order(node, scope)
        if self.dialect == "postgres":
            self.check_grouping(node, scope)
        relation = Relation(
            columns,
            (scope.is_one_group and node.args.get("having") is None)
            or (not scope.sources and where is None),
        )
        return self.apply_limit(node, relation, scope)

    def _read_windows(self, node: exp.Select, scope: Scope) -> None:
        for window in node.args.get("windows") or ():
            scope.windows[scope.fold(window.this)] = window.args.get("spec") is not None
            self.read_window_keys(window, scope)

    def _read_groups(self, node: exp.Select, scope: Scope) -> None:
        group = node.args.get("group")
        keys = self.group_keys(node)
        scope.has_grouping_sets = _has_grouping_sets(group, keys)
        scope.is_grouped = bool(keys) and not scope.has_grouping_sets
        is_written = isinstance(group, exp.Group) and bool(group.expressions)
        if is_written:
            self._read_group_keys(keys, node, scope)
        if not keys and not scope.has_grouping_sets:
            has_having = node.args.get("having") is not None
            scope.is_one_group = is_written or has_having or self._has_aggregate(node)

    def _read_group_keys(
        self, keys: Sequence[exp.Expr], node: exp.Select, scope: Scope
    ) -> None:
        scope.clause = "GROUP BY"
        aliases = self._aliases(node, scope)
        for key in keys:
            is_alias = isinstance(key, exp.Column) and not key.table
            name = scope.fold(key.this) if is_alias else ""
            if name in aliases and not scope.resolve(name):
                continue
            if not isinstance(key, exp.Literal):
                self.value(key, scope)
        scope.clause = ""

    def _aliases(self, node: exp.Select, scope: Scope) -> dict[str, exp.Expr]:
        return {
            scope.fold(expression.args["alias"]): expression.this
            for expression in node.expressions
            if isinstance(expression, exp.Alias)
        }

    def _has_aggregate(self, node: exp.Select) -> bool:
        """Whether a SELECT calls an aggregate of its own rows."""
        clauses = [*node.expressions, node.args.get("having"), node.args.get("order")]
        return any(
            self.calls_aggregate(clause)
            for clause in clauses
            if isinstance(clause, exp.Expr)
        )

    def _select_columns(
        self, node: exp.Select, scope: Scope
    ) -> tuple[RelationColumn, ...] | None:
        columns: list[RelationColumn] = []
        unsure = False
        for expression in node.expressions:
            scope.clause = "select"
            item_columns = self.item(expression, scope)
            scope.clause = ""
            if item_columns is None:
                unsure = True
                continue
            columns += item_columns
            for column in item_columns:
                scope.outputs.setdefault(scope.fold_name(column.name), column)
        return None if unsure else tuple(columns)

    def item(self, node: exp.Expr, scope: Scope) -> list[RelationColumn] | None:
        """The columns that an item of a SELECT list gives; None where they are not sure."""
        star = node.this if isinstance(node, exp.Column) else node
        if isinstance(star, exp.Star):
            return self._starred_columns(node, star, scope)
        value = self.value(node, scope)
        name = node.alias if isinstance(node, exp.Alias) else self._default_name(node)
        return [
            RelationColumn(
                name, value.type, value.nullable, value.origin, value.open, node
            )
        ]

    def _default_name(self, node: exp.Expr) -> str:
        inner = node.unnest()
        if isinstance(inner, exp.Column):
            return self.output_name(inner.this)
        if self.dialect == "postgres":
            if isinstance(inner, exp.Cast):
                return self._default_name(inner.this)
            if isinstance(inner, exp.Anonymous):
                return str(inner.this).lower()
            if isinstance(inner, exp.Window):
                return self._default_name(inner.this)
        return ""

    def _starred_columns(
        self, node: exp.Expr, star: exp.Star, scope: Scope
    ) -> list[RelationColumn] | None:
        source: Source | None = None
        if isinstance(node, exp.Column) and node.args.get("table") is not None:
            source = self.named_source(node.args["table"], scope)
            if source is None:
                return None
        if star.args.get("replace") or star.args.get("rename"):
            return None
        columns = scope.star_columns(source)
        if columns is None:
            return None
        left_out = {
            scope.fold(
                identifier
                if isinstance(identifier, exp.Identifier)
                else identifier.this
            )
            for identifier in star.args.get("except_") or ()
        }
        return [
            self._starred_column(resolved, node, scope, starred=source is None)
            for resolved in columns
            if scope.fold_name(resolved.column.name) not in left_out
        ]

    def _starred_column(
        self, resolved: ResolvedColumn, node: exp.Expr, scope: Scope, *, starred: bool
    ) -> RelationColumn:
        name = scope.fold_name(resolved.column.name)
        several = scope.merged.get(name) if starred else None
        nullable = self.merged_nullable(several) if several else nullable_in(resolved)
        if scope.is_one_group:
            nullable = True
        return resolved.column._replace(nullable=nullable, node=node)

    def _read_having(self, node: exp.Select, scope: Scope) -> None:
        having = node.args.get("having")
        if isinstance(having, exp.Having):
            self.condition(having.this, scope, "HAVING")
        qualify = node.args.get("qualify")
        if isinstance(qualify, exp.Qualify):
            self.condition(qualify.this, scope, "QUALIFY")


def _has_grouping_sets(group: object, keys: Sequence[exp.Expr]) -> bool:
    if not isinstance(group, exp.Group):
        return False
    clauses = [group.args.get(each) for each in ("rollup", "cube", "grouping_sets")]
    sets = (exp.Rollup, exp.Cube, exp.GroupingSets)
    return any(clauses) or any(isinstance(key, sets) for key in keys)
