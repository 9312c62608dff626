"""T471, T474: what a generated server or service would lack."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning


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

HANDLER_MISSING = error(
    "T474",
    "handler-missing",
    "the handler `{handler}` of `{tool}` does not exist: {reason}",
    "Calls of the tool could not be answered. Modules are looked up, and not imported, in the "
    "folders of the setting `source_roots`, and among those that are installed. Without the "
    "setting, only packages that stand beside the configuration or in `src` are looked into.",
    wrong="type: python_function\nname: look\nhandler: json:look",
    right="type: python_function\nname: look\nhandler: json:loads",
)

RULES: tuple[Rule, ...] = (TARGET_MISSING, HANDLER_MISSING)
