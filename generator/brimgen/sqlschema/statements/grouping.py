"""PostgreSQL's rule for GROUP BY: what a query names outside of aggregates must be grouped."""

from __future__ import annotations

from sqlglot import exp

from brimgen.sqlschema.model import Mistake, Schema
from brimgen.sqlschema.statements.notes import Rules
from brimgen.sqlschema.statements.parse_statement import Parsed
from brimgen.sqlschema.statements.row_limits import RowLimits
from brimgen.sqlschema.statements.scopes import Scope, Seen


class Grouping(RowLimits):
    """Checks the columns of grouped queries.

    ``views`` are the views that are being read, ``kept`` the nodes that were made while reading.
    """

    def __init__(self, parsed: Parsed, schema: Schema, rules: Rules) -> None:
        super().__init__(parsed, schema, rules)
        self.views: frozenset[str] = frozenset()
        self.kept: list[exp.Expr] = []

    def check_grouping(self, node: exp.Select, scope: Scope) -> None:
        """Report columns that stand outside of aggregates, and are not grouped."""
        group = node.args.get("group")
        if not (scope.is_one_group or isinstance(group, exp.Group)):
            return
        if scope.has_unknown_source or scope.has_grouping_sets:
            return
        if any(finding.mistake in _INSTEAD for finding in self.findings):
            return  # which groups are meant is not known
        keys = self._keys(node, scope)
        grouped = {
            _identity(self.seen_at[id(key)]) for key in keys if id(key) in self.seen_at
        }
        texts = {each.sql() for each in keys}
        reported = set[tuple[int, str]]()
        for expression in (*node.expressions, *_later(node)):
            wrong = self._ungrouped(expression, grouped, texts, scope)
            if wrong is None:
                continue
            seen = self.seen_at[id(wrong)]
            if _identity(seen) in reported:
                continue
            reported.add(_identity(seen))
            self.tell(
                Mistake.NOT_GROUPED,
                wrong,
                f"`{wrong.name}` is neither grouped nor inside an aggregate",
                subject=wrong.name,
                table=seen.source.table,
                column=seen.given.origin.column if seen.given.origin else None,
            )
        if any(isinstance(each, exp.Star) for each in node.expressions):
            self._check_star(node, grouped, scope)

    def _check_star(
        self, node: exp.Select, grouped: set[tuple[int, str]], scope: Scope
    ) -> None:
        """Report ``*`` in a grouped query, which names columns that are not grouped."""
        merged = {_identity(one) for each in scope.merged.values() for one in each}
        for seen in scope.all_seen() or ():
            known = grouped | merged if merged & grouped else grouped
            if _identity(seen) not in known and not self._depends(seen, grouped):
                self.tell(
                    Mistake.NOT_GROUPED,
                    node.expressions[0],
                    f"`*` names `{seen.given.name}`, which is not grouped",
                    subject=seen.given.name,
                    table=seen.source.table,
                )
                return

    def _keys(self, node: exp.Select, scope: Scope) -> list[exp.Expr]:
        """The expressions of GROUP BY; numbers and aliases stand for those of the SELECT list."""
        group = node.args.get("group")
        if not isinstance(group, exp.Group):
            return []
        items = [expression.unalias() for expression in node.expressions]
        aliases = {
            scope.fold(each.args["alias"]): each.this
            for each in node.expressions
            if isinstance(each, exp.Alias)
        }
        keys: list[exp.Expr] = []
        for each in group.expressions:
            if isinstance(each, exp.Literal) and each.name.isdigit():
                at = int(each.name) - 1
                keys += items[at : at + 1]
            elif isinstance(each, exp.Column) and id(each) not in self.seen_at:
                named = aliases.get(scope.fold(each.this))
                keys.append(named if named is not None else each)
            else:
                keys.append(each.unnest())
        return keys

    def _ungrouped(
        self,
        node: exp.Expr,
        grouped: set[tuple[int, str]],
        texts: set[str],
        scope: Scope,
    ) -> exp.Expr | None:
        if isinstance(node, exp.Column):
            seen = self.seen_at.get(id(node))
            if seen is None or not any(
                seen.source is source for source in scope.sources
            ):
                return None
            if _identity(seen) in grouped or self._depends(seen, grouped):
                return None
            name = scope.fold(node.this)
            several = [] if node.table else scope.merged.get(name, [])
            if any(_identity(each) in grouped for each in several):
                return None
            return None if node.sql() in texts else node
        if isinstance(
            node, (exp.Query, exp.WithinGroup, exp.Filter)
        ) or self.is_aggregate(node):
            return None
        if texts and node.sql() in texts:
            return None
        for part in _parts(node):
            found = self._ungrouped(part, grouped, texts, scope)
            if found is not None:
                return found
        return None

    def _depends(self, seen: Seen, grouped: set[tuple[int, str]]) -> bool:
        """Whether a column's table is grouped by its primary key, so that it has one value."""
        table = seen.source.table
        if table is None or not table.primary_key:
            return False
        return all(
            (id(seen.source), each.casefold()) in grouped for each in table.primary_key
        )


_INSTEAD = frozenset({Mistake.MISPLACED_AGGREGATE, Mistake.NOT_BOOLEAN})


def _later(node: exp.Select) -> list[exp.Expr]:
    """What HAVING and ORDER BY read."""
    found: list[exp.Expr] = []
    having, order = node.args.get("having"), node.args.get("order")
    if isinstance(having, exp.Having):
        found.append(having.this)
    if isinstance(order, exp.Order):
        found += [expression.this for expression in order.expressions]
    return found


def _identity(seen: Seen) -> tuple[int, str]:
    return id(seen.source), seen.given.name.casefold()


def _parts(node: exp.Expr) -> list[exp.Expr]:
    """The parts of an expression; those of a window function instead of itself."""
    found: list[exp.Expr] = []
    for part in node.iter_expressions():
        is_over = isinstance(node, exp.Window) and part is node.this
        found += _parts(part) if is_over else [part]
    return found
