"""Check the filters that are left out of a statement while their argument is absent."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, rules
from brimgen.emit.sql.statements import Bound

MOST_VARIANTS = 64


def check_compiled(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report filters that the statement has not, and too many variants."""
    filters, declared, span = bound.compiled, bound.body.compiled or (), bound.tool.span
    for name in declared:
        if name not in filters:
            diagnostics.add(rules.NO_SUCH_FILTER, span, name=name)
    if not declared and not filters:
        diagnostics.add(rules.NO_SUCH_FILTER, span, name="argument")
    count = len(bound.chosen) * 2 ** len(filters)
    if count > MOST_VARIANTS:
        diagnostics.add(rules.TOO_MANY_VARIANTS, span, count=count, most=MOST_VARIANTS)
