"""Make the view of fields, of types, and of the rows of a schema."""

from __future__ import annotations

from collections.abc import Iterable

from brimgen.emit.catalog_view.view_types import (
    FieldView,
    Origin,
    RowView,
    TypeKind,
    TypeView,
)
from brimgen.emit.projection.json_values import plain_json
from brimgen.emit.projection.schema_rows import (
    Row,
    beside_null,
    limits_in_words,
    rows,
    type_words,
)
from brimgen.model.fields import Context, Host
from brimgen.model.json import Json, JsonObject
from brimgen.model.scalars import LIST_KEYS, NUMBER_KEYS, SCALARS, TEXT_KEYS
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
    UnionType,
)

_CONSTRAINTS = (
    "enum",
    "const",
    *NUMBER_KEYS,
    *TEXT_KEYS,
    *LIST_KEYS,
    "minProperties",
    "maxProperties",
    "x-decimal",
    "x-tz",
)


def fields_view(fields: Iterable[Field], definitions: JsonObject) -> list[FieldView]:
    """The views of ``fields``; references in their schemas lead to ``definitions``."""
    return [_field(field, definitions) for field in fields]


def _field(field: Field, definitions: JsonObject) -> FieldView:
    schema: dict[str, Json] = plain_json(field.schema)
    whole = {**(beside_null(schema) or {}), **schema}
    return {
        "name": field.name,
        "type": type_view(field.type, definitions),
        "type_text": type_words(schema, definitions),
        "required": field.required,
        "nullable": field.may_be_null,
        "has_default": field.default is not None,
        "default": None if field.default is None else plain_json(field.default.value),
        "description": field.description,
        "deprecated": field.deprecated,
        "origin": _origin(field),
        "hidden": _origin(field) != "caller",
        "context_path": (
            list(field.origin.path) if isinstance(field.origin, Context) else None
        ),
        "constraints": {key: whole[key] for key in _CONSTRAINTS if key in whole},
        "limits": list(limits_in_words(schema, definitions)),
        "schema": schema,
    }


def _origin(field: Field) -> Origin:
    if isinstance(field.origin, Context):
        return "context"
    return "host" if isinstance(field.origin, Host) else "caller"


def type_view(type: Type, definitions: JsonObject) -> TypeView:
    """The view of ``type``."""
    match type:
        case ScalarType(scalar, choices):
            return {
                **_type("scalar", scalar.value),
                "json_types": list(SCALARS[scalar].json_types),
                "choices": list(choices),
            }
        case EntityType(name):
            return _type("entity", name)
        case EnumType(name):
            return _type("enum", name)
        case LeafType(name, scalar):
            kinds = list(SCALARS[scalar].json_types)
            return {
                **_type("leaf", name),
                "scalar": scalar.value,
                "json_types": kinds,
            }
        case RecordType(name, fields, extra):
            return {
                **_type("record", name),
                "fields": fields_view(fields, definitions),
                "extra": None if extra is None else type_view(extra, definitions),
            }
        case ListType(item):
            return {**_type("list"), "inner": type_view(item, definitions)}
        case MapType(value):
            return {**_type("map"), "inner": type_view(value, definitions)}
        case NullableType(inner):
            return {**_type("nullable"), "inner": type_view(inner, definitions)}
        case UnionType(options):
            views = [type_view(option, definitions) for option in options]
            return {**_type("union"), "options": views}
        case JsonType():
            return _type("any")


def _type(kind: TypeKind, name: str | None = None) -> TypeView:
    return {
        "kind": kind,
        "name": name,
        "scalar": None,
        "json_types": [],
        "choices": [],
        "inner": None,
        "options": [],
        "fields": [],
        "extra": None,
    }


def rows_view(schema: JsonObject) -> list[RowView]:
    """The properties of an object as rows."""
    return [_row(row) for row in rows(schema)]


def result_rows_view(schema: JsonObject) -> list[RowView]:
    """The properties in a result, which may be a list, as rows: ``[].name``."""
    whole = {"properties": {"": schema}, "$defs": schema.get("$defs")}
    inner = [row for row in rows(whole) if row.path]
    return [{**_row(row), "parent": row.parent.removeprefix(".")} for row in inner]


def _row(row: Row) -> RowView:
    text = row.description if isinstance(row.description, str) else ""
    return {
        "path": row.path.removeprefix("."),
        "parent": row.parent,
        "name": row.name,
        "type_text": row.type,
        "required": row.required,
        "default": row.default or None,
        "description": text.strip() or None,
        "limits": list(row.limits),
    }
