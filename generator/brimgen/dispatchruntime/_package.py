"""The bridge to the package's runtime: the names that the modules of dispatchers use."""

from __future__ import annotations

from brimgen.runtime._runtime.errors import MISSING
from brimgen.serviceruntime.async_service import AsyncService
from brimgen.serviceruntime.calls import UNSET
from brimgen.serviceruntime.core import Core
from brimgen.serviceruntime.outcome import Outcome
from brimgen.serviceruntime.service import Service

__all__ = ["MISSING", "UNSET", "AsyncService", "Core", "Outcome", "Service"]
