"""The bridge to the package's runtime: the names that the modules of dispatchers use."""

from __future__ import annotations

from brimgen.runtime._engine.encoders import encoder_of
from brimgen.runtime._engine.results import ToolError
from brimgen.runtime._engine.retry import ToolCall
from brimgen.runtime._runtime import (
    MISSING,
    ContextError,
    InputError,
    Tool,
    Validator,
    to_json_value,
    write_json,
)

__all__ = [
    "MISSING",
    "ContextError",
    "InputError",
    "Tool",
    "ToolCall",
    "ToolError",
    "Validator",
    "encoder_of",
    "to_json_value",
    "write_json",
]
