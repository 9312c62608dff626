"""Write a scalar as the schema of which the generator makes the type that a flavour has for it."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.model.json import Json, JsonObject
from brimgen.model.types import LeafType, Scalar, ScalarType, Type

_FORMATS = {
    Scalar.DATE: "date",
    Scalar.DATETIME: "date-time",
    Scalar.TIME: "time",
    Scalar.DURATION: "duration",
}
_TYPES: Mapping[str, Mapping[str, str]] = {
    "pydantic": {},
    "msgspec": {
        "date-time": "datetime.datetime",
        "date": "datetime.date",
        "time": "datetime.time",
        "duration": "datetime.timedelta",
        "uuid": "uuid.UUID",
    },
}
"""The classes that the generator does not take by itself for a format."""

_OF_TEXTS = frozenset({"date", "date-time", "time", "duration", "uuid"})
_NOT_BESIDE_A_CLASS = frozenset(
    {"pattern", "minLength", "maxLength", "format", "default"}
)


def scalar_schema(schema: JsonObject, type: Type, flavour: str) -> JsonObject:
    """Return the schema of a value of a scalar or a leaf.

    A class that is no type of JSON has no default here: where the value is absent, the dataclass
    has the default.
    """
    if isinstance(type, ScalarType) and type.scalar is Scalar.DECIMAL:
        return _decimal(schema, flavour)
    name = schema.get("format")
    if isinstance(type, ScalarType):
        name = _FORMATS.get(type.scalar)
    elif not isinstance(type, LeafType) or name not in _OF_TEXTS:
        name = None
    plain = {key: value for key, value in schema.items() if key != "format"}
    if not isinstance(name, str) or flavour not in _TYPES:
        return plain
    kept = {k: v for k, v in plain.items() if k not in _NOT_BESIDE_A_CLASS}
    type_path = _TYPES[flavour].get(name)
    return {
        **kept,
        **({"format": name} if type_path is None else {"customTypePath": type_path}),
    }


def _decimal(schema: JsonObject, flavour: str) -> JsonObject:
    """A number of any precision; one that is text in JSON stays text."""
    kinds = schema.get("type")
    is_text = "string" in (kinds if isinstance(kinds, list | tuple) else [kinds])
    if is_text:
        return schema
    if flavour in _TYPES:
        bounds = {k: v for k, v in schema.items() if k != "multipleOf"}
        return {**bounds, "format": "decimal"}
    number: dict[str, Json] = {"type": "number"}
    options: list[Json] = [number, {"customTypePath": "decimal.Decimal"}]
    if isinstance(kinds, list | tuple):
        options.append({"type": "null"})
    return {"anyOf": options}
