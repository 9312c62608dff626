"""Checks of hidden arguments: a filter that one of them opens while it is absent."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics
from brimgen.diagnostics.rules import sql_nulls as rules
from brimgen.emit.sql.check_parameters import Uses
from brimgen.emit.sql.types import SqlKind
from brimgen.model.fields import Caller, Context
from brimgen.model.lint import Subject, Waiver, is_waived
from brimgen.sqltext.absence import Argument, opened

_RULE = rules.CONTEXT_OPENS_FILTER
_NAMES = (_RULE.code.casefold(), _RULE.slug)


def check_hidden(uses: Uses, waivers: tuple[Waiver, ...], found: Diagnostics) -> None:
    """Report arguments from the context without which a condition holds for everybody's rows.

    Lint warns of other hidden arguments (`lint/filters.py`).
    """
    fields = {each.name: each for each in uses.tool.fields}
    arguments = {
        name: Argument.of(
            each.absent_values,
            hidden=not isinstance(each.origin, Caller),
            is_list=uses.types[name].is_list,
            is_bool=uses.types[name].kind is SqlKind.BOOL,
        )
        for name, each in fields.items()
    }
    for each in opened(uses.statement, arguments):
        field = fields[each.token.name]
        subject = Subject(uses.tool.name, True, field.name)
        if not isinstance(field.origin, Context) or is_waived(waivers, _NAMES, subject):
            continue
        span = uses.body.statement.span_at(each.token.start, each.token.end)
        found.add(_RULE, span, name=field.name, absent=each.shown)
