"""Hidden arguments: the caller's context in, checked values out; never through attributes."""

from __future__ import annotations

from typing import Any

from .errors import MISSING
from .kinds import is_object
from .schema import Validator


class ContextError(LookupError):
    """A context that does not give what a tool needs.

    ``path`` is the whole path (``app.user.id``), ``segment`` the part that failed. The value is
    never told.
    """

    def __init__(self, path: str, segment: str, message: str) -> None:
        super().__init__(path, segment, message)
        self.path = path
        self.segment = segment
        self.message = message

    def __str__(self) -> str:
        return self.message


def _inside(value: object, segment: str) -> object:
    """Return what a mapping or a dataclass instance holds under a name, or `MISSING`."""
    if segment.startswith("__"):
        return MISSING
    if is_object(value):
        return value.get(segment, MISSING)
    fields = getattr(type(value), "__dataclass_fields__", {})
    field = fields.get(segment)
    if field is None or getattr(field, "_field_type", None) is not _plain_field():
        return MISSING
    try:
        return object.__getattribute__(value, segment)
    except AttributeError:
        return MISSING


def _plain_field() -> object:
    """Return what `dataclasses` marks a field with that is neither ClassVar nor InitVar."""
    import dataclasses

    return getattr(dataclasses, "_FIELD", None)


def resolve_context(context: object, path: str, default: object = MISSING) -> Any:
    """Return the value at a dotted path, or ``default`` where a segment is missing.

    Walks mappings by key and dataclass instances by declared field, nothing else: no attributes,
    properties, methods, items of lists or names with two leading underscores. Raises ContextError.
    """
    value = context
    for segment in path.split("."):
        value = _inside(value, segment)
        if value is MISSING:
            if default is not MISSING:
                return default
            raise ContextError(
                path, segment, f"context {path}: {segment} is missing there"
            )
    return value


def context_value(
    context: object, path: str, validator: Validator, default: object = MISSING
) -> Any:
    """Return the JSON value at a path, accepted by the schema of its hidden field.

    A value that is no JSON (a date, a Decimal, an Enum, a UUID, an object with ``to_dict``) is
    encoded first, so the caller decodes what comes out as it decodes what a model sends. A default
    is returned as it is, unchecked. Raises ContextError, which does not tell the value.
    """
    from .values import to_json_value

    value = resolve_context(context, path, MISSING if default is MISSING else _UNSET)
    if value is _UNSET:
        return default
    segment = path.rpartition(".")[2]
    try:
        value = to_json_value(value)
    except (ValueError, RecursionError):
        raise ContextError(path, segment, f"context {path}: no JSON value") from None
    found = validator.violations(value)
    if found:
        first = found[0]
        where = path + first.pointer.replace("/", ".")
        words = f"context {where}: expected {first.expected}"
        raise ContextError(path, segment, words)
    return value


_UNSET = object()
