"""Check the columns of a statement against the fields of ``returns``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.emit.sql.module.decode_function import row_type
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, SqlBody, Tool
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    Field,
    JsonType,
    LeafType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.sqltext.result_columns import Column

_PLAIN = re.compile(r"\A(?!f\d+_\Z)[^\W\d]\w*\Z")
"""Names that no database gives to an expression without an alias; BigQuery gives `f0_`."""

_COUNTED = re.compile(r"(?i)(?:count|sum|avg)\s*\(")


@dataclass(frozen=True, slots=True)
class RowShape:
    """The shape of ``returns``: the fields of a row, or (``single``) that a row is one value;
    and its ``type``.
    """

    tool: str
    span: Span
    type: Type
    fields: tuple[Field, ...] = ()
    single: bool = False
    open: bool = False

    @staticmethod
    def of(tool: Tool, catalog: Catalog) -> RowShape | None:
        """Return the shape of the rows of ``tool``; None where any columns will do."""
        if tool.returns is None:
            return None
        span, type = tool.returns.span, row_type(tool.returns.type)
        if isinstance(type, EntityType):
            entity = catalog.entities.get(type.name)
            if entity is None:
                return None
            is_open = entity.extra is not None
            return RowShape(tool.name, span, type, entity.fields, open=is_open)
        if isinstance(type, RecordType):
            is_open = type.extra is not None
            return RowShape(tool.name, span, type, type.fields, open=is_open)
        return (
            RowShape(tool.name, span, type, single=True) if _is_single(type) else None
        )


def is_count(type: Type) -> bool:
    """Whether ``returns`` can be the number of rows that a statement changes."""
    return isinstance(type, ScalarType) and SCALARS[type.scalar].is_integer


def _is_single(type: Type) -> bool:
    if isinstance(type, NullableType):
        return _is_single(type.inner)
    free = isinstance(type, ScalarType) and SCALARS[type.scalar].is_object
    return not free and not isinstance(type, JsonType | MapType)


def check_columns(
    shape: RowShape,
    columns: Sequence[Column] | None,
    body: SqlBody,
    diagnostics: Diagnostics,
) -> None:
    """Report required columns that are not selected, and selected columns that no field reads.

    Names are compared without case, as the decoder of rows does. If the name of one column is
    unknown, nothing is reported. An expression without an alias is reported by its text.
    """
    if not columns:
        return
    if shape.single:
        if len(columns) > 1:
            span = body.statement.span_at(columns[1].token.start, columns[1].token.end)
            count = len(columns)
            diagnostics.add(rules.SEVERAL_COLUMNS, span, count=count, tool=shape.tool)
        return
    plain = all(_PLAIN.match(field.name) for field in shape.fields)
    if all(column.name is not None or (column.unnamed and plain) for column in columns):
        asked_for = {_column_text(column) for column in columns if not column.spread}
        placed: dict[str, Span] = {}
        for column in columns:
            span = body.statement.span_at(column.token.start, column.token.end)
            placed.setdefault(_column_text(column), span)
        _check_names(shape, placed, asked_for, diagnostics)


def _column_text(column: Column) -> str:
    return column.unnamed or column.name or ""


def _check_names(
    shape: RowShape,
    columns: dict[str, Span],
    asked_for: set[str],
    diagnostics: Diagnostics,
) -> None:
    field_names = {field.name.casefold() for field in shape.fields}
    folded = {column.casefold() for column in columns}
    extra = {
        name: at for name, at in columns.items() if name.casefold() not in field_names
    }
    missing = [
        field
        for field in shape.fields
        if field.required and field.name.casefold() not in folded
    ]
    # One unread column beside one missing column is that column under another name.
    is_one = len(missing) == len(extra) == 1
    renamed = tuple(
        column for column in extra if is_one and _can_be(missing[0], column)
    )
    explained: set[str] = set()
    for field in missing:
        near = _similar_names(field.name, [*extra])
        explained.update(near or renamed)
        notes = [
            *(
                Note(extra[column], f"`{column}` is given here")
                for column in near or renamed
            ),
            Note(field.span, f"`{field.name}` is declared here"),
        ]
        diagnostics.add(
            rules.MISSING_COLUMN,
            shape.span,
            notes=notes,
            suggestions=near or [f"{column} AS {field.name}" for column in renamed],
            name=field.name,
            tool=shape.tool,
        )
    if not shape.open:
        unread = [
            column
            for column in extra
            if column in asked_for and column not in explained
        ]
        _report_unread(shape, {column: extra[column] for column in unread}, diagnostics)


def _can_be(field: Field, column: str) -> bool:
    """Whether a column may be a field, judging by its text: a count, a sum or an average is a
    number.
    """
    kind = field.type.inner if isinstance(field.type, NullableType) else field.type
    is_number = (
        isinstance(kind, ScalarType | LeafType) and SCALARS[kind.scalar].may_be_number
    )
    return is_number or _COUNTED.match(column) is None


def _report_unread(
    shape: RowShape, extra: dict[str, Span], diagnostics: Diagnostics
) -> None:
    """Report columns that no field reads."""
    field_names = [field.name for field in shape.fields]
    for name, span in extra.items():
        near = _similar_names(name, field_names)
        diagnostics.add(
            rules.EXTRA_COLUMN, span, suggestions=near, name=name, tool=shape.tool
        )


def _similar_names(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` that ``name`` is a misspelling of; else the one that has
    all its words, or whose words it has all: `name` and `customer_name`.
    """
    words = _words(name)
    candidates = [
        candidate
        for candidate in names
        if words <= _words(candidate) or words >= _words(candidate)
    ]
    return did_you_mean(name, names) or tuple(
        candidates if len(candidates) == 1 else ()
    )


def _words(name: str) -> frozenset[str]:
    return frozenset(name.casefold().split("_"))
