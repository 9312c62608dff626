"""SQLxxx about lists that are read page by page."""

from __future__ import annotations

from brimgen.diagnostics.rule import error

_HEAD = "type: sql_function\nname: find_orders\n"
_ARGUMENTS = "arguments: {inline: {after_total: 'int?', after_id: 'int?'}}\n"
_RETURNS = "returns: {type: 'object[]', fields: {id: int, total: int}}\n"
_KEYSET = "{after_total: total DESC, after_id: id}"
_SQL = "SELECT id, total FROM orders WHERE {after} ORDER BY {order} LIMIT 20"


def _spec(
    keyset: str = _KEYSET,
    arguments: str = _ARGUMENTS,
    returns: str = _RETURNS,
    sql: str = _SQL,
) -> str:
    return f"{_HEAD}{arguments}{returns}keyset: {keyset}\nsql: {sql}"


_RIGHT = _spec()

KEYSET_ARGUMENT = error(
    "SQL158",
    "keyset-argument",
    "`{name}` cannot say where a page begins: {why}",
    "The keys of `keyset` are optional arguments of the caller, without defaults, of the types of "
    "their columns.",
    wrong=_spec(
        arguments="arguments: {inline: {after_total: 'int?', after_id: int}}\n"
    ),
    right=_RIGHT,
)
KEYSET_ORDER = error(
    "SQL159",
    "keyset-order",
    "`{text}` is no column with a direction",
    "Write the column, with its table where two have one of this name, and `ASC` or `DESC`: "
    "`o.placed_at DESC`.",
    wrong=_spec("{after_total: total falling, after_id: id}"),
    right=_RIGHT,
)
KEYSET_PLACE = error(
    "SQL160",
    "keyset-place",
    "`keyset` has no place in the statement: {why}",
    "Write `WHERE {after}` where the condition belongs, and `ORDER BY {order}`.",
    wrong=_spec(sql="SELECT id, total FROM orders WHERE {after} ORDER BY id LIMIT 20"),
    right=_RIGHT,
)
KEYSET_COLUMN = error(
    "SQL161",
    "keyset-column",
    "`{column}` cannot order pages: {why}",
    "The next page begins after the last row of this one, so rows must have every column of "
    "`keyset`, never NULL. Together the columns must be unique, or rows are passed over.",
    wrong=_spec(
        returns="returns: {type: 'object[]', fields: {id: int, total: 'int?'}}\n"
    ),
    right=_RIGHT,
)

RULES = (KEYSET_ARGUMENT, KEYSET_ORDER, KEYSET_PLACE, KEYSET_COLUMN)
