"""Report filters that a hidden argument opens while it is absent."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, Note
from brimgen.diagnostics.rules.sql import nulls as rules
from brimgen.emit.codecs.sql import SqlKind
from brimgen.emit.sql.checks.check_parameters import Uses
from brimgen.model.fields import Caller, Context
from brimgen.sqltext.conditions.open_filters import Argument, find_open_filters


def check_hidden(uses: Uses, diagnostics: Diagnostics) -> None:
    """Report arguments from the context without which a condition holds for everybody's rows.

    Lint warns of other hidden arguments (`lint/statements.py`).
    """
    fields = {field.name: field for field in uses.tool.fields}
    arguments = {
        name: Argument.of(
            value.absent_values,
            hidden=not isinstance(value.origin, Caller),
            is_list=uses.types[name].is_list,
            is_bool=uses.types[name].kind is SqlKind.BOOL,
        )
        for name, value in fields.items()
    }
    for open_filter in find_open_filters(uses.statement, arguments):
        field = fields[open_filter.token.name]
        if not isinstance(field.origin, Context):
            continue
        diagnostics.add(
            rules.CONTEXT_OPENS_FILTER,
            uses.body.statement.span_at(open_filter.token.start, open_filter.token.end),
            notes=[Note(field.span, "the argument")],
            name=field.name,
            absent=open_filter.description,
        )
