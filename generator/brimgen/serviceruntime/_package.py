"""The bridge to the package's runtime: the names that the modules of a service use."""

from __future__ import annotations

from brimgen.runtime._runtime import Tool, Tools, write_json
from brimgen.runtime._runtime.calls import CURRENT, CallContext
from brimgen.runtime._runtime.context import ContextError
from brimgen.runtime._runtime.encode import to_json_value
from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.results import NotFound, ToolError
from brimgen.runtime._runtime.validator import Validator

__all__ = [
    "CURRENT",
    "CallContext",
    "ContextError",
    "InputError",
    "NotFound",
    "Tool",
    "ToolError",
    "Tools",
    "Validator",
    "to_json_value",
    "write_json",
]
