"""The peers that make objects: each a function that takes a call, or raises.

What each of them is made to do, so that the comparison is fair:

- pydantic reads dicts into (pydantic) dataclasses with ``extra="forbid"`` and the same bounds;
  every scalar is strict. A dataclass itself cannot be strict, or it would take no dict, and
  neither can dates: in Python mode, strict would take no text. They are lax `date` and
  `AwareDatetime`, which read what we read and more.
- msgspec converts dicts to stdlib dataclasses, strict, with the same bounds; it has no way to
  refuse unknown keys of a dataclass, and drops them.
- cattrs structures attrs classes, unknown keys forbidden, types checked by strict hooks; bounds
  are attrs validators.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import attrs
import cattrs
import msgspec
import pydantic
from cattrs.gen import make_dict_structure_fn

Run = Callable[[Any], object]
STATUS = Literal["open", "shipped", "cancelled"]

_CLOSED = pydantic.ConfigDict(extra="forbid")
_OPEN = pydantic.ConfigDict(extra="allow")
_pydantic = pydantic.dataclasses.dataclass(config=_CLOSED)
_Strict = pydantic.Strict()


def _number(kind: Any, **bounds: Any) -> Any:
    return Annotated[kind, _Strict, pydantic.Field(**bounds)]


def _text(least: int | None = None, most: int | None = None) -> Any:
    return Annotated[str, _Strict, pydantic.Field(min_length=least, max_length=most)]


@_pydantic
class _Flat:
    customer_id: _number(int, ge=1)
    title: _text(1, 80)
    ratio: _number(float, ge=0, le=1)
    status: STATUS
    limit: _number(int, ge=1, le=100) = 10


@_pydantic
class _Dates:
    first: dt.date
    last: dt.date
    opened: pydantic.AwareDatetime
    closed: pydantic.AwareDatetime


@_pydantic
class _Customer:
    name: _text(1, 80)
    email: _text(None, 120)
    age: _number(int, ge=0, le=150)


@_pydantic
class _Place:
    street: _text(None, 120)
    city: _text()
    latitude: _number(float, ge=-90, le=90)
    longitude: _number(float, ge=-180, le=180)


@_pydantic
class _Line:
    sku: _text(1, 20)
    quantity: _number(int, ge=1, le=99)
    price: _number(float, ge=0)
    gift: Annotated[bool, _Strict]


@_pydantic
class _Nested:
    customer: _Customer
    place: _Place
    line: _Line


@pydantic.dataclasses.dataclass(config=_OPEN)
class _OpenCustomer:
    name: _text(1, 80)
    age: _number(int, ge=0, le=150)


@pydantic.dataclasses.dataclass(config=_OPEN)
class _OpenLine:
    sku: _text(1, 20)
    quantity: _number(int, ge=1, le=99)


@pydantic.dataclasses.dataclass(config=_OPEN)
class _NestedOpen:
    customer: _OpenCustomer
    line: _OpenLine


@_pydantic
class _Many:
    lines: list[_Line]


_PYDANTIC = {
    "flat": _Flat,
    "dates": _Dates,
    "nested": _Nested,
    "nested_open": _NestedOpen,
    "many": _Many,
}


def pydantic_run(name: str) -> Run:
    """``TypeAdapter.validate_python`` into a dataclass."""
    return pydantic.TypeAdapter(_PYDANTIC[name]).validate_python


def pydantic_text_run(name: str) -> Run:
    """``TypeAdapter.validate_json`` into a dataclass."""
    return pydantic.TypeAdapter(_PYDANTIC[name]).validate_json


Meta = msgspec.Meta


@dataclass
class _MsgFlat:
    customer_id: Annotated[int, Meta(ge=1)]
    title: Annotated[str, Meta(min_length=1, max_length=80)]
    ratio: Annotated[float, Meta(ge=0, le=1)]
    status: STATUS
    limit: Annotated[int, Meta(ge=1, le=100)] = 10


@dataclass
class _MsgDates:
    first: dt.date
    last: dt.date
    opened: Annotated[dt.datetime, Meta(tz=True)]
    closed: Annotated[dt.datetime, Meta(tz=True)]


@dataclass
class _MsgCustomer:
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    email: Annotated[str, Meta(max_length=120)]
    age: Annotated[int, Meta(ge=0, le=150)]


@dataclass
class _MsgPlace:
    street: Annotated[str, Meta(max_length=120)]
    city: str
    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]


@dataclass
class _MsgLine:
    sku: Annotated[str, Meta(min_length=1, max_length=20)]
    quantity: Annotated[int, Meta(ge=1, le=99)]
    price: Annotated[float, Meta(ge=0)]
    gift: bool


@dataclass
class _MsgNested:
    customer: _MsgCustomer
    place: _MsgPlace
    line: _MsgLine


@dataclass
class _MsgOpenCustomer:
    name: Annotated[str, Meta(min_length=1, max_length=80)]
    age: Annotated[int, Meta(ge=0, le=150)]


@dataclass
class _MsgOpenLine:
    sku: Annotated[str, Meta(min_length=1, max_length=20)]
    quantity: Annotated[int, Meta(ge=1, le=99)]


@dataclass
class _MsgNestedOpen:
    customer: _MsgOpenCustomer
    line: _MsgOpenLine


@dataclass
class _MsgMany:
    lines: list[_MsgLine]


_MSGSPEC: dict[str, Any] = {
    "flat": _MsgFlat,
    "dates": _MsgDates,
    "nested": _MsgNested,
    "nested_open": _MsgNestedOpen,
    "many": _MsgMany,
}


def msgspec_run(name: str) -> Run:
    """``msgspec.convert`` into a dataclass."""
    kind = _MSGSPEC[name]
    return lambda call: msgspec.convert(call, kind)


def msgspec_text_run(name: str) -> Run:
    """``msgspec.json.decode`` into a dataclass."""
    return msgspec.json.Decoder(_MSGSPEC[name]).decode


_between = attrs.validators.and_


def _range(least: float, most: float | None = None) -> Any:
    low = attrs.validators.ge(least)
    return low if most is None else _between(low, attrs.validators.le(most))


def _length(least: int, most: int) -> Any:
    checks = attrs.validators.min_len(least), attrs.validators.max_len(most)
    return checks[1] if least == 0 else _between(*checks)


def _field(check: Any) -> Any:
    return attrs.field(validator=check)


@attrs.define
class _AttrsFlat:
    customer_id: int = _field(_range(1))
    title: str = _field(_length(1, 80))
    ratio: float = _field(_range(0, 1))
    status: STATUS
    limit: int = attrs.field(default=10, validator=_range(1, 100))


@attrs.define
class _AttrsDates:
    first: dt.date
    last: dt.date
    opened: dt.datetime
    closed: dt.datetime


@attrs.define
class _AttrsCustomer:
    name: str = _field(_length(1, 80))
    email: str = _field(_length(0, 120))
    age: int = _field(_range(0, 150))


@attrs.define
class _AttrsPlace:
    street: str = _field(_length(0, 120))
    city: str
    latitude: float = _field(_range(-90, 90))
    longitude: float = _field(_range(-180, 180))


@attrs.define
class _AttrsLine:
    sku: str = _field(_length(1, 20))
    quantity: int = _field(_range(1, 99))
    price: float = _field(_range(0))
    gift: bool


@attrs.define
class _AttrsNested:
    customer: _AttrsCustomer
    place: _AttrsPlace
    line: _AttrsLine


@attrs.define
class _AttrsOpenCustomer:
    name: str = _field(_length(1, 80))
    age: int = _field(_range(0, 150))


@attrs.define
class _AttrsOpenLine:
    sku: str = _field(_length(1, 20))
    quantity: int = _field(_range(1, 99))


@attrs.define
class _AttrsNestedOpen:
    customer: _AttrsOpenCustomer
    line: _AttrsOpenLine


@attrs.define
class _AttrsMany:
    lines: list[_AttrsLine]


_ATTRS: dict[str, Any] = {
    "flat": _AttrsFlat,
    "dates": _AttrsDates,
    "nested": _AttrsNested,
    "nested_open": _AttrsNestedOpen,
    "many": _AttrsMany,
}


def _strict_hook(value: Any, kind: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"no {kind.__name__}")
    return value


def _aware(value: str, _: Any) -> dt.datetime:
    moment = dt.datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError("no offset")
    return moment


def cattrs_run(name: str) -> Run:
    """``Converter.structure`` into an attrs class."""
    closed = name != "nested_open"
    converter = cattrs.Converter(forbid_extra_keys=closed)
    for scalar in (int, str, float, bool):
        converter.register_structure_hook(scalar, _strict_hook)
    converter.register_structure_hook(dt.date, lambda v, _: dt.date.fromisoformat(v))
    converter.register_structure_hook(dt.datetime, _aware)
    nested = (
        _AttrsCustomer,
        _AttrsPlace,
        _AttrsLine,
        _AttrsOpenCustomer,
        _AttrsOpenLine,
    )
    for kind in (*nested, _ATTRS[name]):
        hook = make_dict_structure_fn(kind, converter, _cattrs_forbid_extra_keys=closed)
        converter.register_structure_hook(kind, hook)
    return lambda call: converter.structure(call, _ATTRS[name])
