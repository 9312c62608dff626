"""The public face of the runtime: everything that generated modules and their users import."""

from __future__ import annotations

from ._engine.context import ContextError, context_value, resolve_context
from ._engine.errors import (
    MISSING,
    REDACTED,
    UNUSUAL,
    InputError,
    SchemaError,
    Unusual,
    Violation,
)
from ._engine.leaves import to_uuid
from ._engine.nulls import drop_nulls
from ._engine.schema import Validator
from ._engine.times import parse_date, to_date, to_datetime
from ._engine.tools import Bound, Input, Tool, Tools
from ._engine.values import (
    new,
    parse_json,
    to_choice,
    to_decimal,
    to_float,
    to_int,
    to_json_value,
    to_plain,
    usual_float,
    write_json,
)

__all__ = [
    "MISSING",
    "REDACTED",
    "UNUSUAL",
    "Bound",
    "ContextError",
    "Input",
    "InputError",
    "SchemaError",
    "Tool",
    "Tools",
    "Unusual",
    "Validator",
    "Violation",
    "context_value",
    "drop_nulls",
    "new",
    "parse_date",
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
    "usual_float",
    "write_json",
]
