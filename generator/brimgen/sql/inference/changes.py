"""Infer what INSERT, UPDATE, DELETE and MERGE store, and what RETURNING gives."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.queries import Queries, cells_of
from brimgen.sql.inference.scopes import Relation, RelationColumn, Scope, Source
from brimgen.sql.model import Base, Mistake, Origin, Table
from brimgen.sql.truth import conjuncts
from brimgen.sql.values import Value

_LISTING_GENERATED = frozenset({"postgres", "mysql"})
"""Dialects in which a row without names has a place for generated columns, too: for DEFAULT."""


class Changes(Queries):
    """Reads statements that change rows."""

    def report_repeated_name(self, node: exp.Expr, name: str) -> None:
        """Note that a column is named a second time."""
        text = f"the column `{name}` is named twice"
        self.report(Mistake.REPEATED_NAME, node, text, subject=name)

    def stored_column(
        self, node: exp.Expr, source: Source, scope: Scope
    ) -> RelationColumn | None:
        """The column that a value is stored in; None, and a report, if none has the name."""
        identifier = node if isinstance(node, exp.Identifier) else node.this
        if not isinstance(identifier, exp.Identifier):
            return None
        name = scope.fold(identifier)
        column = scope.column_of(source, name)
        if column is None:
            self.report(
                Mistake.UNKNOWN_COLUMN,
                identifier,
                f"`{source.table.name if source.table else source.name}` has no column `{name}`",
                subject=name,
                among=[column.name for column in source.columns or ()],
                table=source.table,
            )
        return column

    def check_count(
        self,
        node: exp.Expr,
        columns: Sequence[object] | None,
        written: Sequence[object],
        values: Sequence[object] | None,
    ) -> None:
        """Check that there is a value for each column.

        In PostgreSQL the last columns may be left out if none is ``written``.
        """
        if columns is None or values is None or len(columns) == len(values):
            return
        if not written and self.dialect == "postgres" and len(values) < len(columns):
            return
        if not values:
            return
        self.report(
            Mistake.COLUMN_COUNT,
            node,
            f"{len(values)} values are given for {len(columns)} columns",
        )

    def store_cell(
        self, cell: exp.Expr, column: RelationColumn | None, scope: Scope
    ) -> None:
        """Read a value that is stored in a column, if that is known."""
        if is_default(cell):
            if column is not None and column.origin is not None:
                origin = column.origin
                if needs_value(origin) and not self.ignores_null:
                    text = f"`{column.name}` takes no NULL and has no default"
                    self._report_null(cell, origin, text)
            return
        if isinstance(cell, exp.Star):
            return
        value = self.value(cell, scope)
        if column is not None:
            self.store(value, column)

    def store(self, value: Value, column: RelationColumn) -> None:
        """Note that a value is stored in a column."""
        origin = column.origin
        if origin is not None and origin.column.generated:
            self.report(
                Mistake.GENERATED_COLUMN,
                value.node,
                f"the database computes the column `{column.name}`",
                subject=column.name,
                table=origin.table,
                column=origin.column,
            )
        nullable = None if origin is None else self._takes_null(origin)
        self.use(value, column.type, nullable=nullable, origin=origin, stored=True)
        is_null = isinstance(value.node.unnest(), exp.Null)
        if is_null and nullable is False and origin is not None:
            self._report_null(value.node, origin, f"`{column.name}` takes no NULL")
        if column.type is None or value.type is None or value.open:
            return
        if not self.converts(value, column.type, "ia"):
            self.report(
                Mistake.MISMATCHED_TYPES,
                value.node,
                f"`{column.name}` is of the type {column.type.native}, and this is of the type"
                f" {value.type.native}",
                subject=column.name,
                table=origin.table if origin else None,
                column=origin.column if origin else None,
            )

    def _takes_null(self, origin: Origin) -> bool | None:
        """Whether a column takes NULL; None where the database may store another value."""
        column = origin.column
        if column.nullable is False:
            is_filled = column.default and self.dialect in _FILLING
            if is_filled or origin.table.has_before_trigger or self.ignores_null:
                return None
        return column.nullable

    def _report_null(self, node: exp.Expr, origin: Origin, text: str) -> None:
        self.report(
            Mistake.NULL_STORED,
            node,
            text,
            subject=origin.column.name,
            table=origin.table,
            column=origin.column,
        )

    def read_change(self, query: exp.Expr, scope: Scope) -> Relation:
        """The rows that RETURNING gives; none without it."""
        if isinstance(query, exp.Insert):
            return self._read_insert(query, scope)
        if isinstance(query, exp.Update):
            return self._read_update(query, scope)
        if isinstance(query, exp.Delete):
            return self._read_delete(query, scope)
        return self._read_merge(query, scope)

    def _target(self, node: exp.Expr, scope: Scope) -> Source:
        """The table that a statement changes."""
        source = self.source_of(node, scope)
        scope.sources.append(source)
        return source

    # INSERT

    def _read_insert(self, node: exp.Insert, scope: Scope) -> Relation:
        target, written = node.this, list[exp.Expr]()
        if isinstance(target, exp.Schema):
            target, written = target.this, list(target.expressions)
        inner = Scope(dialect=self.dialect, tables=scope.all_tables())
        source = self._target(target, inner)
        self.ignores_null = self.dialect == "mysql" and bool(node.args.get("ignore"))
        columns = self._columns_of(written, source, inner)
        if node.args.get("by_name"):
            columns = None  # DuckDB: the query names them
        elif _has_no_value(node) and columns is not None:
            columns = []
        rows = self._inserted_rows(node, columns, written, scope)
        if columns is not None and source.table is not None:
            self._check_missing_columns(target, columns, source.table)
        conflict = node.args.get("conflict")
        if isinstance(conflict, exp.OnConflict):
            self._check_conflict_key(conflict, source, inner)
            refused = self._refused_row(node, columns, source)
            self._read_conflict(conflict, source, refused, inner)
        relation = self._read_returning(node, inner)
        relation.at_least_one = rows.at_least_one and conflict is None
        return relation

    def _columns_of(
        self, written: Sequence[exp.Expr], source: Source, scope: Scope
    ) -> list[RelationColumn] | None:
        """The columns that an INSERT names, or all that it may; None where they are not sure."""
        if source.columns is None:
            return None
        if not written:
            return [
                column
                for column in source.columns
                if self.dialect in _LISTING_GENERATED
                or column.origin is None
                or not column.origin.column.generated
            ]
        columns: list[RelationColumn] = []
        for node in written:
            column = self.stored_column(node, source, scope)
            if column is None:
                return None
            if any(other.name == column.name for other in columns):
                self.report_repeated_name(node, column.name)
            columns.append(column)
        return columns

    def _inserted_rows(
        self,
        node: exp.Insert,
        columns: list[RelationColumn] | None,
        written: Sequence[exp.Expr],
        scope: Scope,
    ) -> Relation:
        query = node.expression
        if query is None:
            return Relation(None, at_least_one=True)
        if not isinstance(query, exp.Values):
            relation = self.relation(query, scope)
            self.check_count(query, columns, written, relation.columns)
            for target, selected in zip(
                columns or (), relation.columns or (), strict=False
            ):
                value = Value(
                    selected.type,
                    selected.nullable,
                    selected.node or query,
                    selected.open,
                    selected.origin,
                )
                self.store(value, target)
            return relation
        scope.clause = "VALUES"
        for row in query.expressions:
            cells = cells_of(row, self.dialect)
            self.check_count(row, columns, written, cells)
            for at, cell in enumerate(cells):
                column = (
                    columns[at] if columns is not None and at < len(columns) else None
                )
                self.store_cell(cell, column, scope)
        scope.clause = ""
        return Relation(None, at_least_one=True)

    def _check_missing_columns(
        self, node: exp.Expr, columns: Sequence[RelationColumn], table: Table
    ) -> None:
        named = {column.name for column in columns}
        if len(named) != len(columns) or self.ignores_null:
            return
        for column in table.columns:
            if column.name not in named and needs_value(Origin(table, column)):
                self.report(
                    Mistake.MISSING_COLUMN,
                    node,
                    f"INSERT leaves out `{column.name}`, which takes no NULL and has no default",
                    subject=column.name,
                    table=table,
                    column=column,
                )

    def _check_conflict_key(
        self, conflict: exp.OnConflict, source: Source, scope: Scope
    ) -> None:
        """Check that ON CONFLICT names a unique key; the engines of other dialects do it."""
        if self.dialect != "postgres" or conflict.args.get("constraint") is not None:
            return
        keys: Sequence[exp.Expr] = conflict.args.get("conflict_keys") or ()
        if not keys:
            if conflict.expressions:
                text = "ON CONFLICT DO UPDATE names no columns of a unique key"
                self.report(Mistake.NO_UNIQUE_KEY, conflict, text)
            return
        table = source.table
        names = frozenset(
            scope.fold(key.this.this)
            for key in keys
            if isinstance(key.this, exp.Column)
        )
        if table is None or table.view or not self.schema.complete:
            return
        is_plain = len(names) == len(keys) and not conflict.args.get("index_predicate")
        is_known = names <= {column.name for column in table.columns}
        unique = {frozenset(key) for key in (table.primary_key, *table.unique)}
        if is_plain and is_known and names not in unique:
            self.report(
                Mistake.NO_UNIQUE_KEY,
                keys[0],
                f"`{table.name}` has no unique key of exactly these columns",
                table=table,
            )

    def _refused_row(
        self, node: exp.Insert, columns: list[RelationColumn] | None, source: Source
    ) -> Source:
        """The row that could not be inserted, under the name that DO UPDATE knows it by."""
        if self.dialect != "mysql":
            return Source(name="excluded", relation=source.relation, table=source.table)
        alias = node.expression.args.get("alias")
        if not isinstance(node.expression, exp.Values):
            return Source(name="", relation=Relation(None))  # the sources of a query
        if alias is None:
            return Source(name="", relation=Relation(()))
        names = alias.args.get("columns")
        inserted = None if columns is None else Relation(tuple(columns))
        relation = inserted if names and inserted else source.relation
        return Source(
            name=alias.name.casefold(), relation=self.rename_columns(relation, alias)
        )

    def _read_conflict(
        self,
        conflict: exp.OnConflict,
        source: Source,
        refused: Source,
        scope: Scope,
    ) -> None:
        """ON CONFLICT and ON DUPLICATE KEY, with the row that was refused beside the old one."""
        inner = Scope(dialect=self.dialect, parent=scope, sources=[source])
        for conflict_key in conflict.args.get("conflict_keys") or ():
            key = (
                conflict_key.this
                if isinstance(conflict_key, exp.Ordered)
                else conflict_key
            )
            self.value(key, inner)
        hidden = Scope(dialect=self.dialect, sources=[refused], tables=scope.tables)
        inner = Scope(dialect=self.dialect, parent=hidden, sources=[source])
        inner.clause = "SET"
        self._read_assignments(conflict.expressions, source, inner)
        inner.clause = ""
        where = conflict.args.get("where")
        if isinstance(where, exp.Where):
            self.condition(where.this, inner, "WHERE")

    # UPDATE and DELETE

    def _read_assignments(
        self, assignments: Sequence[object], source: Source, scope: Scope
    ) -> dict[str, bool | None]:
        """Read what SET assigns; return whether each column may be NULL then."""
        nullable_by_name: dict[str, bool | None] = {}
        stored: list[RelationColumn] = []
        for assignment in assignments:
            if not isinstance(assignment, exp.EQ):
                continue
            if isinstance(assignment.this, exp.Tuple):
                self._read_row_assignment(assignment, source, scope)
                nullable_by_name |= {
                    column.name.casefold(): None
                    for column in assignment.this.expressions
                }
                continue
            column = self._assigned_column(assignment.this, source, scope)
            cell = assignment.expression
            if is_default(cell):
                self.store_cell(cell, column, scope)
                continue
            value = self.value(cell, scope)
            if column is not None:
                self.store(value, column)
                if column in stored:
                    self.report_repeated_name(assignment.this, column.name)
                stored.append(column)
                nullable_by_name[column.name.casefold()] = value.nullable
        return nullable_by_name

    def _assigned_column(
        self, node: exp.Expr, source: Source, scope: Scope
    ) -> RelationColumn | None:
        if not isinstance(node, exp.Column):
            return None
        if node.args.get("table") is not None:
            named = scope.source_named(scope.fold(node.args["table"]))
            if self.dialect == "postgres":  # a field of a column
                first = node.args.get("db") or node.args["table"]
                self.stored_column(exp.Column(this=first.copy()), source, scope)
                return None
            if named is None:
                return None
            source = named
        if source.columns is None:
            return None
        for candidate in (
            scope.sources if self.dialect == "mysql" and not node.table else ()
        ):
            if scope.column_of(candidate, scope.fold(node.this)) is not None:
                source = candidate
                break
        return self.stored_column(node, source, scope)

    def _read_row_assignment(self, node: exp.EQ, source: Source, scope: Scope) -> None:
        columns = [
            self._assigned_column(
                (
                    expression
                    if isinstance(expression, exp.Column)
                    else exp.column(expression)
                ),
                source,
                scope,
            )
            for expression in node.this.expressions
        ]
        cells = node.expression
        if isinstance(cells, (exp.Query, exp.Subquery)):
            selected = self.relation(cells, scope).columns
            self.check_count(cells, columns, columns, selected)
            return
        if not isinstance(cells, exp.Tuple):
            self.value(cells, scope)
            if isinstance(cells, exp.Paren):
                self.check_count(cells, columns, columns, [cells.this])
            return
        self.check_count(cells, columns, columns, cells.expressions)
        for column, cell in zip(columns, cells.expressions, strict=False):
            self.store_cell(cell, column, scope)

    def _read_update(self, node: exp.Update, scope: Scope) -> Relation:
        source = self._target(node.this, scope)
        for join in node.this.args.get("joins") or ():
            self._join(join, scope, [])
        self.read_from(node, scope)
        scope.clause = "SET"
        assigned = self._read_assignments(node.expressions, source, scope)
        scope.clause = ""
        self._read_where(node, scope)
        columns = tuple(
            (
                column._replace(nullable=False)
                if assigned.get(column.name.casefold(), True) is False
                else column
            )
            for column in source.columns or ()
        )
        source.relation = Relation(columns if source.columns is not None else None)
        source.known -= assigned.keys()
        return self._read_returning(node, scope)

    def _read_where(self, node: exp.Expr, scope: Scope) -> None:
        where = node.args.get("where")
        filters: list[exp.Expr] = []
        if isinstance(where, exp.Where):
            self.condition(where.this, scope, "WHERE")
            filters = conjuncts(where.this)
        self.narrow(scope, filters)
        limit = node.args.get("limit")
        if isinstance(limit, exp.Limit):
            self.use(self.value(limit.expression, scope), self.type_of(Base.INT8))

    def _read_delete(self, node: exp.Delete, scope: Scope) -> Relation:
        using = node.args.get("using") or ()
        targets = node.args.get("tables") or ()
        if self.dialect == "mysql" and (using or targets):
            self._read_joined_target(
                using or [node.this], targets or [node.this], scope
            )
        else:
            self._target(node.this, scope)
            for used in using:
                self._add_source(used, scope)
        self._read_where(node, scope)
        return self._read_returning(node, scope)

    def _read_joined_target(
        self, joined: Sequence[exp.Expr], targets: Sequence[exp.Expr], scope: Scope
    ) -> None:
        """DELETE of MySQL that names which of the joined tables lose rows."""
        for used in joined:
            self._add_source(used, scope)
        for target in targets:
            self.named_source(target.this, scope, target.args.get("db"))

    def _read_merge(self, node: exp.Expr, scope: Scope) -> Relation:
        target = self._target(node.this, scope)
        using = node.args.get("using")
        if isinstance(using, exp.Expr):
            scope.sources.append(self.source_of(using, scope))
        self.condition(node.args.get("on"), scope, "ON")
        whens = node.args.get("whens")
        unmatched = Scope(
            dialect=self.dialect, parent=scope.parent, sources=scope.sources[1:]
        )
        for when in whens.expressions if isinstance(whens, exp.Whens) else ():
            is_new = not (when.args.get("matched") or when.args.get("source"))
            seen = unmatched if is_new else scope
            self.condition(when.args.get("condition"), seen, "WHEN")
            action = when.args.get("then")
            if isinstance(action, exp.Update):
                self._read_assignments(action.expressions, target, seen)
            elif isinstance(action, exp.Insert):
                self._merge_inserts(action, target, seen)
        returning = node.args.get("returning")
        return Relation(None) if returning is not None else Relation(())

    def _merge_inserts(self, action: exp.Insert, target: Source, scope: Scope) -> None:
        named, cells = action.this, action.expression
        written = list(named.expressions) if isinstance(named, exp.Tuple) else []
        if len(written) == 1 and is_default(written[0]):
            return  # INSERT DEFAULT VALUES, as sqlglot reads it
        columns = self._columns_of(written, target, scope)
        listed = list(cells.expressions) if isinstance(cells, exp.Tuple) else []
        self.check_count(action, columns, written, listed)
        if columns is not None and target.table is not None:
            self._check_missing_columns(action, columns, target.table)
        for at, cell in enumerate(listed):
            column = columns[at] if columns is not None and at < len(columns) else None
            self.store_cell(cell, column, scope)

    def _add_versions(self, scope: Scope) -> None:
        """Let RETURNING name the row before and after the change, as PostgreSQL does."""
        if self.dialect != "postgres" or not scope.sources:
            return
        target = scope.sources[0]
        columns = tuple(
            column._replace(nullable=None) for column in target.columns or ()
        )
        relation = Relation(columns if target.columns is not None else None)
        versions = [
            Source(name=version, relation=relation, table=target.table)
            for version in ("old", "new")
            if scope.source_named(version) is None
        ]
        scope.parent = Scope(
            dialect=self.dialect, sources=versions, parent=scope.parent
        )

    def _read_returning(self, node: exp.Expr, scope: Scope) -> Relation:
        returning = node.args.get("returning")
        if not isinstance(returning, exp.Returning):
            return Relation(())
        self._add_versions(scope)
        columns: list[RelationColumn] = []
        for expression in returning.expressions:
            scope.clause = "select"
            item_columns = self.item(expression, scope)
            scope.clause = ""
            if item_columns is None:
                return Relation(None)
            columns += item_columns
        return Relation(tuple(columns))


def _has_no_value(node: exp.Insert) -> bool:
    """Whether an INSERT stores defaults only: DEFAULT VALUES, and `() VALUES ()` of MySQL."""
    query = node.expression
    if isinstance(query, exp.Values):
        return all(
            isinstance(row, exp.Tuple) and not row.expressions
            for row in query.expressions
        )
    return bool(node.args.get("default"))


_FILLING = frozenset({"sqlite", "mysql", "clickhouse"})
"""Dialects that may store a number of their own, or a default, in place of NULL."""


def is_default(cell: exp.Expr) -> bool:
    """Whether a value is the word DEFAULT."""
    return isinstance(cell, (exp.Column, exp.Var)) and cell.name.upper() == "DEFAULT"


def needs_value(origin: Origin) -> bool:
    """Whether the database refuses a row that leaves a column out."""
    column = origin.column
    return (
        column.nullable is False
        and not column.default
        and not column.generated
        and not origin.table.has_before_trigger
    )
