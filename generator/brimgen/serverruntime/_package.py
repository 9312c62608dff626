"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from brimgen.runtime._runtime import Tool, Tools, write_json
from brimgen.runtime._runtime.calls import (
    LEVELS,
    Attachment,
    CallContext,
    Caller,
    Level,
    running,
)
from brimgen.runtime._runtime.context import ContextError
from brimgen.runtime._runtime.encode import encoder_of, to_json_value
from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.results import NotFound, ToolError
from brimgen.runtime._runtime.threads import in_thread
from brimgen.runtime._runtime.validator import Validator

__all__ = [
    "LEVELS",
    "Attachment",
    "CallContext",
    "Caller",
    "ContextError",
    "InputError",
    "Level",
    "NotFound",
    "Tool",
    "ToolError",
    "Tools",
    "Validator",
    "encoder_of",
    "in_thread",
    "running",
    "to_json_value",
    "write_json",
]
