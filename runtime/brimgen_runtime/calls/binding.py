"""Join what a caller sends with the arguments that are hidden from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar, get_args, get_origin

from ..records.encode import (
    digits,
    instances,
    listed,
    mapped,
    maybe,
    record,
    result_value,
    to_json_value,
)
from ..records.json_object import JsonEntity, JsonObject, check_call
from ..records.record import (
    LeafClass,
    Member,
    alternatives_of,
    decoder_of,
    is_class,
    record_of,
)
from ..schema.errors import MISSING
from ..schema.validator import Validator
from .context import context_value, host_value

_Bound = TypeVar("_Bound", bound=JsonObject)
_Convert: TypeAlias = Callable[[Any], Any]


def _program_encoder(
    hint: Any, options: Mapping[str, Any], *, reads_json: bool
) -> _Convert:
    """Return what makes JSON of a value that a program gives, or of its JSON.

    ``reads_json``: what is both is JSON, as values of a context are.
    """
    make = partial(_program_encoder, options=options, reads_json=reads_json)
    kinds, may_be_none = alternatives_of(hint)
    if len(kinds) > 1:
        return result_value
    kind = kinds[0]
    origin, arguments = get_origin(kind), get_args(kind)
    inner: _Convert = result_value
    if origin is list:
        item = make(arguments[0])
        inner = inner if item is result_value else listed(item)
    elif origin is dict:
        value = make(arguments[1])
        inner = inner if value is result_value else mapped(value)
    elif kind is bytes:
        inner = to_json_value
    elif kind is Decimal and options.get("digits"):
        inner = digits
    elif is_class(kind, LeafClass):
        if not (reads_json and kind.functions.is_builtin):
            inner = instances(kind.module, kind.__name__, kind.functions.dump)
    elif is_class(kind, JsonObject) and not issubclass(kind, JsonEntity):
        inner = record(
            {
                each.wire: _program_encoder(
                    each.hint, each.options, reads_json=reads_json
                )
                for each in record_of(kind).members
            }
        )
    return maybe(inner) if may_be_none and inner is not result_value else inner


class _Hidden(NamedTuple):
    member: Member
    validator: Validator
    encode: _Convert | None
    decode: _Convert | None


_HIDDEN: dict[type, dict[str, _Hidden]] = {}


def _hidden_of(cls: type[JsonObject]) -> dict[str, _Hidden]:
    """Return the hidden arguments of a class that a handler receives."""
    source = cls.__source__
    schema: Any = source.schema
    parts = {key: schema[key] for key in ("$schema", "$defs") if key in schema}
    hidden: dict[str, _Hidden] = {}
    for member in record_of(cls).members:
        from_context = "context" in member.options
        if from_context or "host" in member.options:
            encode = _program_encoder(
                member.hint, member.options, reads_json=from_context
            )
            validator = Validator(
                {**schema["properties"][member.wire], **parts},
                tool=source.name,
                leaves=source.leaves,
            )
            decode = decoder_of(member.hint, member.options)
            usual = None if encode is result_value else encode
            hidden[member.name] = _Hidden(member, validator, usual, decode)
    return hidden


_UNSET = object()


def bind_call(
    cls: type[_Bound],
    kind: type[object],
    call: object,
    context: object,
    given: Mapping[str, object] = MappingProxyType({}),
) -> _Bound:
    """Join a call of the class ``kind`` with its context and what the host program gives.

    ``given`` are the values of the host program by their attributes. Returns an object of the
    class ``cls``. Raises ContextError, and TypeError for another class.
    """
    check_call(call, kind)
    made = object.__new__(cls)
    record = record_of(cls)
    hidden = _HIDDEN.get(cls)
    if hidden is None:
        hidden = _HIDDEN[cls] = _hidden_of(cls)
    for member in record.members:
        each = hidden.get(member.name)
        value = (
            getattr(call, member.name)
            if each is None
            else _found(each, context, given.get(member.name))
        )
        setattr(made, member.name, value)
    for name in filter(None, (record.extra, record.nulls, record.absent)):
        setattr(made, name, getattr(call, name))
    return made


def _found(each: _Hidden, context: object, given: object) -> Any:
    member = each.member
    if "context" in member.options:
        default = MISSING if member.is_required else _UNSET
        raw = context_value(
            context,
            member.options["context"],
            each.validator,
            default,
            encode=each.encode,
        )
    else:
        is_constant = member.default is not None and member.factory is None
        default = MISSING if is_constant else _UNSET
        raw = host_value(
            given, member.wire, each.validator, default, encode=each.encode
        )
    if raw is _UNSET:
        return member.absent()
    return raw if each.decode is None else each.decode(raw)
