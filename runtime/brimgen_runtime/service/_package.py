"""The bridge to the package's runtime: the names that the modules of a service use."""

from __future__ import annotations

from .._runtime import Tool, Tools, write_json
from .._runtime.calls import CURRENT, CallContext
from .._runtime.context import ContextError
from .._runtime.encode import to_json_value
from .._runtime.errors import InputError
from .._runtime.results import NotFound, ToolError
from .._runtime.validator import Validator

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
