"""Read and write JSON text exactly; an error gives the place of what is not JSON."""

from __future__ import annotations

import json
import sys
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from .errors import InputError
from .kinds import MAX_EXPONENT, is_list, is_object
from .words import show


def parse_json(text: str | bytes | bytearray) -> Any:
    """Return the value of a JSON text; numbers with a fraction or exponent become floats where
    that is exactly how the float is written, else exact Decimals.

    Raises InputError (rule ``json``, with line and column) for bad JSON, NaN, Infinity, repeated
    keys, numbers of more digits than Python writes (4300, or what ``sys.set_int_max_str_digits``
    says) and nesting that is too deep.
    """

    try:
        if isinstance(text, bytes | bytearray):
            text = text.decode(json.detect_encoding(text), "surrogatepass")
        return _parsed(text)
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


def _refuse(words: str) -> NoReturn:
    raise InputError("input", [(None, "json", words, None, "")], None) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _number(text: str) -> float | Decimal:
    """Return the float that is written just like this, else the Decimal."""
    number = float(text)
    # Fifteen digits survive; very small floats, as those with an exponent, are written another way.
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
    if len(text) > _SURELY_WRITTEN and _digits(text) > MAX_EXPONENT + 1:
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


def _digits(text: str) -> int:
    """Return how many digits a number has, without its exponent."""
    before = text.lower().partition("e")[0]
    return len(before) - before.count(".") - before.count("-")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(name for name, _ in pairs)
        again = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"{show(again)} occurs twice in one object")
    return found


_decoder = json.JSONDecoder(
    parse_float=_number, parse_constant=_no_constant, object_pairs_hook=_distinct
)


def _parsed(text: str) -> Any:
    if text[:1] == "{":
        value, end = _decoder.raw_decode(text)
        if end == len(text):
            return value
    if text[:1] == "\ufeff":
        raise json.JSONDecodeError("a byte order mark", text, 0)
    return _decoder.decode(text)


_plain = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_json(value: Any, *, halves: bool = True) -> str:
    """Return JSON text of what `to_json_value` returned; Decimals keep every digit.

    Halves of surrogate pairs, which no encoding has, are written as escapes, unless ``halves`` is
    False: then whoever encodes the text refuses them. Raises ValueError for NaN and Infinity.
    """
    try:
        text = _plain(value)
    except TypeError:
        # The library writes neither Decimals nor mappings that are no dict.
        text = _written(value)
    if text.isascii() or not halves:
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _written(value: Any) -> str:
    if isinstance(value, Decimal):
        return str(value)
    if is_object(value):
        items = (f"{_plain(name)}: {_written(item)}" for name, item in value.items())
        return "{" + ", ".join(items) + "}"
    if is_list(value):
        return "[" + ", ".join(map(_written, value)) + "]"
    return _plain(value)
