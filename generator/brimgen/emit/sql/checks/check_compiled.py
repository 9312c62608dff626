"""Check the filters that are left out of a statement while their argument is absent."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules.sql import choices as rules
from brimgen.emit.sql.statements import Bound

MOST_VARIANTS = 64


def check_compiled(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report filters that the statement has not, and too many variants."""
    found, wanted, span = bound.compiled, bound.body.compiled or (), bound.tool.span
    for name in wanted:
        if name not in found:
            diagnostics.add(rules.NO_SUCH_FILTER, span, name=name)
    if not wanted and not found:
        diagnostics.add(rules.NO_SUCH_FILTER, span, name="argument")
    count = len(bound.chosen) * 2 ** len(found)
    if count > MOST_VARIANTS:
        diagnostics.add(rules.TOO_MANY_VARIANTS, span, count=count, most=MOST_VARIANTS)
