"""Describe how the text of an argument is read, by its type.

Shared by the targets whose arguments are strings: paths, queries, and prompts as MCP has them.
"""

from __future__ import annotations

from typing import NamedTuple

from brimgen.emit.code import Code, py
from brimgen.model.catalog import Catalog
from brimgen.model.scalars import SCALARS, ScalarRow
from brimgen.model.types import (
    EnumType,
    Field,
    LeafType,
    ListType,
    NullableType,
    ScalarType,
    Type,
    UnionType,
)

_IS_LIST = Code("is_list=True")


class Lexical(NamedTuple):
    """How a text is read: its kind (`lexical.Kind` of the runtime`), and whether it is a list."""

    kind: str
    is_list: bool = False

    def arguments(self, name: str) -> list[Code]:
        """The arguments of ``Variable``, ``Query`` or ``Argument``; usual values are left out."""
        arguments: list[Code] = [py(name)]
        arguments += [] if self.kind == "string" else [py(self.kind)]
        return [*arguments, *([_IS_LIST] if self.is_list else [])]


def lexical(field: Field, catalog: Catalog) -> Lexical:
    """How the text of an argument is read."""
    return _lexical(field.type, catalog, wire_string=field.wire_string)


def _lexical(type: Type, catalog: Catalog, *, wire_string: bool) -> Lexical:
    """How a text is read as ``type``; ``wire_string``: its decimals are strings in JSON."""
    match type:
        case NullableType(inner=inner):
            return _lexical(inner, catalog, wire_string=wire_string)
        case ListType(item=inner):
            item = _lexical(inner, catalog, wire_string=wire_string)
            return Lexical("json") if item.is_list else Lexical(item.kind, True)
        case ScalarType(scalar) if wire_string and SCALARS[scalar].keeps_digits:
            return Lexical("string")
        case ScalarType(scalar=scalar) | LeafType(scalar=scalar):
            return Lexical(_kind(SCALARS[scalar]))
        case EnumType(name=name):
            return Lexical(_of_values(catalog.enums[name].values))
        case UnionType(options=options):
            scalars = {_kind(SCALARS[option.scalar]) for option in options}
            return Lexical("string" if "string" in scalars else "scalar")
        case _:
            return Lexical("json")


def _kind(row: ScalarRow) -> str:
    """How the text of a scalar is read: as its JSON type; as text where there are several."""
    return "json" if row.is_structured else row.json_type or "string"


def _of_values(values: tuple[str | int | float, ...]) -> str:
    texts = [isinstance(value, str) for value in values]
    if all(texts):
        return "string"
    return "scalar" if any(texts) else "number"
