"""L6xx about statements: valid ones that do more than their callers should be able to."""

from __future__ import annotations

from brimgen.diagnostics.rule import warning


def _listing(argument: str) -> str:
    return (
        "type: sql_function\nname: find_orders\n"
        "description: List the orders of a customer, newest first.\n"
        f"arguments:\n  inline:\n    {argument}\nreturns: 'int[]'\n"
        "sql: SELECT id FROM orders ORDER BY id DESC LIMIT :limit"
    )


LIMIT_UNBOUNDED = warning(
    "L620",
    "limit-unbounded",
    "`{name}` sets how many rows are returned, and has no maximum",
    "A model that asks for a million rows gets and pays for a million rows. Give it a "
    "`maximum`, and a `default` if it may be left out. `LIMIT 100` in the statement needs "
    "neither.",
    wrong=_listing("limit: {type: int, default: 20, description: How many at most}"),
    right=_listing(
        "limit: {type: int, default: 20, minimum: 1, maximum: 100, description: How many at most}"
    ),
)
