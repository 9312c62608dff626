"""Infer UNION and its like, VALUES, ORDER BY and LIMIT."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.from_clause import FromClause
from brimgen.sql.inference.scopes import Relation, RelationColumn, Scope
from brimgen.sql.model import Base, Mistake
from brimgen.sql.values import Refused, Value, strict


class SetOperations(FromClause):
    """Reads what joins queries, orders their rows and limits them."""

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
