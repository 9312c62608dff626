"""Call tools of the package through its service, and answer as the route does (S2.38, S2.56)."""

from __future__ import annotations

from typing import Any, Protocol

from ._package import ContextError, InputError, ToolError

_STATUS = {"invalid_arguments": 400, "not_found": 404, "timeout": 504, "busy": 503}


class Caller(Protocol):
    """A `Service` of the package, or an `AsyncService`, of which ``call`` is awaited."""

    def call(self, name: str, arguments: Any = None, /) -> Any:
        """Call a tool; return its value as JSON."""
        ...


def invoked(service: Caller, name: str, arguments: Any) -> dict[str, Any]:
    """Return the answer of a call."""
    try:
        return _success(service.call(name, arguments))
    except (ContextError, InputError, ToolError) as error:
        return _failure(error)


async def invoked_async(service: Caller, name: str, arguments: Any) -> dict[str, Any]:
    """Return the answer of a call that is awaited."""
    try:
        return _success(await service.call(name, arguments))
    except (ContextError, InputError, ToolError) as error:
        return _failure(error)


def _success(value: Any) -> dict[str, Any]:
    return {"ok": True, "value": value}


def _failure(error: ContextError | InputError | ToolError) -> dict[str, Any]:
    match error:
        case InputError():
            code = "invalid_arguments"
        case ContextError():
            code = "context"
        case _:
            code = error.code
    told: dict[str, Any] = {"code": code, "message": str(error)}
    if code in _STATUS:
        told["status"] = _STATUS[code]
    return {"ok": False, "error": told}
