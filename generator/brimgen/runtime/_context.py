"""Hidden arguments: the caller's context in, checked values out; never through attributes."""

from __future__ import annotations

from typing import Any, Final

from ._schema import Validator


class Missing:
    """The type of `MISSING`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""Says that a value was not given, where None would be a value."""


class ContextError(LookupError):
    """A context that does not give what a tool needs.

    ``path`` is the whole path (``app.user.id``), ``segment`` the part that failed. The value is
    never told.
    """

    def __init__(self, path: str, segment: str, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.segment = segment


def resolve_context(context: object, path: str, default: object = MISSING) -> Any:
    """Return the value at a dotted path, or ``default`` where a segment is missing.

    Walks mappings by key and dataclass instances by declared field, nothing else: no attributes,
    properties, methods, items of lists or names with two leading underscores. Raises ContextError.
    """
    raise NotImplementedError


def context_value(
    context: object, path: str, validator: Validator, default: object = MISSING
) -> Any:
    """Return the JSON value at a path, accepted by the schema of its hidden field.

    A value that is no JSON (a date, a Decimal, an Enum, a UUID, an object with ``to_dict``) is
    encoded first, so the caller decodes what comes out as it decodes what a model sends. A default
    is returned as it is, unchecked. Raises ContextError, which does not tell the value.
    """
    raise NotImplementedError
