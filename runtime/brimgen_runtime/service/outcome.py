"""The outcome of a call: its value as JSON, or a typed error, and the text of both for a model."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from json import JSONEncoder
from typing import Any, cast

from ..calls.context import ContextError
from ..calls.results import ToolError
from ..schema.errors import InputError, as_json
from ..schema.json_text import write_json
from ..schema.json_values import escaped
from .errors import Unfit

_STATUS = {
    "invalid_arguments": 400,
    "unknown_tool": 404,
    "not_found": 404,
    "refused": 422,
    "request_too_large": 413,
    "declined": 403,
    "unconfirmed": 403,
    "context": 500,
    "failed": 500,
    "unknown_outcome": 500,
    "busy": 503,
    "unavailable": 503,
    "timeout": 504,
}
"""The HTTP status of each code; all other codes have 502."""
DIGITS = 4300
"""The longest integer that Python converts to text by default, in digits."""
_INFINITE = float("inf")
_MOST = 10**15
_LEAST = -_MOST
"""Integers between these take the short way."""
_ENCODE = JSONEncoder(ensure_ascii=False, allow_nan=False).encode


class Outcome:
    """How a call ended.

    ``value`` is JSON for `json.dumps`: a decimal is the nearest float. ``json`` is its text with
    every digit, ``python`` what the tool gave: a decoded row, what a handler returned. ``text`` is
    for the model: the value, or what went wrong. ``error`` is None if the call succeeded; ``note``
    is a remark that follows the value.
    """

    __slots__ = ("error", "json", "note", "python", "text", "tool", "value")

    def __init__(
        self,
        tool: str,
        value: Any = None,
        json: str = "",
        *,
        error: InputError | ContextError | ToolError | None = None,
        text: str = "",
        note: str | None = None,
        python: Any = None,
    ) -> None:
        self.tool = tool
        self.value = value
        self.json = json
        self.text = text or (json if note is None else f"{json}\n{note}")
        self.error = error
        self.note = note
        self.python = python

    @classmethod
    def of(cls, tool: str, value: Any, note: str | None = None) -> Outcome:
        """Return the outcome of a call with a value: JSON, in which numbers may be Decimals.

        Raises Unfit for a value that JSON cannot represent.
        """
        json, sent = sent_value(value)
        return cls(tool, sent, json, note=note)

    @property
    def returns(self) -> bool:
        """Whether there is a value, which may be null."""
        return self.json != ""

    @property
    def is_error(self) -> bool:
        """Whether there is no value."""
        return self.error is not None

    @property
    def code(self) -> str:
        """``ok``, or why there is no value: ``invalid_arguments``, ``timeout``, ``failed`` …"""
        match self.error:
            case None:
                return "ok"
            case InputError():
                return "invalid_arguments"
            case ContextError():
                return "context"
            case error:
                return error.code

    def result(self) -> Any:
        """Return the value; raise the error where there is none."""
        if self.error is not None:
            raise self.error
        return self.value

    @property
    def status(self) -> int:
        """The matching HTTP status: 400 for arguments that were refused."""
        return 200 if self.error is None else _STATUS.get(self.code, 502)

    def to_dict(self) -> dict[str, Any]:
        """Return ``{"ok": true, "value": …}``, or ``{"ok": false, "error": {…}}``, which says after
        how many seconds to ``retry_after`` where a limit refused the call.
        """
        if self.error is None:
            return {"ok": True, "value": self.value}
        error: dict[str, Any] = {
            "code": self.code,
            "message": self.text,
            "status": self.status,
        }
        wait = getattr(self.error, "retry_after", None)
        if wait is not None:
            error["retry_after"] = wait
        if isinstance(self.error, InputError):
            error["violations"] = as_json(self.error.violations)
        return {"ok": False, "error": error}

    def __repr__(self) -> str:
        return f"<Outcome of {self.tool}: {self.code}>"


def sent_value(value: Any) -> tuple[str, Any]:
    """Return a JSON value as text, with every digit, and as `json.dumps` takes it.

    Raises Unfit for what is no JSON: NaN, or a number that is too long to write.
    """
    if value.__class__ is int and _LEAST < value < _MOST:
        return str(value), value
    try:
        try:
            text = _ENCODE(value)
        except TypeError:  # it holds Decimals, which only `write_json` writes
            return write_json(value), _as_read(value)
        return escaped(text), value
    except (ValueError, RecursionError) as problem:
        raise Unfit(f"no JSON value: {problem}") from problem


def _as_read(value: Any) -> Any:
    """Return a JSON value with the numbers that a reader of its text gets."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        whole = isinstance(exponent, int) and exponent == 0
        if whole and value.adjusted() >= DIGITS:
            raise Unfit("a number too long to be written")
        number = int(value) if whole else float(value)
        if number in (_INFINITE, -_INFINITE):
            raise Unfit("a number beyond what readers of JSON take")
        return number
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {name: _as_read(member) for name, member in items}
    if isinstance(value, list | tuple):
        return [_as_read(item) for item in cast("list[Any]", value)]
    return value
