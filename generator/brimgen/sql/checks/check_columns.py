"""Check the columns of a statement against the fields of ``returns``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.frozen import dataclass, replace
from brimgen.model.catalog import Catalog, Tool
from brimgen.model.scalars import SCALARS
from brimgen.model.types import (
    EntityType,
    EnumType,
    Field,
    JsonType,
    LeafType,
    ListType,
    MapType,
    NullableType,
    RecordType,
    ScalarType,
    Type,
)
from brimgen.sql import Statement
from brimgen.sql.checks.check_schema import origin_notes, values_of
from brimgen.sql.engines.engines import DatabaseColumn
from brimgen.sql.kinds import KINDS, SqlKind
from brimgen.sql.model import Inferred, InferredColumn, Place
from brimgen.sql.parameter_types import SqlType, sql_type
from brimgen.sql.result_columns import columns
from brimgen.sql.statements import Bound

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
            fields = column_fields(type.fields, catalog)
            return RowShape(tool.name, span, type, fields, open=is_open)
        return (
            RowShape(tool.name, span, type, single=True) if _is_single(type) else None
        )


def row_type(type: Type) -> Type:
    """Return the type of one row; a scalar that may be null stays nullable, an entity does not."""
    if isinstance(type, NullableType) and not isinstance(
        type.inner, ScalarType | EnumType
    ):
        return row_type(type.inner)
    if isinstance(type, ListType):
        return row_type(type.item) if isinstance(type.item, NullableType) else type.item
    return type


def column_fields(fields: Iterable[Field], catalog: Catalog) -> tuple[Field, ...]:
    """Return the fields of a row by the names of their columns, those of embedded entities too."""
    columns: list[Field] = []
    for field in fields:
        is_null = isinstance(field.type, NullableType)
        inner = field.type.inner if isinstance(field.type, NullableType) else field.type
        if not field.embed or not isinstance(inner, EntityType):
            columns.append(field)
            continue
        for part in catalog.entities[inner.name].fields:
            column = replace(part, name=f"{field.name}_{part.name}", span=field.span)
            if is_null and not part.may_be_null:
                column = replace(column, type=NullableType(part.type))
            columns.append(column)
    return tuple(columns)


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
    columns: Sequence[ResultColumn] | None,
    bound: Bound,
    diagnostics: Diagnostics,
) -> None:
    """Report required columns that are not selected, selected columns that no field reads, and
    those whose values a field does not take.

    Names are compared without case, as the decoder of rows does. If the name of one column is
    unknown, no name is reported. An expression without an alias is reported by its text.
    """
    if not columns:
        return
    body = bound.body
    if shape.single:
        if len(columns) > 1:
            span = body.statement.span_at(*columns[1].place)
            count = len(columns)
            diagnostics.add(rules.SEVERAL_COLUMNS, span, count=count, tool=shape.tool)
        else:
            whole = Field(name="", type=shape.type, schema={}, span=shape.span)
            _check_cell(bound, columns[0], whole, shape, diagnostics)
        return
    fields = {field.name.casefold(): field for field in shape.fields}
    for column in columns:
        field = fields.get((column.name or "").casefold())
        if field is not None:
            _check_cell(bound, column, field, shape, diagnostics)
    if isinstance(shape.type, RecordType) and columns[0].inferred is not None:
        _report_never_selected(shape, columns, diagnostics)
    plain = all(_PLAIN.match(field.name) for field in shape.fields)
    if all(column.name is not None or (column.unnamed and plain) for column in columns):
        asked_for = {_column_text(column) for column in columns if not column.spread}
        placed: dict[str, Span] = {}
        for column in columns:
            span = body.statement.span_at(*column.place)
            placed.setdefault(_column_text(column), span)
        _check_names(shape, placed, asked_for, diagnostics)


def _column_text(column: ResultColumn) -> str:
    return column.unnamed or column.name or ""


def _report_never_selected(
    shape: RowShape, columns: Sequence[ResultColumn], diagnostics: Diagnostics
) -> None:
    """Report the fields of a record that may be absent, and are so in every row.

    The fields of an entity are those of several statements.
    """
    names = {(column.name or "").casefold() for column in columns}
    for field in shape.fields:
        if (
            not field.required
            and field.name.casefold() not in names
            and "" not in names
        ):
            diagnostics.add(
                rules.NEVER_SELECTED,
                field.span,
                field=field.name,
                tool=shape.tool,
            )


def _check_cell(
    bound: Bound,
    column: ResultColumn,
    field: Field,
    shape: RowShape,
    diagnostics: Diagnostics,
) -> None:
    """Check one column against its field; a field without a name is the whole row."""
    block, inferred = bound.body.statement, column.inferred
    name = f"`{field.name}`" if field.name else "the result"
    notes = [
        Note(field.span, f"{name} is declared here"),
        *origin_notes(inferred.origin if inferred else None),
    ]
    declared = sql_type(field, bound.catalog)
    if not reads(declared, column.native, exact=bound.dialect.name != "sqlite"):
        diagnostics.add(
            rules.COLUMN_TYPE,
            block.span_at(*column.place),
            notes=notes,
            name=column.name or "",
            given=column.native,
            declared=_word(field, declared),
            tool=shape.tool,
        )
    if inferred is None:
        return
    place = block.span_at(*inferred.place) if any(inferred.place) else block.span
    admits_null = isinstance(field.type, NullableType) or not field.required
    column_words = f"the column `{column.name}`" if column.name else "the only column"
    placeholders = {"column": column_words, "field": name, "tool": shape.tool}
    if inferred.nullable is True and not admits_null:
        diagnostics.add(rules.NULL_IN_COLUMN, place, notes=notes, **placeholders)
    values = values_of(field.type, bound.catalog)
    labels = inferred.type.labels if inferred.type is not None else ()
    beyond = [label for label in labels if values and label not in values]
    if beyond:
        diagnostics.add(
            rules.COLUMN_LABEL,
            place,
            notes=notes,
            label=beyond[0],
            **placeholders,
        )


def _word(field: Field, declared: SqlType) -> str:
    """Return the type as the spec writes it; an object without a name is called that."""
    type = field.type.inner if isinstance(field.type, NullableType) else field.type
    match type:
        case EntityType():
            return f"`{type.name}`"
        case ScalarType():
            return type.scalar.value
        case RecordType() | MapType():
            return "object"
        case _:
            return declared.word


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


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """One column: its name, None where nobody tells it, and where it stands.

    ``spread`` is one of those that ``*`` stands for: nobody has asked for it by name. ``unnamed``
    is the text of an expression without an alias, to which no database gives a name that an author
    would. ``native`` is its type in the words of the database, empty where that is unknown;
    ``inferred`` is what the schema says of it.
    """

    name: str | None
    place: Place
    spread: bool = False
    unnamed: str = ""
    native: str = ""
    inferred: InferredColumn | None = None


def columns_of(
    statement: Statement,
    described: Iterable[DatabaseColumn] | None = None,
    inferred: Inferred | None = None,
) -> tuple[ResultColumn, ...] | None:
    """Return the columns of a statement, as ``described`` by a database, else as ``inferred``
    from the schema, else as its text shows them; None where their number is unknown.
    """
    written = statement.computed_once(columns)
    by_name = {
        column.name.casefold(): column
        for column in (inferred.columns if inferred else None) or ()
    }
    if described is not None:
        told = tuple(described)
        is_spread = written is None or len(written) != len(told)
        first = statement.significant[0]
        places = [column.place for column in written or ()]
        if is_spread:
            places = [Place(first.start, first.end)] * len(told)
        return tuple(
            ResultColumn(
                column.name,
                place,
                is_spread,
                native=column.type,
                inferred=by_name.get(column.name.casefold()),
            )
            for column, place in zip(told, places, strict=True)
        )
    known = inferred.columns if inferred is not None else None
    if known is not None and (len(known) == 1 or all(each.name for each in known)):
        return tuple(
            ResultColumn(
                column.name or None,
                column.place,
                statement.text[slice(*column.place)].rstrip().endswith("*"),
                native=column.type.native if column.type else "",
                inferred=column,
            )
            for column in known
        )
    if written is None:
        return None
    return tuple(
        ResultColumn(
            column.name,
            column.place,
            unnamed=column.unnamed,
            inferred=by_name.get(column.name.casefold()) if column.name else None,
        )
        for column in written
    )


@cache
def _families() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Read `column_families.txt`."""
    path = Path(__file__).parents[1] / "rules" / "column_families.txt"
    lines = path.read_text(encoding="ascii").splitlines()[1:]
    pairs = (line.split(" ", 1) for line in lines)
    return tuple([(pair[0], re.compile(pair[1], re.IGNORECASE)) for pair in pairs])


def reads(declared: SqlType, native: str, *, exact: bool = True) -> bool:
    """Whether a field of the type ``declared`` is read from a column of the type ``given``.

    A column of an unknown type can be read. A decimal is not read from a float if the database
    could have kept its digits (``exact``).
    """
    family = next((name for name, pattern in _families() if pattern.match(native)), "")
    if not family or declared.leaf is not None:
        return True
    if declared.is_list:
        return family in ("array", "json", "text")
    if family == "float" and declared.kind is SqlKind.DECIMAL:
        return not exact
    return family in KINDS[declared.kind].reads
