"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from .._runtime import parse_json, write_json
from .._runtime.calls import (
    LEVELS,
    Attachment,
    CallContext,
    Caller,
    Level,
)
from .._runtime.context import ContextError
from .._runtime.encode import to_json_value
from .._runtime.errors import InputError
from .._runtime.results import ToolError
from ..service.async_service import AsyncService
from ..service.command import (
    Unusable,
    add_service_options,
    named_function,
    service_settings,
)
from ..service.errors import Unfit
from ..service.outcome import Outcome
from ..service.parts import Content
from ..service.workers import ENDS_OF_THREADS, Pool, guarded

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
