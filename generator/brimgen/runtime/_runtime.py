"""The public interface of the runtime: what generated modules and their users import.

What takes time to load, or is seldom used, is loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._engine.context import ContextError, context_value, resolve_context
from ._engine.errors import (
    MISSING,
    REDACTED,
    FastPathMiss,
    InputError,
    Refused,
    SchemaError,
    Violation,
)
from ._engine.handed import check_bound, check_call
from ._engine.json_object import JsonObject
from ._engine.kinds import DICT, LIST
from ._engine.schema import Validator
from ._engine.times import to_date, to_datetime
from ._engine.tools import Bound, Input, Tool, Tools
from ._engine.values import (
    exact_float,
    given_nulls,
    left_out,
    new_instance,
    to_choice,
    to_decimal,
    to_float,
    to_int,
    to_json_value,
    to_plain,
    to_whole,
)

if TYPE_CHECKING:
    from ._engine.json_text import parse_json, write_json
    from ._engine.nulls import drop_nulls
    from ._engine.uuids import to_uuid

__all__ = [
    "DICT",
    "LIST",
    "MISSING",
    "REDACTED",
    "Bound",
    "ContextError",
    "FastPathMiss",
    "Input",
    "InputError",
    "JsonObject",
    "Refused",
    "SchemaError",
    "Tool",
    "Tools",
    "Validator",
    "Violation",
    "check_bound",
    "check_call",
    "context_value",
    "drop_nulls",
    "exact_float",
    "given_nulls",
    "left_out",
    "new_instance",
    "parse_json",
    "resolve_context",
    "to_choice",
    "to_date",
    "to_datetime",
    "to_decimal",
    "to_float",
    "to_int",
    "to_json_value",
    "to_plain",
    "to_uuid",
    "to_whole",
    "write_json",
]

_LATER = {
    "drop_nulls": "._engine.nulls",
    "parse_json": "._engine.json_text",
    "to_uuid": "._engine.uuids",
    "write_json": "._engine.json_text",
}


def __getattr__(name: str) -> Any:
    home = _LATER.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home, __package__), name)
