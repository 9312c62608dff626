"""SQLxxx about the schema of a connection."""

from __future__ import annotations

from brimgen.diagnostics.rule import warning

NOT_UNDERSTOOD = warning(
    "SQL125",
    "ddl-not-understood",
    "brimgen does not understand this statement of the schema: {why}",
    "brimgen leaves it out and reports no table or function as unknown. If the database accepts "
    "the statement, please report it.",
)

RULES = (NOT_UNDERSTOOD,)
