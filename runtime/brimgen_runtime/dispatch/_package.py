"""The bridge to the package's runtime: the names that the modules of dispatchers use."""

from __future__ import annotations

from .._runtime.errors import MISSING
from ..service.async_service import AsyncService
from ..service.calls import UNSET
from ..service.core import Core
from ..service.outcome import Outcome
from ..service.service import Service

__all__ = ["MISSING", "UNSET", "AsyncService", "Core", "Outcome", "Service"]
