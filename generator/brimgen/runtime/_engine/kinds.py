"""Tell the kinds of JSON values apart in Python."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final, TypeGuard

DICT: Final[type[dict[str, Any]]] = dict
LIST: Final[type[list[Any]]] = list
"""What the usual spelling has of objects and arrays: ``type(x) is DICT`` says what is in it too."""

KINDS = ("null", "boolean", "number", "string", "array", "object")
"""The kinds of JSON values, which are the types without ``integer``."""

_KIND_OF_TYPE: dict[type, str] = {
    dict: "object",
    list: "array",
    str: "string",
    int: "number",
    bool: "boolean",
    type(None): "null",
}


MAX_EXPONENT = 4299
"""The highest power of ten in a decimal: Python writes ints of at most 4300 digits."""


def is_number(value: object) -> bool:
    """Return whether a value is a JSON number: a finite int, float or Decimal, not a bool."""
    kind = type(value)
    if kind is int:
        return True
    if isinstance(value, float):
        return value - value == 0.0
    if isinstance(value, Decimal):
        return value.is_finite() and (
            not value or -MAX_EXPONENT <= value.adjusted() <= MAX_EXPONENT
        )
    return isinstance(value, int) and kind is not bool


def is_integer(value: Any) -> bool:
    """Return whether a value is a JSON integer: a number without a fraction, as 3.0 is."""
    if type(value) is int:
        return True
    if not is_number(value):
        return False
    if isinstance(value, float):
        return value.is_integer()
    return not isinstance(value, Decimal) or value == value.to_integral_value()


def is_object(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Return whether a value is a JSON object."""
    return value.__class__ is dict or isinstance(value, Mapping)


LEAF_FORMS: Final = {"uuid": "uuid", "timestamp": "date-time"}
"""The formats that texts of shipped leaves have."""


def form_of(schema: Any) -> str:
    """Return what the values of a schema are: the format of a text, or a type; "" for several.

    That they may be null as well is left out; a moment whose offset may be absent is a moment.
    """
    if not is_object(schema):
        return ""
    kinds = schema.get("type", "")
    if is_list(kinds):
        others = [each for each in kinds if each != "null"]
        kinds = others[0] if len(others) == 1 else ""
    if kinds != "string":
        return str(kinds)
    if schema.get("x-tz") == "assume-utc":
        return "date-time"
    leaf = LEAF_FORMS.get(schema.get("x-leaf", ""))
    return str(leaf or schema.get("format", kinds))


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Return whether a value is a JSON array."""
    return isinstance(value, list)


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value; ``other`` for what is none (NaN, a set, a tuple)."""
    kind = _KIND_OF_TYPE.get(value.__class__)
    if kind is not None:
        return kind
    if is_number(value):
        return "number"
    if isinstance(value, str):
        return "string"
    if is_object(value):
        return "object"
    return "array" if is_list(value) else "other"
