"""Lower: a tool in, its declaration in the command grammar out, or why there is none (S3.8-34)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from brimgen.emit.projection.tools import full_description
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.fields import Field
from brimgen.model.json import Json, JsonObject
from brimgen.runtime._engine.spec_of import is_open

_SCALARS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("string", "date"): "date",
        ("string", "date-time"): "datetime",
        ("string", ""): "string",
        ("integer", ""): "int",
        ("number", ""): "float",
        ("boolean", ""): "bool",
    }
)


@dataclass(frozen=True, slots=True)
class CommandSet:
    """The view of the file."""

    commands: Sequence[JsonObject]


@dataclass(frozen=True, slots=True)
class Unsayable:
    """What the grammar has no word for: an argument (None: the arguments as a whole), and why."""

    field: Field | None
    reason: str


def command(tool: Tool) -> JsonObject | Unsayable:
    """The declaration of ``tool``, or the first thing about it that cannot be declared."""
    if is_open(tool.enforced_schema):
        return Unsayable(None, "it takes arguments that it does not name")
    parameters: list[JsonObject] = []
    for field in tool.caller_fields:
        word = type_word(field)
        if word is None:
            return Unsayable(field, f"the grammar has no type for `{field.name}`")
        parameters.append(_parameter(field, word))
    return {
        "command_name": tool.name,
        "description": full_description(tool) or "",
        "parameters": parameters,
    }


def _parameter(field: Field, word: str) -> JsonObject:
    parameter: dict[str, Json] = {"name": field.name, "type": word}
    if field.description:
        parameter["description"] = field.description
    parameter["required"] = field.required
    choices = _choices(field.schema)
    if choices is not None:
        parameter["enum_values"] = choices
    return parameter


def type_word(field: Field) -> str | None:
    """The type of an argument in the grammar, None where it has none.

    Null is said by leaving an optional argument out, where that means the same.
    """
    schema, nullable = _without_null(field.schema)
    if nullable and (field.required or field.schema.get("default") is not None):
        return None
    if schema.get("type") != "array":
        return _scalar_word(schema)
    items = schema.get("items")
    if not isinstance(items, Mapping) or "prefixItems" in schema:
        return None
    word = _scalar_word(items)
    return None if word is None else f"array<{word}>"


def _without_null(schema: JsonObject) -> tuple[JsonObject, bool]:
    """``schema`` of a single type, and whether null is accepted beside it."""
    kinds, options = schema.get("type"), schema.get("anyOf")
    if isinstance(kinds, Sequence) and not isinstance(kinds, str):
        others = [each for each in kinds if each != "null"]
        if len(others) == 1:
            return {**schema, "type": others[0]}, len(kinds) > 1
    elif kinds is None and isinstance(options, Sequence):
        others = [each for each in options if each != {"type": "null"}]
        if len(others) == 1 and isinstance(others[0], Mapping):
            return others[0], len(options) > 1
    return schema, False


def _scalar_word(schema: JsonObject) -> str | None:
    kind, format = schema.get("type"), schema.get("format", "")
    if not isinstance(kind, str) or not isinstance(format, str):
        return None
    return _SCALARS.get((kind, format), _SCALARS.get((kind, "")))


def _choices(field: JsonObject) -> Json:
    schema, _ = _without_null(field)
    items = schema.get("items")
    values = schema.get(
        "enum", items.get("enum") if isinstance(items, Mapping) else None
    )
    if not isinstance(values, Sequence) or isinstance(values, str):
        return None
    return [each for each in values if each is not None]
