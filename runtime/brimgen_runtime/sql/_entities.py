"""Decode entities from cells that their schema refuses as they are.

JSON of a database may have more keys than a tool knows, and has its own forms of moments, days,
decimals and bools. What remains is validated by the schema of the entity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NoReturn, TypeVar, cast

from ..records.encode import moment
from ..schema.errors import MISSING, REDACTED, Finding, InputError, Violation
from . import _decode, _spans
from ._row_error import RowError

ValueT = TypeVar("ValueT")

_READERS: Final[dict[str, Callable[[object, str], Any]]] = {
    "date-time": _decode.timestamp,
    "date": _decode.day,
    "number": _decode.decimal,
    "boolean": _decode.boolean,
}
"""What reads the values of a form."""

_WHOLE: Final = frozenset({"type", "format", "enum", "const"})
"""The rules that a value breaks as a whole, for it may be said in another way."""


def entity(from_dict: Callable[[Any], ValueT]) -> Callable[[object, str], ValueT]:
    """A reader of nested entities, from JSON text or what the driver made of it."""

    def read(value: object, name: str) -> ValueT:
        return _read(from_dict, _decode.json(value, name), name)

    return read


def row(from_dict: Callable[[Any], ValueT], document: dict[str, Any]) -> ValueT:
    """The entity that a whole row is."""
    return _read(from_dict, _plain(document), "")


def _read(from_dict: Callable[[Any], ValueT], raw: Any, name: str) -> ValueT:
    while True:
        try:
            return from_dict(raw)
        except InputError as error:
            refused = error
        except ValueError as error:  # raised by the code of a leaf
            place = f"column {name!r}: " if name else ""
            told = f"{place}expected another value"
            raise RowError(told, f": {error}") from None
        mended = _mended(raw, refused)
        if mended is None:
            _refuse(name, refused.violations[0], refused.findings[0][-1])
        raw = mended


def _mended(raw: Any, refused: InputError) -> Any:
    """Return ``raw`` changed so that the schema may accept it; None if nothing can be changed.

    Unknown properties and nulls that mean "absent" are removed, and values that a database writes
    in its own way are written as the schema wants them.
    """
    schema, value = refused.args[1:3]
    if value is not raw:
        return None
    findings = schema.all_findings(raw) if refused.omitted else refused.findings
    changes = list(_changes(findings))
    if changes:
        mended = deepcopy(raw)
        for (parent, step), is_known, meant in changes:
            holder = _value_at(parent, mended)
            if is_known:
                holder[step] = meant
            else:
                holder.pop(step, None)
        return mended
    mended = schema.drop_nulls(raw)
    return None if mended is raw else mended


def _changes(findings: Iterable[Finding]) -> Iterator[tuple[Any, bool, Any]]:
    """Yield where a value is to be changed, whether to another, and to which."""
    for path, rule, _, value, form in findings:
        if path is None:
            continue
        if rule == "unknown":
            yield path, False, None
            continue
        read = _READERS.get(form)
        is_said = isinstance(value, str) or (type(value) is int and form == "boolean")
        if read is None or not is_said or rule not in _WHOLE:
            continue
        try:
            meant = _plain(read(value, ""))
        except ValueError:
            continue
        if meant != value or type(meant) is not type(value):
            yield path, True, meant


def _value_at(path: Any, raw: Any) -> Any:
    """Return what a path leads to."""
    return raw if path is None else _value_at(path[0], raw)[path[1]]


def _refuse(name: str, violation: Violation, form: str) -> NoReturn:
    """Raise what is wrong in the words of all readers; a value that is withheld is not told."""
    place = f"{name}{violation.pointer}".removeprefix("/")
    value = violation.value
    shown = f", got {type(value).__name__} {value!r:.80}"
    if value is MISSING or value is REDACTED:
        shown = ""
    problem = "missing, expected" if value is MISSING else "expected"
    # Here a datetime needs no offset.
    is_moment = form == "date-time" and violation.rule in ("format", "required")
    expected = "datetime" if is_moment else violation.expected
    raise RowError(f"column {place!r}: {problem} {expected}", shown)


def _plain(value: Any) -> Any:
    """A decoded value as the JSON value that ``from_dict`` reads."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {name: _plain(item) for name, item in pairs}
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[object]", value)]
    if isinstance(value, datetime):
        return value.isoformat() if value.utcoffset() is None else moment(value)
    if isinstance(value, time | timedelta | bytes):
        return _spans.written(value)
    return value.isoformat() if isinstance(value, date) else value
