"""The bridge to the runtime: what the modules of a server use of the package they are in."""

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
