"""Check that the rows of a list that is read page by page tell where the next page begins."""

from __future__ import annotations

from brimgen.diagnostics import Diagnostics, did_you_mean, rules
from brimgen.emit.sql.checks.check_columns import RowShape
from brimgen.emit.sql.statements import Bound
from brimgen.model.catalog import SqlKey
from brimgen.model.fields import Caller
from brimgen.model.types import Field, ListType, NullableType, Type


def check_keyset(bound: Bound, diagnostics: Diagnostics) -> None:
    """Report arguments that cannot be keys, and columns that rows may lack."""
    if not bound.body.keyset:
        return
    arguments = {field.name: field for field in bound.tool.fields}
    columns = _columns(bound)
    for key in bound.body.keyset:
        argument, column = arguments.get(key.argument), columns.get(key.name)
        why = _lack_of_argument(argument)
        if why is not None:
            near = did_you_mean(key.argument, arguments) if argument is None else ()
            diagnostics.add(
                rules.KEYSET_ARGUMENT,
                key.span,
                suggestions=near,
                name=key.argument,
                why=why,
            )
            continue
        why = _lack_of_column(column)
        if why is not None:
            diagnostics.add(rules.KEYSET_COLUMN, key.span, column=key.column, why=why)
        elif argument and column and _inner(argument.type) != column.type:
            diagnostics.add(
                rules.KEYSET_ARGUMENT,
                key.span,
                name=key.argument,
                why=f"its type is not that of the field `{key.name}`",
            )


def keyset_fields(bound: Bound) -> tuple[tuple[SqlKey, Field], ...]:
    """Return the keys of a statement with their fields in a row; none where one is missing."""
    if not bound.body.keyset:
        return ()
    columns = _columns(bound)
    return tuple(
        (key, columns[key.name]) for key in bound.body.keyset if key.name in columns
    )


def _columns(bound: Bound) -> dict[str, Field]:
    returns = bound.tool.returns
    if returns is None or not isinstance(_inner(returns.type), ListType):
        return {}
    shape = RowShape.of(bound.tool, bound.catalog)
    return {field.name: field for field in shape.fields} if shape else {}


def _inner(type: Type) -> Type:
    return type.inner if isinstance(type, NullableType) else type


def _lack_of_argument(field: Field | None) -> str | None:
    if field is None:
        return "there is no such argument"
    if not isinstance(field.origin, Caller):
        return "the caller does not give it"
    if field.required or field.default is not None:
        return "it is never absent, as it is on the first page"
    return None


def _lack_of_column(field: Field | None) -> str | None:
    if field is None:
        return "`returns` is no list of rows with a field of this name"
    if not field.required or isinstance(field.type, NullableType):
        return "its field may be absent"
    return None
