"""What a handler raises to answer in words instead of a value."""

from __future__ import annotations

from typing import ClassVar


class ToolError(Exception):
    """What a handler raises to refuse a call in words that the caller is told.

    A service raises it for every call that gives no value: ``code`` says why (``timeout``,
    ``busy``, ``failed`` …). What a handler raises has ``refused``, unless it says another.
    ``retry_after`` are the seconds until a call that was too many may be repeated.
    """

    usual_code: ClassVar[str] = "refused"

    def __init__(self, *args: object, code: str | None = None) -> None:
        super().__init__(*args)
        self.code = code or self.usual_code
        self.retry_after: int | None = None


class NotFound(ToolError):
    """What a handler raises where nothing has the name, number or address it was asked for.

    An MCP server answers the read of a resource with the error *resource not found*.
    """

    usual_code: ClassVar[str] = "not_found"
