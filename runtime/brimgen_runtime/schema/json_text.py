"""JSON text, read and written without the loss of a digit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import InputError
from .json_values import MAX_EXPONENT, escaped, is_list, is_object, show

if TYPE_CHECKING:
    from json import JSONDecoder


def parse_json(text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text. A number with a fraction or exponent is a float if Python
    writes that float in the same way, else a Decimal.

    Raises InputError (rule ``json``) for bad JSON, NaN, Infinity, repeated keys, nesting that is
    too deep, and numbers of more digits than Python writes (`sys.set_int_max_str_digits`).
    """
    if isinstance(text, str):
        value = scanned(text)
        if value is not None:
            return value
    import json

    try:
        if not isinstance(text, str):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        if text[:1] == "{":
            value, end = _decoder().raw_decode(text)
            if end == len(text):
                return value
        if text[:1] == "\ufeff":
            raise json.JSONDecodeError("a byte order mark", text, 0)
        return _decoder().decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        _refuse(f"not valid JSON: {error.msg} at {place}")
    except RecursionError:
        _refuse("not valid JSON: nested too deeply")
    except UnicodeDecodeError as error:
        _refuse(f"not valid JSON: no UTF-8 at byte {error.start}")
    except ValueError as error:
        words = str(error)
        is_long = words.startswith("Exceeds the limit")  # of the digits of an int
        _refuse(f"not valid JSON: {_OUT_OF_RANGE if is_long else words}")


def scanned(text: str) -> dict[str, Any] | None:
    """Return the object of a JSON text that surely repeats no key; None leaves it to `parse_json`.

    A repeated key leaves a colon in the text that belongs to no member. Strings have colons, too:
    if there are more colons than members, the strings are counted by their quotes.
    """
    if text[:1] != "{":
        return None
    try:
        value, end = (_scan or _scanner())(text, 0)
        if end != len(text):
            return None
        colons, members = text.count(":"), len(value)
        if colons == members or _is_distinct(value, text, colons):
            parsed: dict[str, Any] = value
            return parsed
    except (ValueError, StopIteration, RecursionError):
        pass
    return None


def _is_distinct(value: dict[str, Any], text: str, colons: int) -> bool:
    members = strings = len(value)
    is_flat = True
    for item in value.values():
        kind = item.__class__
        if kind is str:
            strings += 1
        elif kind is dict:
            members += len(item)
            is_flat = False
        elif kind is list:
            is_flat = False
            if set(map(type, item)) == {dict}:
                members += sum(map(len, item))
    if colons == members:
        return True
    strings = strings if is_flat else _strings(value)
    return "\\" not in text and text.count('"') == 2 * strings


def _strings(value: Any) -> int:
    """Return how many keys and strings a JSON value has."""
    if value.__class__ is list:
        count, items = 0, value
    else:
        count, items = len(value), value.values()
    for item in items:
        kind = item.__class__
        if kind is str:
            count += 1
        elif kind is dict or kind is list:
            count += _strings(item)
    return count


_scan: Callable[[str, int], tuple[Any, int]] | None = None


def _scanner() -> Callable[[str, int], tuple[Any, int]]:
    """Return the function that scans JSON text and does not check objects for repeated keys."""
    global _scan
    from json import JSONDecoder

    decoder: Any = JSONDecoder(parse_float=_number, parse_constant=_no_constant)
    scan: Callable[[str, int], tuple[Any, int]] = decoder.scan_once
    _scan = scan
    return scan


def _refuse(words: str) -> NoReturn:
    raise InputError("input", [(None, "json", words, None, "")], None) from None


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder

    return JSONDecoder(
        parse_float=_number, parse_constant=_no_constant, object_pairs_hook=_distinct
    )


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        last = {name: index for index, (name, _) in enumerate(pairs)}
        again = next(name for i, (name, _) in enumerate(pairs) if last[name] != i)
        raise ValueError(f"{show(again)} occurs twice in one object")
    return members


def _number(text: str) -> float | Decimal:
    """Return the float that is written just like this, else the Decimal."""
    number = float(text)
    # A float keeps fifteen digits; very small ones are written with an exponent.
    if (
        len(text) <= _LONGEST_SURE
        and text[-1] != "0"
        and (number >= _LEAST_FIXED or number <= -_LEAST_FIXED)
        and "e" not in text
        and "E" not in text
    ):
        return number
    return number if repr(number) == text else _decimal(text)


_LONGEST_SURE = 16
_LEAST_FIXED = 0.0001
_SURELY_WRITTEN = 640  # digits: no limit of the interpreter is lower
_OUT_OF_RANGE = "a number is out of range"


def _decimal(text: str) -> Decimal:
    if len(text) > _SURELY_WRITTEN:
        digits = text.lower().partition("e")[0].lstrip("-").replace(".", "")
        if len(digits) > MAX_EXPONENT + 1:
            raise ValueError(_OUT_OF_RANGE)
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(_OUT_OF_RANGE) from None
    power = number.adjusted()
    if number and not -MAX_EXPONENT <= power <= MAX_EXPONENT:
        raise ValueError(_OUT_OF_RANGE)
    if power >= _SURELY_WRITTEN and 0 < sys.get_int_max_str_digits() <= power:
        raise ValueError(_OUT_OF_RANGE)
    return number


def write_json(value: Any, *, halves: bool = True) -> str:
    """Return JSON text of what `to_json_value` returned; Decimals keep every digit.

    Halves of surrogate pairs are written as escapes, or kept if ``halves`` is False: then no
    encoding takes them. Raises ValueError for NaN and Infinity.
    """
    try:
        text = _plain()(value)
    except TypeError:
        # The library writes neither Decimals nor mappings that are no dict.
        text = _written(value)
    return escaped(text) if halves else text


@cache
def _plain() -> Callable[[Any], str]:
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _written(value: Any) -> str:
    if isinstance(value, Decimal):
        return str(value)
    if is_object(value):
        items = (f"{_plain()(name)}: {_written(item)}" for name, item in value.items())
        return "{" + ", ".join(items) + "}"
    if is_list(value):
        return "[" + ", ".join(map(_written, value)) + "]"
    return _plain()(value)
