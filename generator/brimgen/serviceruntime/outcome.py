"""The outcome of a call: its value as JSON, or a typed error, and the text of both for a model."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, cast

from ._package import ContextError, InputError, ToolError, write_json
from .errors import Unfit

_INFINITE = float("inf")


class Outcome:
    """How a call ended.

    ``exact`` is the value as JSON, in which a number that no float holds exactly is a Decimal.
    ``error`` is None where there is a value. ``note`` is what a model is told besides the value.
    ``returns``: the tool has a value at all.
    """

    __slots__ = ("_text", "error", "exact", "note", "returns", "tool")

    def __init__(
        self,
        tool: str,
        exact: Any = None,
        *,
        error: InputError | ContextError | ToolError | None = None,
        text: str | None = None,
        note: str | None = None,
        returns: bool = True,
    ) -> None:
        self.tool = tool
        self.exact = exact
        self.error = error
        self.note = note
        self.returns = returns
        self._text = text

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

    @property
    def value(self) -> Any:
        """The value as `json.dumps` takes it: a number that no float holds is the nearest one."""
        return as_sent(self.exact)

    @property
    def text(self) -> str:
        """What a model is told: the value as JSON text, with every digit, or what went wrong."""
        if self._text is None:
            self._text = write_json(self.exact) if self.returns else "done"
            if self.note is not None:
                self._text += f"\n{self.note}"
        return self._text

    def __repr__(self) -> str:
        return f"<Outcome of {self.tool}: {self.code}>"


def as_sent(value: Any) -> Any:
    """Return a JSON value whose numbers are those that a reader of its text makes.

    Raises `Unfit` for a number beyond all floats.
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        whole = isinstance(exponent, int) and exponent == 0
        number = int(value) if whole else float(value)
        if number in (_INFINITE, -_INFINITE):
            raise Unfit("a number beyond what readers of JSON take")
        return number
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return {name: as_sent(each) for name, each in items}
    if isinstance(value, list | tuple):
        return [as_sent(each) for each in cast("list[Any]", value)]
    return value
