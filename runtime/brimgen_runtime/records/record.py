"""Decode and encode the objects of generated classes.

A class says what its values become: by its annotations, its defaults, and the metadata of its
fields (``name``, where the property is called otherwise; ``assume_utc``, ``digits`` and
``choices`` of its values; ``context`` and ``host``, where a value comes from; ``role``, of an
attribute that is no property). Of both the class and its schema, `reader` writes the function that
decodes the common spelling, as `dataclasses` does: when the class is first used, once. Its text is
structure. What a spec says is bound to names in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING as NONE_SET
from dataclasses import fields
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from functools import partial
from math import inf
from types import ModuleType, NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeGuard,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ..schema.choices import to_choice
from ..schema.decode import left_out, to_decimal, to_float, to_plain, to_whole
from ..schema.errors import MISSING
from ..schema.formats import to_uuid
from ..schema.json_values import to_int
from ..schema.times import to_date, to_datetime
from .encode import to_json_value
from .json_object import JsonObject
from .spans import to_bytes, to_duration, to_time

Convert: TypeAlias = Callable[[Any], Any]
_Class = TypeVar("_Class")

_DECODERS: Mapping[Any, Convert] = {
    Any: to_plain,
    Decimal: to_decimal,
    bytes: to_bytes,
    date: to_date,
    datetime: to_datetime,
    float: to_float,
    int: to_int,
    time: to_time,
    timedelta: to_duration,
}
_KEPT = frozenset({bool, float, int, str})
"""What is JSON as it is."""


class Leaf(NamedTuple):
    """The functions of a leaf of the project; ``is_builtin``: its class is one of Python's own."""

    parse: Convert
    dump: Convert
    is_builtin: bool


class Member(NamedTuple):
    """A property: its name in JSON and in the class, the type of its values, and its default.

    ``default`` is `MISSING` where it is required, and ``factory`` makes one that can be changed.
    """

    wire: str
    name: str
    hint: Any
    default: Any
    factory: Callable[[], Any] | None
    options: Mapping[str, Any]

    @property
    def is_required(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING and self.factory is None

    def absent(self) -> Any:
        """Return what stands for a property that is not there."""
        return self.default if self.factory is None else self.factory()


class Record:
    """What a class says of its objects.

    ``extra``, ``nulls`` and ``absent`` are the attributes of these roles, "" where there is none;
    ``further`` decodes the values of ``extra``.
    """

    def __init__(self, cls: type[Any]) -> None:
        self.cls = cls
        self.leaves = _leaves_of(cls)
        hints = get_type_hints(cls, localns=_leaf_names(self.leaves))
        self.members: list[Member] = []
        self.extra = self.nulls = self.absent = ""
        self.further: Convert | None = None
        for field in fields(cls):
            match field.metadata.get("role"):
                case "extra":
                    self.extra = field.name
                    self.further = decoder_of(get_args(hints[field.name])[1], {})
                case "nulls":
                    self.nulls = field.name
                case "absent":
                    self.absent = field.name
                case _:
                    self.members.append(_member(field, hints[field.name]))
        self.wires = frozenset(member.wire for member in self.members)
        self.nullable = [each.wire for each in self.members if each.default is None]
        self.defaults = [
            each.wire
            for each in self.members
            if not each.is_required and each.default is not None
        ]
        self._decoders = [(m, decoder_of(m.hint, m.options)) for m in self.members]
        self.encode: Convert = _encoder(self)

    def decode_member(self, name: str, value: Any) -> Any:
        """Return the value of an attribute of accepted JSON."""
        for member, convert in self._decoders:
            if member.name == name and convert is not None:
                return convert(value)
        return value

    def decode(self, raw: Mapping[str, Any]) -> Any:
        """Return the object of JSON that the schema of the class has accepted."""
        made: Any = object.__new__(self.cls)
        for member, convert in self._decoders:
            if member.wire in raw:
                value = raw[member.wire]
                setattr(made, member.name, value if convert is None else convert(value))
            else:
                setattr(made, member.name, member.absent())
        if self.extra:
            further = self.further or _same
            rest = {key: further(raw[key]) for key in raw if key not in self.wires}
            setattr(made, self.extra, rest)
        if self.nulls:
            given = [name for name in self.nullable if name in raw]
            nulls = tuple([name for name in given if raw[name] is None])
            setattr(made, self.nulls, nulls)
        if self.absent:
            setattr(made, self.absent, left_out(raw, self.defaults))
        return made


_RECORDS: dict[type, Record] = {}


def record_of(cls: type[Any]) -> Record:
    """Return what a class says of its objects, found once."""
    found = _RECORDS.get(cls)
    if found is None:
        found = _RECORDS[cls] = Record(cls)
    return found


def _member(field: Any, hint: Any) -> Member:
    is_set = field.default is not NONE_SET
    return Member(
        field.metadata.get("name", field.name),
        field.name,
        hint,
        field.default if is_set else MISSING,
        None if field.default_factory is NONE_SET else field.default_factory,
        field.metadata,
    )


def _same(value: Any) -> Any:
    return value


def _leaves_of(cls: type[Any]) -> ModuleType | None:
    import sys

    for base in cls.__mro__:
        module = sys.modules.get(base.__module__)
        leaves: ModuleType | None = getattr(module, "_leaves", None)
        if leaves is not None:
            return leaves
    return None


def _leaf_names(leaves: ModuleType | None) -> dict[str, Any]:
    return {} if leaves is None else {"_leaves": _LeafNames(leaves)}


def names_in(module: ModuleType) -> dict[str, Any]:
    """Return what annotations in a module name and must not import."""
    return _leaf_names(getattr(module, "_leaves", None))


class LeafClass:
    """Stands for the class of a leaf in annotations, which is imported when it is needed."""

    module: ModuleType
    functions: Leaf


class _LeafNames:
    """What ``_leaves`` means in the annotations of a class."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> type[LeafClass]:
        functions = self._module.LEAVES[name]
        members = {"module": self._module, "functions": functions}
        return type(name, (LeafClass,), members)


def alternatives_of(hint: Any) -> tuple[list[Any], bool]:
    """Return the alternatives of a type without None, and whether None is one."""
    if get_origin(hint) not in (Union, UnionType):
        return [hint], False
    every = get_args(hint)
    options = [each for each in every if each is not NoneType]
    return options, len(options) < len(every)


def is_uuid_class(hint: Any) -> bool:
    """Return whether a type is `uuid.UUID`, whose module takes long to load."""
    return getattr(hint, "__module__", "") == "uuid"


def is_class(hint: Any, base: type[_Class]) -> TypeGuard[type[_Class]]:
    """Return whether a type is a class below ``base``."""
    return isinstance(hint, type) and issubclass(hint, base)


def decoder_of(hint: Any, options: Mapping[str, Any]) -> Convert | None:
    """Return what makes the value of accepted JSON; None where JSON is the value."""
    kinds, may_be_none = alternatives_of(hint)
    if len(kinds) > 1:
        return decoder_of_union(kinds)
    inner = _decoder(kinds[0], options)
    if inner is None or not may_be_none:
        return inner
    return lambda value: None if value is None else inner(value)


def decoder_of_union(kinds: Iterable[Any]) -> Convert | None:
    """Return what makes the value of one of several types; None where JSON is the value."""
    names: set[Any] = set()
    for kind in kinds:
        is_literal = get_origin(kind) is Literal
        names |= {*map(type, get_args(kind))} if is_literal else {kind}
    if not names.isdisjoint((float, Decimal)):
        return to_plain
    return to_whole if int in names else None


def _decoder(hint: Any, options: Mapping[str, Any]) -> Convert | None:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is list:
        item = decoder_of(arguments[0], options)
        return list if item is None else lambda items: [item(each) for each in items]
    if origin is dict:
        value = decoder_of(arguments[1], options)
        if value is None:
            return dict
        return lambda items: {name: value(each) for name, each in items.items()}
    if origin is Literal:
        if {*map(type, arguments)} <= {str, bool}:
            return None
        return partial(to_choice, choices=arguments)
    if hint is str or hint is bool:
        return None
    if "choices" in options and hint in (Any, float, int):
        return partial(to_choice, choices=options["choices"])
    if hint is datetime and options.get("assume_utc"):
        return partial(to_datetime, assume_utc=True)
    if is_uuid_class(hint):
        return to_uuid
    if hint in _DECODERS:
        return _DECODERS[hint]
    if is_class(hint, LeafClass):
        parse: Convert = hint.functions.parse
        return parse
    if issubclass(hint, Enum):
        member: Convert = hint
        return member
    return lambda value: record_of(hint).decode(value)


def bind_name(names: dict[str, Any], value: object) -> str:
    """Return the name that a value is bound to in the text of a function."""
    name = f"c{len(names)}"
    names[name] = value
    return name


_BASE: Mapping[str, Any] = {
    "BOOL": bool,
    "DICT": dict,
    "FLOAT": float,
    "INF": inf,
    "INT": int,
    "LIST": list,
    "LOWEST": -inf,
    "NEW": object.__new__,
    "STR": str,
}
"""What the text of each function names besides what is bound for it."""


def compiled(argument: str, lines: Iterable[str], names: dict[str, Any]) -> Convert:
    """Return the function of one ``argument`` whose body is ``lines``.

    What `bind_name` bound are its locals, which are the fastest to read: defaults of further
    arguments. A name that is bound to None until later is read from ``names``, its globals.
    """
    own = [f"{name}={name}" for name, value in names.items() if value is not None]
    head = f"def made({', '.join([argument, *own])}):"
    names |= _BASE
    exec(compile("\n".join([head, *lines]), "<record>", "exec"), names)
    made: Convert = names["made"]
    return made


def _encoder(record: Record) -> Convert:
    """Return the function that writes an object, which ``to_dict`` calls."""
    names: dict[str, Any] = {}
    first: list[str] = []
    rest: list[str] = []
    for member in record.members:
        key, value = bind_name(names, member.wire), f"o.{member.name}"
        is_optional = member.default is None
        may_lack = record.absent and not member.is_required
        shown = _encoded(member, "v" if is_optional else value, names)
        if is_optional:
            rest += [f" v = {value}", " if v is not None:", f"  e[{key}] = {shown}"]
        elif may_lack:
            absent = bind_name(names, member.absent)
            test = f"{key} not in o.{record.absent} or {value} != {absent}()"
            rest += [f" if {test}:", f"  e[{key}] = {shown}"]
        elif rest or record.extra:
            rest.append(f" e[{key}] = {shown}")
        else:
            first.append(f"{key}: {shown}")
    lines = [f" e = {{{', '.join(first)}}}"]
    if record.extra:
        write = bind_name(names, to_json_value)
        lines = [f" e = {write}(o.{record.extra})"]
    if record.nulls:
        lines.append(f" if o.{record.nulls}: e.update(DICT.fromkeys(o.{record.nulls}))")
    return compiled("o", [*lines, *rest, " return e"], names)


def sent_of(made: JsonObject) -> dict[str, Any]:
    """Return an object as JSON for its schema to judge: values of other types than the class
    declares, such as the text of an enum, as they are.
    """
    try:
        return made.to_dict()
    except (AttributeError, TypeError, ValueError, ArithmeticError):
        given = ((m, getattr(made, m.name)) for m in record_of(type(made)).members)
        return {
            member.wire: to_json_value(value)
            for member, value in given
            if value is not None or member.default is not None
        }


def _encoded(member: Member, value: str, names: dict[str, Any]) -> str:
    kinds, may_be_none = alternatives_of(member.hint)
    may_be_none = may_be_none and member.default is not None
    shown = (
        value if len(kinds) > 1 else _written(kinds[0], member.options, value, names)
    )
    if shown == value or not may_be_none:
        return shown
    return f"None if {value} is None else {shown}"


def _written(
    hint: Any, options: Mapping[str, Any], value: str, names: dict[str, Any]
) -> str:
    """Return the expression of a value as JSON."""
    kinds, may_be_none = alternatives_of(hint)
    if may_be_none or len(kinds) > 1:
        shown = value if len(kinds) > 1 else _written(kinds[0], options, value, names)
        return shown if shown == value else f"(None if {value} is None else {shown})"
    origin, arguments = get_origin(hint), get_args(hint)
    inner = "x" if value[0] != "x" else f"{value}x"
    if origin is list:
        shown = _written(arguments[0], options, inner, names)
        return f"[*{value}]" if shown == inner else f"[{shown} for {inner} in {value}]"
    if origin is dict:
        shown = _written(arguments[1], options, inner, names)
        items = f"for k{inner}, {inner} in {value}.items()"
        return f"{{k{inner}: {shown} {items}}}"
    if origin is Literal or hint in _KEPT:
        return value
    if hint is date:
        return f"{value}.isoformat()"
    if is_class(hint, Enum):
        return f"{value}.value"
    if is_class(hint, JsonObject):
        return f"{value}.to_dict()"
    encode: Convert = to_json_value
    if hint is Decimal and options.get("digits"):
        encode = _digits_of
    elif is_uuid_class(hint):
        encode = str
    elif is_class(hint, LeafClass):
        encode = hint.functions.dump
    return f"{bind_name(names, encode)}({value})"


def _digits_of(value: Decimal) -> str:
    return format(value, "f")
