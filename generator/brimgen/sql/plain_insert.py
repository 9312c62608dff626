"""Find the INSERT whose rows COPY of PostgreSQL can store: one row, of parameters alone."""

from __future__ import annotations

from typing import NamedTuple

from sqlglot import exp

from brimgen.sql.model import Unreadable
from brimgen.sql.statement import Statement
from brimgen.sql.tree import parse


class PlainInsert(NamedTuple):
    """The table and the columns that an INSERT stores its parameters in, in their order."""

    table: tuple[str, ...]
    columns: tuple[str, ...]


def plain_insert(statement: Statement) -> PlainInsert | None:
    """Return what an INSERT of one row of distinct parameters stores; None for any other text."""
    parsed = statement.computed_once(parse)
    if isinstance(parsed, Unreadable) or not isinstance(parsed.tree, exp.Insert):
        return None
    target, rows = parsed.tree.this, parsed.tree.expression
    parts = {key for key, part in parsed.tree.args.items() if part}
    if parts != {"this", "expression"} or not isinstance(target, exp.Schema):
        return None
    if not isinstance(rows, exp.Values) or len(rows.expressions) != 1:
        return None
    cells, table = rows.expressions[0].expressions, target.this.parts
    is_plain = all(isinstance(cell, exp.Placeholder) for cell in cells)
    if not is_plain or not len(cells) == len(statement.names) == len(
        target.expressions
    ):
        return None
    if len(table) > 2:
        return None
    return PlainInsert(tuple(map(_name, table)), tuple(map(_name, target.expressions)))


def _name(node: exp.Expr) -> str:
    """Return a name as the database knows it."""
    return node.name if node.args.get("quoted") else node.name.lower()
