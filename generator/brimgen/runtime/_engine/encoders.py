"""Encode what a handler returned as JSON.

A value of another type than the declared one stays unchanged, so that the output schema refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from importlib import import_module
from typing import Any, TypeAlias

from .kinds import is_list, is_number
from .numbers import exact
from .values import to_json_value

Encoder: TypeAlias = Callable[[Any], Any]


def encoder_of(package: str, tool: str) -> Encoder:
    """Return the encoder of what a tool returns, as the handlers of its package have it.

    Where they were not generated, or do not know the tool, it is that of values that are JSON in
    one way only, whatever their tool.
    """
    from importlib.util import find_spec

    if find_spec(".handlers", package) is None:
        return to_json_value
    slots: Mapping[str, Any] = vars(import_module(".handlers", package))["_SLOTS"]
    found: Encoder | None = slots[tool].encode if tool in slots else None
    return found or to_json_value


def listed(encode: Encoder) -> Encoder:
    """Return an encoder of lists of what ``encode`` encodes."""
    return lambda value: (
        [encode(each) for each in value] if is_list(value) else to_json_value(value)
    )


def mapped(encode: Encoder) -> Encoder:
    """Return an encoder of mappings to what ``encode`` encodes."""
    return lambda value: {name: encode(each) for name, each in value.items()}


def maybe(encode: Encoder) -> Encoder:
    """Return an encoder of None, or what ``encode`` encodes."""
    return lambda value: None if value is None else encode(value)


def record(encoders: Mapping[str, Encoder]) -> Encoder:
    """Return an encoder of mappings, each property by its own; others as what they are."""

    def encode(value: Any) -> Any:
        return {
            name: encoders[name](each) if name in encoders else to_json_value(each)
            for name, each in value.items()
        }

    return encode


def digits(value: Any) -> Any:
    """Return the digits of a decimal that JSON has as a string; what is no number as it is."""
    return f"{Decimal(exact(value)):f}" if is_number(value) else to_json_value(value)


def uuid_text(value: Any) -> Any:
    """Return the text of a UUID; what is none as it is."""
    from uuid import UUID

    return str(value) if isinstance(value, UUID) else to_json_value(value)
