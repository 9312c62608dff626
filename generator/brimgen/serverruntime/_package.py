"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from brimgen.runtime._engine.encoders import encoder_of
from brimgen.runtime._engine.results import ToolError
from brimgen.runtime._runtime import (
    ContextError,
    InputError,
    Tool,
    Tools,
    Validator,
    to_json_value,
    write_json,
)

__all__ = [
    "ContextError",
    "InputError",
    "Tool",
    "ToolError",
    "Tools",
    "Validator",
    "encoder_of",
    "to_json_value",
    "write_json",
]
