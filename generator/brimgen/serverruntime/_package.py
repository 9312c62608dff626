"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from brimgen.runtime._runtime import Tool, Tools, write_json
from brimgen.runtime._runtime.context import ContextError
from brimgen.runtime._runtime.encode import encoder_of, to_json_value
from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.results import ToolError
from brimgen.runtime._runtime.validator import Validator

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
