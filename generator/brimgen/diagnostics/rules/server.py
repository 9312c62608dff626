"""T471: what a generated server would lack."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, warning


def _counting(targets: str) -> str:
    return (
        "type: sql_function\nname: count_orders\ndescription: How many orders there are.\n"
        f"targets: [{targets}]\nreturns: int\nsql: SELECT count(*) FROM orders"
    )


TARGET_MISSING = warning(
    "T471",
    "target-missing",
    "the server lists `{tool}`{others}, but cannot run it without the target `{target}`",
    "Each call would be answered with 'not available'. Add the target to `targets` (of the "
    "configuration, or of the tool, if it has its own), or remove the target `server`.",
    wrong=_counting("python, mcp, server"),
    right=_counting("python, sql, mcp, server"),
)

RULES: tuple[Rule, ...] = (TARGET_MISSING,)
