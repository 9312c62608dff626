"""Infer the columns that queries give: SELECT, and the queries of WITH."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.from_clause import FromClause
from brimgen.sql.inference.scopes import (
    Relation,
    RelationColumn,
    ResolvedColumn,
    Scope,
    Source,
    nullable_in,
)
from brimgen.sql.model import Base, Mistake
from brimgen.sql.truth import conjuncts
from brimgen.sql.values import Refused, Value, strict

_ROUNDS = 4
"""After how many readings a recursive query is taken as it is."""


class Queries(FromClause):
    """Reads queries."""

    def read_set_operation(self, node: exp.SetOperation, scope: Scope) -> Relation:
        left = self.relation(node.this, scope)
        right = self.relation(node.expression, scope)
        if left.columns is None or right.columns is None or node.args.get("by_name"):
            return Relation(None)
        if len(left.columns) != len(right.columns):
            self.report(
                Mistake.COLUMN_COUNT,
                node.expression,
                f"{node.key.upper()} joins queries of {len(left.columns)} and of"
                f" {len(right.columns)} columns",
            )
            return Relation(left.columns)
        columns = tuple(
            self._common_column(node, one, other)
            for one, other in zip(left.columns, right.columns, strict=True)
        )
        scope.outputs = {scope.fold_name(column.name): column for column in columns}
        self.read_order(node, scope)
        is_union = isinstance(node, exp.Union)
        always = is_union and (left.at_least_one or right.at_least_one)
        relation = Relation(columns, always)
        return self.apply_limit(node, relation, scope)

    def _common_column(
        self, node: exp.SetOperation, one: RelationColumn, other: RelationColumn
    ) -> RelationColumn:
        null = exp.Null()
        values = [
            Value(
                column.type,
                column.nullable,
                column.node or null,
                column.open,
                column.origin,
            )
            for column in (one, other)
        ]
        both = (one.nullable, other.nullable)
        if isinstance(node, exp.Union):
            nullable = strict(both)
        elif isinstance(node, exp.Intersect):
            nullable = False if False in both else strict(both)
        else:
            nullable = one.nullable
        common = self.rules.common(values)
        if isinstance(common, Refused):
            text = f"{common.text} in {node.key.upper()}"
            self.report_refusal(
                common._replace(text=text), (other.node or node.expression)
            )
            common = None
        for value in values:
            if value.open:
                self.use(value, common)
        is_open = one.open and other.open
        origin = one.origin if one.origin == other.origin else None
        return RelationColumn(one.name, common, nullable, origin, is_open, one.node)

    def values_of(self, node: exp.Values, scope: Scope) -> Relation:
        scope.clause = "VALUES"
        rows = [
            self.values(cells_of(row, self.dialect), scope) for row in node.expressions
        ]
        scope.clause = ""
        if not rows or len({len(row) for row in rows}) != 1:
            self.report(
                Mistake.COLUMN_COUNT,
                node,
                "the rows of VALUES differ in their numbers of columns",
            )
            return Relation(None)
        columns = tuple(
            self._column_of_rows(cells, at, node)
            for at, cells in enumerate(zip(*rows, strict=True))
        )
        return Relation(columns, at_least_one=True)

    def _column_of_rows(
        self, cells: Sequence[Value], at: int, node: exp.Expr
    ) -> RelationColumn:
        type = self.common_type(cells, node, "VALUES")
        names = {"duckdb": f"col{at}", "mysql": f"column_{at}"}
        name = names.get(self.dialect, f"column{at + 1}")
        return RelationColumn(
            name,
            type,
            strict(cell.nullable for cell in cells),
            None,
            False,
            node,
        )

    # ORDER BY and LIMIT

    def read_order(self, node: exp.Expr, scope: Scope) -> None:
        order = node.args.get("order")
        if not isinstance(order, exp.Order):
            return
        scope.clause = "ORDER BY"
        for expression in order.expressions:
            inner = expression.this
            is_alias = isinstance(inner, exp.Column) and not inner.table
            if is_alias and scope.fold(inner.this) in scope.outputs:
                continue
            if isinstance(inner, exp.Literal):
                self._check_position(inner, node)
            else:
                self.value(inner, scope)
                self._check_distinct(inner, node, scope)
        scope.clause = ""

    def _check_position(self, number: exp.Literal, node: exp.Expr) -> None:
        """Report a number in ORDER BY that is of no column."""
        if (
            not isinstance(node, exp.Select)
            or number.is_string
            or not number.name.isdigit()
        ):
            return
        is_starred = any(expression.is_star for expression in node.expressions)
        if not is_starred and not 1 <= int(number.name) <= len(node.expressions):
            self.report(
                Mistake.NOT_ALLOWED,
                number,
                f"there is no column {number.name} to order by",
                subject=number.name,
            )

    def _check_distinct(self, key: exp.Expr, node: exp.Expr, scope: Scope) -> None:
        """Report a key that SELECT DISTINCT does not select, in PostgreSQL."""
        distinct = node.args.get("distinct")
        plain = isinstance(distinct, exp.Distinct) and distinct.args.get("on") is None
        if self.dialect != "postgres" or not plain or not isinstance(key, exp.Column):
            return
        resolved = self.resolved_at.get(id(key))
        if resolved is None or any(
            expression.is_star for expression in node.expressions
        ):
            return
        for expression in node.expressions:
            selected = self.resolved_at.get(id(expression.unalias().unnest()))
            if selected is not None and selected.column == resolved.column:
                return
        self.report(
            Mistake.NOT_ALLOWED,
            key,
            f"SELECT DISTINCT orders by `{key.name}`, which it does not select",
            subject=key.name,
        )

    def apply_limit(self, node: exp.Expr, relation: Relation, scope: Scope) -> Relation:
        whole = self.type_of(Base.INT8)
        for key in ("limit", "offset"):
            clause = node.args.get(key)
            if isinstance(clause, exp.Fetch):
                amount = clause.args.get("count")
            else:
                amount = clause.expression if isinstance(clause, exp.Expr) else None
            if not isinstance(amount, exp.Expr):
                continue
            self.use(self.value(amount, scope), whole)
            resolved = self.resolved_at.get(id(amount))
            is_own = resolved is not None and any(
                resolved.source is source for source in scope.sources
            )
            if self.dialect == "postgres" and is_own:
                text = f"{key.upper()} takes no column"
                self.report(Mistake.NOT_ALLOWED, amount, text, subject=amount.name)
        if node.args.get("limit") is not None or node.args.get("offset") is not None:
            first = node.args.get("offset") is None and (_limit_of(node) or 0) > 0
            relation.at_least_one = relation.at_least_one and first
        return relation

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


def cells_of(row: exp.Expr, dialect: str) -> list[exp.Expr]:
    """The values of a row of VALUES; MySQL may write it as ROW."""
    cells = list(row.expressions) if isinstance(row, exp.Tuple) else [row]
    if dialect == "mysql" and len(cells) == 1 and isinstance(cells[0], exp.Anonymous):
        is_row = str(cells[0].this).upper() == "ROW"
        return list(cells[0].expressions) if is_row else cells
    return cells


def _limit_of(node: exp.Expr) -> int | None:
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
