"""Validate values by the `jsonschema` library, independently of our own validator.

All formats are asserted. Formats that the library leaves to packages which may be missing are
checked by short expressions here, so that the runtime does not test itself. Some keywords are
replaced where the library differs from JSON Schema: `multipleOf` and bounds compare decimals,
because the library uses floats (0.07 is no multiple of 0.01 to it; 1e23 is 10**23, and less as
Python holds it), and `pattern` is translated from ECMA-262, because Python reads some characters
otherwise.
"""

from __future__ import annotations

import ipaddress
import json
import marshal
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, time
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import partial
from typing import Any

from jsonschema import (
    Draft7Validator,
    Draft202012Validator,
    FormatChecker,
    ValidationError,
    validators,
)
from referencing import Registry
from referencing.exceptions import Unresolvable

from brimgen.model.json import is_object
from brimgen.schema.walk import map_schemas, pointer_to
from brimgen_runtime.schema.errors import SchemaError
from brimgen_runtime.schema.patterns import searcher

_EXACT = Context(prec=1_500, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Digits for the quotient of any two floats."""


_LIBRARY: Any = validators


class Unjudged(Exception):
    """The library cannot decide: it cannot run a pattern, or resolve a reference."""


_UNJUDGED = (SchemaError, re.error, RecursionError, Unresolvable)


class Oracle:
    """Judges values by one schema, each once: several descriptors ask about the same value."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        kind = _dialect_of(schema)
        # In a part that names a draft, the library would fall back to its own class.
        named = {word: schema[word] for word in ("$schema",) if word in schema}
        schema = {**named, **_without({**schema}, frozenset({"$schema"}))}
        once = partial(_check_properties, {})
        kind = _LIBRARY.extend(kind, {**_AS_MEANT, "properties": once})
        self._validator = kind(
            schema, format_checker=_FORMATS, registry=Registry[Any]()
        )
        self._known: dict[bytes, bool] = {}
        self.is_unsure = False
        """Whether the library could not decide about some part of the schema."""

    def accepts(self, value: Any) -> bool:
        """Return whether the schema admits the value. Raises `Unjudged`."""
        key = marshal.dumps(value, 0)
        verdict = self._known.get(key)
        if verdict is None:
            try:
                verdict = bool(self._validator.is_valid(value))
            except _UNJUDGED as problem:
                self.is_unsure = True
                raise Unjudged(str(problem)) from problem
            self._known[key] = verdict
        return verdict

    def accepts_part(self, schema: Mapping[str, Any], value: Any) -> bool:
        """Return whether a part of the schema admits the value; False where that is unknown."""
        if "$schema" in schema:
            schema = {word: schema[word] for word in schema if word != "$schema"}
        try:
            return bool(self._validator.evolve(schema=schema).is_valid(value))
        except _UNJUDGED:
            self.is_unsure = True
            return False

    def complaints(self, value: Any) -> list[tuple[str, str]]:
        """Return the keywords that a value breaks, with the pointers of their places in it."""
        return [
            (str(error.validator), pointer_to("", *error.absolute_path))
            for error in self._validator.iter_errors(value)
        ]


def _dialect_of(schema: Mapping[str, Any]) -> Any:
    """The library's class for the draft that a schema names; the newest where it names none."""
    return _LIBRARY.validator_for(schema, default=Draft202012Validator)


def _without(schema: dict[str, Any], keywords: frozenset[str]) -> dict[str, Any]:
    """A schema none of whose parts has one of ``keywords``."""

    return map_schemas(
        schema,
        lambda part: {
            word: value for word, value in part.items() if word not in keywords
        },
    )


_WORDS = frozenset({"$schema", "description", "title", "default", "examples"})
"""Keywords that say nothing of values, and the draft, which is known."""


class Oracles:
    """The validators of one tool: schemas that differ only in descriptions share one."""

    def __init__(self) -> None:
        self._oracles: dict[str, Oracle] = {}

    def of(self, schema: Mapping[str, Any]) -> Oracle:
        """What judges by ``schema``."""
        words = _without({**schema}, _WORDS)
        key = _dialect_of(schema).META_SCHEMA["$id"] + json.dumps(words)
        if key not in self._oracles:
            self._oracles[key] = Oracle(schema)
        return self._oracles[key]


def _check_properties(
    right: dict[tuple[int, bytes], object],
    validator: Any,
    properties: Mapping[str, Any],
    value: Any,
    schema: object,
) -> Iterator[ValidationError]:
    """As the library, but each value of a property once: most calls differ in one property only.

    ``right`` has the parts that admit a value, by their identity and the value.
    """
    for name, part in properties.items() if is_object(value) else ():
        if name not in value:
            continue
        key = id(part), marshal.dumps(value[name], 0)
        if key not in right:
            is_right = True
            for problem in validator.descend(value[name], part, name, name):
                is_right = False
                yield problem
            if is_right:
                right[key] = part


def _compared(
    keeps: Callable[[Decimal, Decimal], bool],
) -> Callable[..., Iterator[ValidationError]]:
    """Compare by the digits of both numbers, where the library does as they are held."""

    def check(
        validator: object, bound: Any, value: Any, schema: object
    ) -> Iterator[ValidationError]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return
        if not keeps(Decimal(str(value)), Decimal(str(bound))):
            yield ValidationError(f"{value} breaks the bound or step {bound}")

    return check


def _is_found(
    validator: object, pattern: Any, value: Any, schema: object
) -> Iterator[ValidationError]:
    if isinstance(value, str) and not searcher(pattern)(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _whole(pattern: str) -> Callable[[str], object]:
    return re.compile(pattern).fullmatch


def _is_date(text: str) -> bool:
    date.fromisoformat(text)
    return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII))


def _is_time(text: str) -> bool:
    time.fromisoformat(text.upper())
    clock = r"\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)"
    return bool(re.fullmatch(clock, text, re.ASCII))


def _is_datetime(text: str) -> bool:
    day, moment = text[:10], text[11:]
    return text[10:11] in ("T", "t") and _is_date(day) and _is_time(moment)


def _fits(is_one: Callable[[str], object], value: object) -> bool:
    return not isinstance(value, str) or bool(is_one(value))


_HOST = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*"
_IN_URI = r"[^\s\\<>\"{}|^`\x00-\x20\x7f-\U0010ffff]*"
_IS_ONE: Mapping[str, Callable[[str], object]] = {
    "date": _is_date,
    "date-time": _is_datetime,
    "duration": _whole(
        r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?)"
    ),
    "email": _whole(rf"[^@\s\"]+@{_HOST}"),
    "hostname": _whole(_HOST),
    "ipv4": ipaddress.IPv4Address,
    "ipv6": ipaddress.IPv6Address,
    "json-pointer": _whole(r"(/([^~/]|~[01])*)*"),
    "time": _is_time,
    "uri": _whole(rf"[A-Za-z][A-Za-z0-9+.-]*:{_IN_URI}"),
    "uri-reference": _whole(_IN_URI),
    "uuid": _whole(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"),
}
"""What is false for a text that is not of a format, or raises ValueError."""


_FORMATS = FormatChecker(formats=())
JUDGED = _IS_ONE.keys()
"""The formats that are judged."""
for _name, _test in _IS_ONE.items():
    _FORMATS.checks(_name, raises=ValueError)(partial(_fits, _test))

_AS_MEANT: Mapping[str, Any] = {
    # A schema that names no draft may be of an older one; test suites ask for it in the newest.
    "dependencies": Draft7Validator.VALIDATORS["dependencies"],
    "multipleOf": _compared(lambda value, step: not _EXACT.remainder(value, step)),
    "pattern": _is_found,
    "minimum": _compared(operator.ge),
    "maximum": _compared(operator.le),
    "exclusiveMinimum": _compared(operator.gt),
    "exclusiveMaximum": _compared(operator.lt),
}
