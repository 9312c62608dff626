"""Keep values that are none of the choices, in what is read of the answers of a service."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_IS_LENIENT: ContextVar[bool] = ContextVar("is_lenient", default=False)


@contextmanager
def leniently() -> Generator[None, None, None]:
    """Keep values that are none of the choices, in what is decoded meanwhile."""
    token = _IS_LENIENT.set(True)
    try:
        yield
    finally:
        _IS_LENIENT.reset(token)


def is_lenient() -> bool:
    """Return whether values that are none of the choices are kept now."""
    return _IS_LENIENT.get()


class OpenChoices:
    """The base of enums in answers: a value that is new to them is a member without a name here.

    It is a member while answers are read leniently, and refused with ValueError otherwise.
    """

    @classmethod
    def _missing_(cls, value: Any) -> Any:
        if not is_lenient():
            return None
        member: Any
        if issubclass(cls, str):
            member = str.__new__(cls, value)
        elif issubclass(cls, int):
            member = int.__new__(cls, value)
        else:
            member = object.__new__(cls)
        member._name_, member._value_ = str(value), value
        return member
