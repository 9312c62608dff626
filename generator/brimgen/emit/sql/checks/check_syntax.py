"""Report syntax that no database of the dialect can read, whatever tables it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brimgen.diagnostics import Diagnostics, rules
from brimgen.emit.sql.checks import sqlite_parser
from brimgen.emit.sql.checks.check_parameters import Uses

if TYPE_CHECKING:
    from brimgen.sql.slips import Slip


def check_syntax(uses: Uses, diagnostics: Diagnostics) -> bool:
    """Report the first certain mistake; return False where there is one.

    SQLite's own parser checks its statements; of other dialects only slips are told, for which
    a fix is sure. A `::` cast is reported in both where the dialect has none.
    """
    mistake = _mistake(uses)
    if mistake is None:
        return True
    span = uses.body.statement.span_at(mistake.token.start, mistake.token.end)
    text = mistake.token.text.split("\n")[0][:40]
    diagnostics.add(
        rules.SYNTAX_ERROR, span, suggestions=mistake.meant, text=text, why=mistake.why
    )
    return False


def _mistake(uses: Uses) -> Slip | None:
    statement, token = uses.statement, None
    if "::" in statement.text:
        from brimgen.sql.foreign_casts import foreign_cast

        if cast := foreign_cast(statement):
            return cast
    if statement.dialect.name == "sqlite" and sqlite_parser.is_available():
        token = sqlite_parser.find_syntax_error(statement, uses.places)
        if token is None:
            return None
    from brimgen.sql.slips import Slip, find_slip  # it imports sqlglot

    slip = find_slip(statement)
    if token is None or (slip is not None and slip.token.start <= token.start):
        return slip
    return Slip(token, "cannot stand here: SQLite reads no further")
