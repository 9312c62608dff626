"""Read hidden arguments, from the caller's context or the host program, and check them.

Of a context no attributes are used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MemberDescriptorType
from typing import Any, cast

from ..schema.errors import MISSING, steps
from ..schema.json_values import is_object
from ..schema.validator import Validator


class ContextError(LookupError):
    """A context or host program that does not give what a tool needs.

    ``path`` is the whole path (``app.user.id``) or the name of the argument that the host program
    gives, ``segment`` the part that failed. The value is never told.
    """

    def __init__(self, path: str, segment: str, message: str) -> None:
        super().__init__(path, segment, message)
        self.path = path
        self.segment = segment
        self.message = message

    def __str__(self) -> str:
        return self.message


def _member(value: object, segment: str) -> object:
    """Return what a mapping or a dataclass instance holds under a name, or `MISSING`.

    The type of the value decides: an instance can pretend to be of another class.
    """
    if segment.startswith("__"):
        return MISSING
    if issubclass(type(value), Mapping):
        mapping = cast("Mapping[str, object]", value)
        return type(mapping).get(mapping, segment, MISSING)
    for base in type(value).__mro__:
        fields = base.__dict__.get("__dataclass_fields__")
        if isinstance(fields, dict):
            field: object = cast("dict[str, object]", fields).get(segment)
            kind = getattr(field, "_field_type", None)
            return _stored(value, segment) if kind is _plain_field() else MISSING
    return MISSING


def _plain_field() -> object:
    """Return what `dataclasses` marks a field with that is neither ClassVar nor InitVar."""
    import dataclasses

    return getattr(dataclasses, "_FIELD", None)


def _stored(value: object, name: str) -> object:
    """Return what an instance stores under a name; a property in its place is not run."""
    from inspect import getattr_static

    stored: object = getattr_static(value, name, MISSING)
    if isinstance(stored, MemberDescriptorType):
        try:
            return stored.__get__(value)
        except AttributeError:
            return MISSING
    return MISSING if hasattr(type(stored), "__get__") else stored


def resolve_context(context: object, path: str, default: object = MISSING) -> Any:
    """Return the value at a dotted path, or ``default`` where a segment is missing.

    Walks mappings by key and dataclass instances by declared field, nothing else: no attributes,
    properties, methods, items of lists or names with two leading underscores. Raises ContextError.
    """
    value = context
    for segment in path.split("."):
        value = _member(value, segment)
        if value is MISSING:
            if default is not MISSING:
                return default
            raise ContextError(path, segment, f"context {path}: there is no {segment}")
    return value


def context_value(
    context: object,
    path: str,
    validator: Validator,
    default: object = MISSING,
    *,
    encode: Callable[[Any], Any] | None = None,
) -> Any:
    """Return the JSON value at a path, accepted by the schema of its hidden field.

    A default is returned as it is, unchecked. For ``encode`` and what is raised see `host_value`.
    """
    value = resolve_context(context, path, MISSING if default is MISSING else _UNSET)
    if value is _UNSET:
        return default
    return _accepted(value, "context", path, validator, encode)


def host_value(
    value: object,
    name: str,
    validator: Validator,
    default: object = MISSING,
    *,
    encode: Callable[[Any], Any] | None = None,
) -> Any:
    """Return the JSON value of an argument that the host program gives, accepted by its schema.

    A value that is no JSON (a date, a Decimal, an Enum, an object with ``to_dict``) is encoded
    first, by ``encode`` where its type says how, so the caller decodes what comes out as it decodes
    what a model sends. A default stands for None, and is returned unchecked. Raises ContextError,
    which does not tell the value.
    """
    if value is None and default is not MISSING:
        return default
    return _accepted(value, "argument", name, validator, encode)


def _accepted(
    value: object,
    source: str,
    path: str,
    validator: Validator,
    encode: Callable[[Any], Any] | None,
) -> Any:
    from ..records.encode import result_value

    segment = path.rpartition(".")[2]
    try:
        value = (encode or result_value)(value)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        raise ContextError(path, segment, f"{source} {path}: no JSON value") from None
    findings = validator.findings(value)
    if findings:
        route, _, expected, *_ = findings[0]
        where = path + _declared(steps(route), validator.schema)
        raise ContextError(path, segment, f"{source} {where}: expected {expected}")
    return value


def _declared(route: list[str | int], schema: Any) -> str:
    """Return steps, dotted, as far as the schema names them; callers choose the others."""
    dotted = ""
    definitions: Any = schema.get("$defs", {}) if is_object(schema) else {}
    for step in route:
        while is_object(schema) and "$ref" in schema:
            schema = definitions.get(schema["$ref"].removeprefix("#/$defs/"))
        if not is_object(schema):
            break
        properties = schema.get("properties")
        if isinstance(step, int) and is_object(schema.get("items")):
            schema = schema["items"]
        elif is_object(properties) and str(step) in properties:
            schema = properties[str(step)]
        else:
            break
        dotted += f".{step}"
    return dotted


_UNSET = object()
