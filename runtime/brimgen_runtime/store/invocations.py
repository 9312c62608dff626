"""Call tools of the package through its service."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from typing import Any, Protocol, cast

from .errors import StoreError

_NOT_RUN = frozenset(
    {
        *("invalid_arguments", "unknown_tool", "unavailable", "busy"),
        *("context", "not_configured", "host_not_allowed"),
    }
)
"""The codes of calls that are refused before their tool runs."""
_NO_SERVICE = "the store was opened without a service"


class _Answer(Protocol):
    def to_dict(self) -> dict[str, Any]:
        """Return ``{ok, value}`` or ``{ok, error}``."""
        ...


class Caller(Protocol):
    """A `Service` of the package."""

    def outcome(self, name: str, arguments: Any = None, /) -> _Answer:
        """Call a tool; return its outcome."""
        ...


class AsyncCaller(Protocol):
    """An `AsyncService` of the package."""

    def outcome(self, name: str, arguments: Any = None, /) -> Awaitable[_Answer]:
        """Call a tool; return its outcome, to be awaited."""
        ...


def call_service(
    service: Caller | AsyncCaller | None, name: str, arguments: Any
) -> dict[str, Any]:
    """Call a tool; return its outcome as JSON.

    Raises StoreError without a service, and for an `AsyncService`.
    """
    if service is None:
        raise StoreError("unavailable", _NO_SERVICE)
    if inspect.iscoroutinefunction(service.outcome):
        raise StoreError("unavailable", "an AsyncService is called with invoke_async")
    return cast(Caller, service).outcome(name, arguments).to_dict()


async def call_async_service(
    service: Caller | AsyncCaller | None, name: str, arguments: Any
) -> dict[str, Any]:
    """Call a tool as `call_service` does, and await it. Raises StoreError for a `Service`."""
    if service is None:
        raise StoreError("unavailable", _NO_SERVICE)
    if not inspect.iscoroutinefunction(service.outcome):
        raise StoreError("unavailable", "a Service is called with invoke")
    return (await cast(AsyncCaller, service).outcome(name, arguments)).to_dict()


def has_run(answer: dict[str, Any]) -> bool:
    """Return whether the tool of an answer ran, rather than that its call was refused."""
    return answer["ok"] or answer["error"]["code"] not in _NOT_RUN
