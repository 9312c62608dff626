"""Lower a tool to its declaration in the command grammar, or say why it has none (S3.8-34)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from brimgen.emit.projection.tools import full_description
from brimgen.frozen import dataclass
from brimgen.model.catalog import Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.types import Field
from brimgen_runtime.calls.spec_of import is_open

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
class Undeclarable:
    """What the grammar cannot declare: an argument (None: the arguments as a whole), and why."""

    field: Field | None
    reason: str


def command(tool: Tool) -> JsonObject | Undeclarable:
    """Return the declaration of ``tool``, or the first thing about it that cannot be declared."""
    if is_open(tool.enforced_schema):
        return Undeclarable(None, "it takes arguments that it does not name")
    parameters: list[JsonObject] = []
    for field in tool.caller_fields:
        word = type_word(field)
        if word is None:
            return Undeclarable(field, f"the grammar has no type for `{field.name}`")
        parameters.append(_parameter(field, word))
    return {
        "command_name": tool.name,
        "description": full_description(tool) or "",
        "parameters": parameters,
    }


def _parameter(field: Field, word: str) -> JsonObject:
    choices = _choices(field.schema)
    return {
        "name": field.name,
        "type": word,
        **({"description": field.description} if field.description else {}),
        "required": field.required,
        **({} if choices is None else {"enum_values": choices}),
    }


def type_word(field: Field) -> str | None:
    """The type of an argument in the grammar, None where it has none.

    A null is expressed by leaving out an optional argument, if that means the same.
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
        remaining = [kind for kind in kinds if kind != "null"]
        if len(remaining) == 1:
            return {**schema, "type": remaining[0]}, len(kinds) > 1
    elif kinds is None and isinstance(options, Sequence):
        remaining = [option for option in options if option != {"type": "null"}]
        if len(remaining) == 1 and isinstance(remaining[0], Mapping):
            return remaining[0], len(options) > 1
    return schema, False


def _scalar_word(schema: JsonObject) -> str | None:
    kind, format = schema.get("type"), schema.get("format", "")
    if not isinstance(kind, str) or not isinstance(format, str):
        return None
    return _SCALARS.get((kind, format), _SCALARS.get((kind, "")))


def _choices(field: JsonObject) -> Sequence[Json] | None:
    schema, _ = _without_null(field)
    items = schema.get("items")
    values = schema.get(
        "enum", items.get("enum") if isinstance(items, Mapping) else None
    )
    if not isinstance(values, Sequence) or isinstance(values, str):
        return None
    return [value for value in values if value is not None]
