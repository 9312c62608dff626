"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from brimgen.runtime._runtime import parse_json, write_json
from brimgen.runtime._runtime.calls import (
    LEVELS,
    Attachment,
    CallContext,
    Caller,
    Level,
)
from brimgen.runtime._runtime.context import ContextError
from brimgen.runtime._runtime.encode import to_json_value
from brimgen.runtime._runtime.errors import InputError
from brimgen.runtime._runtime.results import ToolError
from brimgen.serviceruntime.async_service import AsyncService
from brimgen.serviceruntime.command import (
    Unusable,
    add_service_options,
    named_function,
    service_settings,
)
from brimgen.serviceruntime.errors import Unfit
from brimgen.serviceruntime.outcome import Outcome
from brimgen.serviceruntime.parts import Content
from brimgen.serviceruntime.workers import ENDS_OF_THREADS, Pool, guarded

__all__ = [
    "ENDS_OF_THREADS",
    "LEVELS",
    "AsyncService",
    "Attachment",
    "CallContext",
    "Caller",
    "Content",
    "ContextError",
    "InputError",
    "Level",
    "Outcome",
    "Pool",
    "ToolError",
    "Unfit",
    "Unusable",
    "add_service_options",
    "guarded",
    "named_function",
    "parse_json",
    "service_settings",
    "to_json_value",
    "write_json",
]
