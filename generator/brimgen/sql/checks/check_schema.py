"""Hold a statement, its arguments and its ``returns`` against the schema of the database.

It reports only what the schema makes certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, did_you_mean, rules
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.types import (
    EnumType,
    ListType,
    NullableType,
    ScalarType,
    Type,
)
from brimgen.sql.kinds import SqlKind
from brimgen.sql.model import (
    FOUND_WHEN_EXECUTED,
    Base,
    ColumnType,
    Inferred,
    InferredParameter,
    Origin,
    Place,
)
from brimgen.sql.parameter_types import SqlType, full_type_name
from brimgen.sql.statements import Bound


@dataclass(frozen=True, slots=True)
class InferredStatement:
    """A statement, and what the schema says of it."""

    bound: Bound
    inferred: Inferred

    def span(self, place: Place) -> Span:
        """A part of the statement, in its file; the statement where the part is unknown."""
        block = self.bound.body.statement
        return block.span_at(*place) if place.end > place.start else block.span

    @property
    def arrays(self) -> frozenset[str]:
        """The parameters that stand for a whole list, beside a column of lists."""
        return frozenset(
            name
            for name, parameter in self.inferred.parameters.items()
            if parameter.type is not None
            and parameter.type.base is Base.LIST
            and not parameter.is_list
        )


def check_findings(
    statement: InferredStatement, diagnostics: Diagnostics, *, accepted: bool
) -> None:
    """Report what the database would refuse.

    Where it has ``accepted`` the statement, only what no database tells before a statement is
    executed counts.
    """
    for finding in statement.inferred.findings:
        if accepted and finding.mistake not in FOUND_WHEN_EXECUTED:
            continue
        shown = finding.column or finding.table
        span = None if shown is None else shown.span
        diagnostics.add(
            rules.CONTRADICTS_SCHEMA,
            statement.span(finding.place),
            notes=_created_at(span),
            suggestions=did_you_mean(finding.subject, finding.candidates),
            text=finding.text,
        )


def _created_at(span: Span | None) -> list[Note]:
    return [] if span is None else [Note(span, "the schema says so here")]


def origin_notes(origin: Origin | None) -> list[Note]:
    if origin is None or origin.column.span is None:
        return []
    text = f"`{origin.table.name}.{origin.column.name}` is created here"
    return [Note(origin.column.span, text)]


def values_of(type: Type, catalog: Catalog) -> Sequence[object]:
    """The values that an enum admits; none for other types."""
    match type:
        case NullableType(inner):
            return values_of(inner, catalog)
        case ListType(item):
            return values_of(item, catalog)
        case ScalarType(choices=choices):
            return choices
        case EnumType(name) if name in catalog.enums:
            return catalog.enums[name].values
        case _:
            return ()


def _stores_null(statement: InferredStatement, parameter: InferredParameter) -> bool:
    """Whether a statement stores a parameter where NULL is refused.

    `check_nulls` reports absent arguments of UPDATE: it needs no schema.
    """
    is_refused = parameter.stored and parameter.nullable is False
    return is_refused and statement.bound.facts.verb != "UPDATE"


def check_arguments(statement: InferredStatement, diagnostics: Diagnostics) -> None:
    """Report arguments that do not fit the columns that they are compared with or stored in."""
    tool = statement.bound.tool
    fields = {field.name: field for field in tool.fields}
    dialect = statement.bound.dialect.name
    for name, parameter in statement.inferred.parameters.items():
        field, origin = fields.get(name), parameter.origin
        if field is None or origin is None or parameter.type is None:
            continue
        declared = statement.bound.types[name]
        notes = [Note(field.span, f"`{name}` is declared here"), *origin_notes(origin)]
        place = statement.span(parameter.places[0])
        column_name = f"{origin.table.name}.{origin.column.name}"
        if not fits(declared, parameter.type, dialect, stored=parameter.stored):
            diagnostics.add(
                rules.ARGUMENT_TYPE,
                place,
                notes=notes,
                name=name,
                declared=declared.word,
                column=column_name,
                native=parameter.type.native,
            )
        elif _stores_null(statement, parameter) and declared.nullable:
            diagnostics.add(
                rules.ARGUMENT_NULL, place, notes=notes, name=name, column=column_name
            )
        labels = parameter.type.labels
        values = [*values_of(field.type, statement.bound.catalog)]
        if field.default is not None and isinstance(field.default.value, str):
            values.append(field.default.value)
        beyond = [value for value in values if labels and value not in labels]
        if beyond:
            diagnostics.add(
                rules.ARGUMENT_LABEL,
                field.span,
                notes=origin_notes(origin),
                suggestions=did_you_mean(str(beyond[0]), labels),
                label=beyond[0],
                name=name,
                column=column_name,
                labels=", ".join(f"`{label}`" for label in labels),
            )


_INTEGERS = frozenset({Base.INT2, Base.INT4, Base.INT8, Base.UINT8, Base.INT16})
_NUMBERS = frozenset({*_INTEGERS, Base.FLOAT4, Base.FLOAT8, Base.DECIMAL})
_MOMENTS = frozenset({Base.DATE, Base.DATETIME, Base.INSTANT})
_TEXTS = frozenset(
    {Base.TEXT, Base.ENUM, Base.UUID, Base.JSON, Base.INTERVAL, Base.TIME}
)
_FITTING: Mapping[SqlKind, frozenset[Base]] = {
    SqlKind.INT: _NUMBERS,
    SqlKind.FLOAT: _NUMBERS,
    SqlKind.DECIMAL: _NUMBERS,
    SqlKind.BOOL: frozenset({Base.BOOL}),
    SqlKind.TEXT: _TEXTS,
    SqlKind.DATE: _MOMENTS,
    SqlKind.DATETIME: _MOMENTS,
    SqlKind.UINT64: _NUMBERS,
    SqlKind.BYTES: frozenset({Base.BYTES}),
}
"""The columns that an argument may stand beside. Of other kinds nothing is said."""
_OF_SQLITE: Mapping[SqlKind, frozenset[Base]] = {
    SqlKind.TEXT: _TEXTS | _MOMENTS | {Base.BYTES},
    SqlKind.BOOL: frozenset({Base.BOOL, *_NUMBERS}),
    SqlKind.DATE: _MOMENTS | {Base.TEXT},
    SqlKind.DATETIME: _MOMENTS | {Base.TEXT},
    SqlKind.DECIMAL: _NUMBERS | {Base.TEXT},
    SqlKind.BYTES: frozenset({Base.BYTES, Base.TEXT}),
}
"""SQLite keeps moments as text and booleans as numbers; a decimal may be kept as text."""


def fits(declared: SqlType, column: ColumnType, dialect: str, *, stored: bool) -> bool:
    """Whether values of an argument may be compared with a column, or stored in it."""
    is_array = declared.is_list and column.base is Base.LIST
    if is_array and dialect == "postgres" and not stored:
        # Lists are converted where they are stored, and not where they are compared.
        return full_type_name(declared, dialect) == column.native
    base = column.item.base if column.base is Base.LIST and column.item else column.base
    if base in (Base.OTHER, Base.LIST) or declared.leaf is not None:
        return True
    kind = declared.kind
    fitting = _FITTING.get(kind)
    if dialect == "sqlite":
        fitting = _OF_SQLITE.get(kind, fitting)
    if dialect == "mysql" and kind in (SqlKind.BOOL, SqlKind.INT):
        fitting = _NUMBERS | {Base.BOOL}
    if fitting is None:
        return True
    cuts = kind in (SqlKind.FLOAT, SqlKind.DECIMAL) and base in _INTEGERS and stored
    return base in fitting and not cuts
