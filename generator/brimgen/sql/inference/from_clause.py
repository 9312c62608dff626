"""Infer the sources of a query in FROM: tables, subqueries, functions, and their joins."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from brimgen.sql.inference.grouping import Grouping
from brimgen.sql.inference.scopes import (
    Relation,
    RelationColumn,
    Scope,
    Source,
    nullable_in,
)
from brimgen.sql.model import Base, Mistake, Origin, Table
from brimgen.sql.tree import Parsed, parse_text
from brimgen.sql.truth import conjuncts
from brimgen.sql.values import Meaning, Refused

_OWN_TABLES = frozenset(
    {"information_schema", "pg_catalog", "sys", "mysql", "performance_schema"}
)
_OWN_PREFIXES = ("pg_", "sqlite_", "duckdb_", "pragma_")


class FromClause(Grouping):
    """Reads FROM."""

    def read_from(self, node: exp.Expr, scope: Scope) -> list[exp.Expr]:
        """Read the sources of a query; return the conditions that hold for all of its rows."""
        filters: list[exp.Expr] = []
        clause = node.args.get("from_")
        if isinstance(clause, exp.From):
            filters += self._add_source(clause.this, scope)
        for join in node.args.get("joins") or ():
            filters = self._join(join, scope, filters)
        for _ in node.args.get("laterals") or ():
            scope.sources.append(Source(name="", relation=Relation(None)))
        return filters

    def _add_source(self, node: exp.Expr, scope: Scope) -> list[exp.Expr]:
        """Add a source, and those that are joined to it in brackets."""
        filters: list[exp.Expr] = []
        is_join = _is_join(node) and node.args.get("alias") is None
        if is_join:
            filters += self._add_source(node.this, scope)
        else:
            source = self.source_of(node, scope)
            self._check_name(source, node, scope)
            scope.sources.append(source)
        for join in node.args.get("joins") or ():
            filters = self._join(join, scope, filters)
        return filters

    def _check_name(self, source: Source, node: exp.Expr, scope: Scope) -> None:
        """Report a name that two sources have, where that is refused at once."""
        taken = {other.name for other in scope.sources if other.name}
        is_plain = node.args.get("alias") is not None or node.args.get("db") is None
        if source.name in taken and is_plain and self.dialect in ("postgres", "mysql"):
            self.report(
                Mistake.REPEATED_NAME,
                node,
                f"FROM names `{source.name}` twice",
                subject=source.name,
            )

    def _join(
        self, join: exp.Join, scope: Scope, filters: list[exp.Expr]
    ) -> list[exp.Expr]:
        """Read a join; return the conditions that hold for all rows then."""
        before = list(scope.sources)
        inner = self._add_source(join.this, scope)
        added = scope.sources[len(before) :]
        conditions = self._conditions(join, before, added, scope)
        side = (join.side or "").upper()
        if join.kind.upper() in ("SEMI", "ANTI"):
            scope.sources = before
            return filters
        # A row of one side of a FULL JOIN may be there without one of the other side.
        matched = [] if side == "FULL" else conditions
        for source in added if side in ("LEFT", "FULL") else ():
            source.extended = True
            source.conditions += [*matched, *inner]
        for source in before if side in ("RIGHT", "FULL") else ():
            source.extended = True
            source.conditions += [*matched, *filters]
        if side == "FULL":
            return []
        if side in ("LEFT", "RIGHT"):
            return filters if side == "LEFT" else inner
        return [*filters, *inner, *conditions]

    def _conditions(
        self,
        join: exp.Join,
        before: Sequence[Source],
        added: Sequence[Source],
        scope: Scope,
    ) -> list[exp.Expr]:
        on = join.args.get("on")
        if isinstance(on, exp.Expr):
            self.condition(on, scope, "ON")
            return conjuncts(on)
        names = [
            scope.fold(
                identifier
                if isinstance(identifier, exp.Identifier)
                else identifier.this
            )
            for identifier in join.args.get("using") or ()
        ]
        if (join.method or "").upper() == "NATURAL":
            left_names = {
                scope.fold_name(column.name)
                for source in before
                for column in source.columns or ()
            }
            names = [
                scope.fold_name(column.name)
                for source in added
                for column in source.columns or ()
                if scope.fold_name(column.name) in left_names
            ]
        equalities: list[exp.Expr] = []
        for name in names:
            equalities += self._merge_columns(name, join, before, added, scope)
        return equalities

    def _merge_columns(
        self,
        name: str,
        join: exp.Join,
        before: Sequence[Source],
        added: Sequence[Source],
        scope: Scope,
    ) -> list[exp.Expr]:
        """Make one column of two, as USING does; return that they are equal."""
        left = scope.merged.get(name) or scope.columns_named(name, before)
        right = scope.columns_named(name, added)
        for columns, sources in ((left, before), (right, added)):
            if not columns and all(source.columns is not None for source in sources):
                self.report(
                    Mistake.UNKNOWN_COLUMN,
                    join,
                    f"USING names the column `{name}`, which one side does not have",
                    subject=name,
                )
        if not left or not right:
            return []
        for resolved in (*left, *right):
            resolved.source.hidden.add(name)
        first = right if (join.side or "").upper() == "RIGHT" else left
        scope.merged[name] = [*first, *(right if first is left else left)]
        pair = [exp.Column(this=exp.to_identifier(name)) for _ in range(2)]
        for column, resolved in zip(pair, (left[0], right[0]), strict=True):
            self.resolved_at[id(column)] = resolved
        equal = exp.EQ(this=pair[0], expression=pair[1])
        self.kept.append(equal)
        return [equal]

    # Sources

    def source_of(self, node: exp.Expr, scope: Scope) -> Source:
        """A source, by the kind of its node."""
        alias = node.args.get("alias")
        name = scope.fold(alias.this) if isinstance(alias, exp.TableAlias) else ""
        if isinstance(node, exp.Lateral):
            inner = node.this
            if isinstance(inner, exp.Subquery):
                relation = self.relation(inner, scope)
                return Source(name=name, relation=self.rename_columns(relation, alias))
            return self._function(node, inner, name, scope)
        if _is_join(node):
            inner = Scope(dialect=self.dialect, parent=scope)
            self._add_source(node.this, inner)
            return Source(
                name=name, relation=self.rename_columns(_all_columns(inner), alias)
            )
        if isinstance(node, (exp.Subquery, exp.Values)):
            around = _without_sources(scope)
            relation = self.relation(
                node.this if isinstance(node, exp.Subquery) else node, around
            )
            return Source(name=name, relation=self.rename_columns(relation, alias))
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            return self._table(node, name, scope)
        if isinstance(node, exp.Table) and node.args.get("rows_from"):
            return self._rows_from(node, name, scope)
        if isinstance(node, exp.Table):
            return self._function(node, node.this, name, scope)
        if isinstance(node, exp.Unnest):
            return self._unnest(node, name, scope)
        return Source(name=name, relation=Relation(None))

    def _table(self, node: exp.Table, alias: str, scope: Scope) -> Source:
        name = scope.fold(node.this)
        shown = alias or name
        if node.args.get("db") is None:
            common = scope.common_table(name)
            if common is not None:
                relation = self.rename_columns(common, node.args.get("alias"))
                return Source(name=shown, relation=_copy(relation))
        table = self.schema.tables.get(self.lookup_key(node, scope))
        if table is None and name == "dual" and self.dialect == "mysql":
            return Source(name=shown, relation=Relation(()))
        if table is None:
            self._report_unknown_table(node, name, scope)
            return Source(name=shown, relation=Relation(None))
        relation = self.rows_of(table)
        return Source(
            name=shown,
            relation=self.rename_columns(relation, node.args.get("alias")),
            table=table,
        )

    def rows_of(self, table: Table) -> Relation:
        """The rows of a table or a view."""
        columns = tuple(
            RelationColumn(
                column.name, column.type, column.nullable, Origin(table, column)
            )
            for column in table.columns
        )
        if not table.view or not table.query:
            return Relation(columns)
        relation = self._rows_of_view(table)
        if relation.columns is None or (
            columns and len(relation.columns) != len(columns)
        ):
            return Relation(columns or None)
        if not columns:
            return relation
        merged = tuple(
            declared._replace(
                type=declared.type or inferred.type, nullable=inferred.nullable
            )
            for declared, inferred in zip(columns, relation.columns, strict=True)
        )
        return Relation(merged, relation.at_least_one)

    def _rows_of_view(self, view: Table) -> Relation:
        if view.name in self.views or len(self.views) > _DEEPEST:
            return Relation(None)
        tree = parse_text(view.query, self.dialect, view.query)
        if isinstance(tree, exp.Create):
            tree = tree.expression
        if not isinstance(tree, exp.Expr):
            return Relation(None)
        inner = type(self)(Parsed(tree, view.query, {}), self.schema, self.rules)
        inner.views = self.views | {view.name}
        return inner.relation(tree, Scope(dialect=self.dialect))

    def _report_unknown_table(self, node: exp.Table, name: str, scope: Scope) -> None:
        namespace = scope.fold(node.args.get("db"))
        own = namespace in _OWN_TABLES or name.lower().startswith(_OWN_PREFIXES)
        if own or not self.schema.complete or node.args.get("catalog") is not None:
            return
        self.report(
            Mistake.UNKNOWN_TABLE,
            node.this,
            f"there is no table `{node.this.name}`",
            subject=node.this.name,
            among=[table.name for table in self.schema.tables.values()],
        )

    def _function(
        self, node: exp.Expr, call: exp.Expr, name: str, scope: Scope
    ) -> Source:
        """A function in FROM: of one column where its result is no row."""
        alias = node.args.get("alias")
        function = str(call.this).lower() if isinstance(call, exp.Anonymous) else ""
        if not function:
            self.value(call, scope)
            return Source(name=name, relation=Relation(None))
        values = self.values(call.expressions, scope)
        value = self.call_value(call, function, values)
        named = name or function
        columns: tuple[RelationColumn, ...] | None = None
        outputs = self.rules.outputs(function)
        if outputs:
            columns = tuple(RelationColumn(each, type, None) for each, type in outputs)
        elif self.dialect == "postgres" and value.type is not None:
            nullable = value.nullable if function == "generate_series" else None
            columns = (RelationColumn(named, value.type, nullable),)
        relation = self._with_ordinality(Relation(columns), node)
        return Source(name=named, relation=self.rename_columns(relation, alias))

    def _rows_from(self, node: exp.Table, name: str, scope: Scope) -> Source:
        """Several functions side by side; a shorter one is filled with NULL."""
        columns: list[RelationColumn] | None = []
        for part in node.args["rows_from"]:
            added = self.source_of(part, scope).columns
            is_known = columns is not None and added is not None
            columns = [*(columns or ()), *(added or ())] if is_known else None
        relation = Relation(None)
        if columns is not None:
            relation = Relation(tuple(each._replace(nullable=None) for each in columns))
        relation = self._with_ordinality(relation, node)
        return Source(
            name=name, relation=self.rename_columns(relation, node.args.get("alias"))
        )

    def _with_ordinality(self, relation: Relation, node: exp.Expr) -> Relation:
        """The rows of functions, with their numbers if the statement asks for them."""
        is_numbered = node.args.get("ordinality") or node.args.get("offset")
        if relation.columns is None or not is_numbered:
            return relation
        number = RelationColumn("ordinality", self.type_of(Base.INT8), False)
        return Relation((*relation.columns, number))

    def _unnest(self, node: exp.Unnest, name: str, scope: Scope) -> Source:
        values = self.values(node.expressions, scope)
        columns: list[RelationColumn] = []
        for value in values if self.dialect == "postgres" else ():
            meaning = self.rules.call("unnest", [value])
            if isinstance(meaning, Refused):
                self.report_refusal(meaning, node)
            item = value.type.item if value.type is not None else None
            is_known = isinstance(meaning, Meaning) and meaning.type is not None
            if item is not None and is_known and item.base is not Base.OTHER:
                columns.append(RelationColumn(name or "unnest", item, None))
        # Of an unknown type, which may be a row, the columns are not known.
        is_sure = bool(values) and len(columns) == len(values)
        relation = Relation(tuple(columns) if is_sure else None)
        relation = self._with_ordinality(relation, node)
        number = node.args.get(
            "offset"
        )  # sqlglot takes the last name for that of the number
        last = [number] if isinstance(number, exp.Identifier) else []
        alias = node.args.get("alias")
        return Source(
            name=name or "unnest", relation=self.rename_columns(relation, alias, last)
        )

    def rename_columns(
        self, relation: Relation, alias: object, last: Sequence[exp.Expr] = ()
    ) -> Relation:
        """A relation with the column names that an alias gives it, and then those of ``last``."""
        given = alias.args.get("columns") if isinstance(alias, exp.TableAlias) else None
        names = [*(given or ()), *last]
        if not names or relation.columns is None:
            return relation
        if len(names) > len(relation.columns):
            self.report(
                Mistake.COLUMN_COUNT,
                alias if isinstance(alias, exp.Expr) else names[0],
                f"{len(names)} names are given to {len(relation.columns)} columns",
            )
            return relation
        columns = list(relation.columns)
        for at, column_name in enumerate(names):
            is_plain = isinstance(column_name, exp.Identifier)
            identifier = column_name if is_plain else column_name.this
            columns[at] = columns[at]._replace(name=self.output_name(identifier))
        return Relation(tuple(columns), relation.at_least_one)


_DEEPEST = 8
"""How many views may be made of each other."""


def _is_join(node: exp.Expr) -> bool:
    """Whether brackets hold sources, and no query."""
    inner = node.this
    if not isinstance(node, exp.Subquery) or not isinstance(inner, exp.Expr):
        return False
    is_source = inner.args.get("alias") is not None or bool(inner.args.get("joins"))
    return (
        isinstance(inner, exp.Table)
        or (isinstance(inner, exp.Subquery) and is_source)
        or _is_join(inner)
    )


def _all_columns(scope: Scope) -> Relation:
    """The columns of all sources, as a join in brackets gives them."""
    columns = scope.star_columns()
    if columns is None:
        return Relation(None)
    return Relation(
        tuple(each.column._replace(nullable=nullable_in(each)) for each in columns)
    )


def _copy(relation: Relation) -> Relation:
    return Relation(relation.columns, relation.at_least_one)


def _without_sources(scope: Scope) -> Scope:
    """What a subquery in FROM sees: the queries around, and those of WITH, but no neighbours."""
    return Scope(dialect=scope.dialect, parent=scope.parent, tables=scope.all_tables())
