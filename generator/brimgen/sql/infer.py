"""Infer what a statement gives and takes, from the schema of its database."""

from __future__ import annotations

from sqlglot import exp

from brimgen.sql.inference.changes import Changes
from brimgen.sql.inference.names import Rules
from brimgen.sql.inference.scopes import RelationColumn, Scope
from brimgen.sql.model import (
    Base,
    Inferred,
    InferredColumn,
    Place,
    Schema,
    Unreadable,
)
from brimgen.sql.rules.native_types import type_of
from brimgen.sql.rules.postgres_rules import PostgresRules
from brimgen.sql.rules.table_rules import TableRules
from brimgen.sql.statement import Statement
from brimgen.sql.tree import (
    Parsed,
    parse,
    place_of,
    too_deep,
)
from brimgen.sql.values import Value

_PROVEN = frozenset({"sqlite", "duckdb", "postgres", "mysql"})
"""Dialects whose rules about NULL are tested on a database: others may fill with other values."""
_CHANGES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
_QUERIES = (exp.Select, exp.SetOperation, exp.Subquery, exp.Values)


def infer(statement: Statement, schema: Schema) -> Inferred:
    """Return what a statement gives and takes; what is not sure is None."""
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable):
        return Inferred(unreadable=parsed)
    try:
        return _infer(parsed, schema)
    except RecursionError:
        return Inferred(unreadable=too_deep(statement.text))
    except Exception:
        # sqlglot makes trees of more forms than are known here, and of new ones in each version.
        whole = Place(0, len(statement.text.rstrip()))
        return Inferred(unreadable=Unreadable("brimgen does not know its form", whole))


def _infer(parsed: Parsed, schema: Schema) -> Inferred:
    changes = Changes(parsed, schema, rules_of(schema))
    scope = Scope(dialect=schema.dialect)
    tree = parsed.tree
    if not isinstance(tree, (*_CHANGES, *_QUERIES)):
        return Inferred(parameters=changes.parameters())
    relation = changes.relation(tree, scope)
    gives_rows = (
        not isinstance(tree, _CHANGES) or tree.args.get("returning") is not None
    )
    columns = None
    if gives_rows and relation.columns is not None:
        columns = tuple(_column(column, changes, parsed) for column in relation.columns)
    return Inferred(
        columns=columns,
        gives_rows=gives_rows,
        parameters=changes.parameters(),
        at_least_one=relation.at_least_one and gives_rows,
        findings=tuple(sorted(changes.findings, key=lambda finding: finding.place)),
    )


def rules_of(schema: Schema) -> Rules:
    """Return the rules of the dialect of a schema."""
    if schema.dialect == "postgres":
        return PostgresRules(schema.enums)
    return TableRules(schema.dialect)


def _column(column: RelationColumn, changes: Changes, parsed: Parsed) -> InferredColumn:
    type = column.type
    if column.open and changes.dialect == "postgres" and column.node is not None:
        type = type or type_of(changes.dialect, Base.TEXT)
        changes.use(Value(type, column.nullable, column.node, open=True), type)
    nullable = column.nullable
    if changes.dialect not in _PROVEN:
        stored = column.origin.column.nullable if column.origin is not None else None
        nullable = stored if stored == nullable else None
    place = place_of(column.node, parsed) if column.node is not None else Place(0, 0)
    return InferredColumn(column.name, type, nullable, place, column.origin)
