"""The bridge to the package's runtime: the names that the modules of a server use."""

from __future__ import annotations

from brimgen.runtime._runtime import write_json
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
from brimgen.runtime._runtime.threads import in_thread
from brimgen.serviceruntime.async_service import AsyncService
from brimgen.serviceruntime.command import (
    Unusable,
    connection_targets,
    json_file,
    named_handlers,
)
from brimgen.serviceruntime.core import Http
from brimgen.serviceruntime.errors import Unfit
from brimgen.serviceruntime.outcome import Outcome, as_sent
from brimgen.serviceruntime.parts import Content
from brimgen.serviceruntime.plan import Plan

__all__ = [
    "LEVELS",
    "AsyncService",
    "Attachment",
    "CallContext",
    "Caller",
    "Content",
    "ContextError",
    "Http",
    "InputError",
    "Level",
    "Outcome",
    "Plan",
    "ToolError",
    "Unfit",
    "Unusable",
    "as_sent",
    "connection_targets",
    "in_thread",
    "json_file",
    "named_handlers",
    "to_json_value",
    "write_json",
]
