"""Filters and tests of compiled prompts, with the same meaning as in Jinja."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from ..schema.json_values import is_object
from .prompts import PromptError
from .templates import UNDEFINED, Undefined, item


def text(value: Any) -> str:
    """``string``: the text of a value."""
    return str(value)


def upper(value: Any) -> str:
    """``upper``."""
    return str(value).upper()


def lower(value: Any) -> str:
    """``lower``."""
    return str(value).lower()


def capitalized(value: Any) -> str:
    """``capitalize``: the first character upper, the others lower."""
    return str(value).capitalize()


def titled(value: Any) -> str:
    """``title``: words begin upper; a word begins after a space, a dash or a bracket."""
    pieces = re.split(r"([-\s({\[<]+)", str(value))
    return "".join(piece[0].upper() + piece[1:].lower() for piece in pieces if piece)


def trimmed(value: Any, chars: str | None = None) -> str:
    """``trim``: without ``chars``, or white space, at both ends."""
    return str(value).strip(chars)


def replaced(value: Any, old: Any, new: Any) -> str:
    """``replace``: every ``old`` is ``new``."""
    return str(value).replace(str(old), str(new))


def words(value: Any) -> int:
    """``wordcount``: how many words there are."""
    return len(re.findall(r"\w+", str(value)))


def truncated(
    value: Any,
    length: int = 255,
    killwords: bool = False,
    end: str = "...",
    leeway: int = 5,
) -> str:
    """``truncate``: at most ``length`` characters and ``end`` among them, whole words if it may."""
    if length < len(end) or leeway < 0:
        raise PromptError("truncate: no such length")
    if len(value) <= length + leeway:
        return str(value)
    if not isinstance(value, str):
        raise PromptError("truncate: no text")
    cut = value[: length - len(end)]
    return (cut if killwords else cut.rsplit(" ", 1)[0]) + end


def indented(
    value: Any, width: int | str = 4, first: bool = False, blank: bool = False
) -> str:
    """``indent``: every line but the first a step to the right; empty ones if ``blank``."""
    if not isinstance(value, str):
        raise PromptError("indent: no text")
    pad = width if isinstance(width, str) else " " * width
    lines = f"{value}\n".splitlines()
    tail = [pad + line if line or blank else line for line in lines[1:]]
    body = "\n".join([lines[0] if lines else "", *tail])
    return pad + body if first else body


def default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    """``default``: what stands for a value that is not there, or is false if ``boolean``."""
    missing = isinstance(value, Undefined) or (boolean and not value)
    return default_value if missing else value


def count(value: Any) -> int:
    """``length``: how many items, or characters."""
    return len(value)


def first(value: Iterable[Any]) -> Any:
    """``first``: the first item."""
    return next(iter(value), UNDEFINED)


def last(value: Any) -> Any:
    """``last``: the last item."""
    return next(iter(reversed(value)), UNDEFINED) if value else UNDEFINED


def as_list(value: Iterable[Any]) -> list[Any]:
    """``list``: the items."""
    return list(value)


def reverse(value: Any) -> Any:
    """``reverse``: a text or a list from its end."""
    return value[::-1] if isinstance(value, str) else list(value)[::-1]


def absolute(value: Any) -> Any:
    """``abs``."""
    return abs(value)


def rounded(value: Any, precision: int = 0, method: str = "common") -> Any:
    """``round``: to so many digits, to the nearest, up (``ceil``) or down (``floor``)."""
    if method not in ("common", "ceil", "floor"):
        raise PromptError("round: method must be common, ceil or floor")
    if method == "common":
        return round(value, precision)
    function = math.ceil if method == "ceil" else math.floor
    return function(value * (10**precision)) / (10**precision)


def as_int(value: Any, default: int = 0) -> int:
    """``int``: the integer of a number or text, without its fraction."""
    try:
        return int(value)
    except PromptError:
        raise
    except (TypeError, ValueError):
        try:
            return int(float(value))
        except (TypeError, ValueError, OverflowError):
            return default


def as_float(value: Any, default: float = 0.0) -> float:
    """``float``: the float of a number or text."""
    try:
        return float(value)
    except PromptError:
        raise
    except (TypeError, ValueError):
        return default


def as_json(value: Any) -> str:
    """``tojson``: JSON with sorted names, safe inside HTML, as Jinja writes it."""
    encoded = json.dumps(value, sort_keys=True)
    for char in "<>&'":
        encoded = encoded.replace(char, f"\\u{ord(char):04x}")
    return encoded


def join(value: Iterable[Any], d: Any = "", attribute: str | int | None = None) -> str:
    """``join``: the texts of all items, ``d`` between them."""
    return str(d).join(str(_part(item, attribute)) for item in value)


def total(
    value: Iterable[Any], attribute: str | int | None = None, start: Any = 0
) -> Any:
    """``sum``: of all items."""
    return sum((_part(item, attribute) for item in value), start)


def ordered(
    value: Iterable[Any],
    reverse: bool = False,
    case_sensitive: bool = False,
    attribute: str | int | None = None,
) -> list[Any]:
    """``sort``: the items in order, of texts without regard to case unless told so."""
    names = attribute.split(",") if isinstance(attribute, str) else [attribute]
    keys = [_key(name, case_sensitive) for name in names]
    return sorted(value, key=lambda item: [key(item) for key in keys], reverse=reverse)


def distinct(
    value: Iterable[Any],
    case_sensitive: bool = False,
    attribute: str | int | None = None,
) -> list[Any]:
    """``unique``: the items, each the first of its kind."""
    key, seen, unique = _key(attribute, case_sensitive), set[Any](), list[Any]()
    for candidate in value:
        if key(candidate) not in seen:
            seen.add(key(candidate))
            unique.append(candidate)
    return unique


def _part(value: Any, attribute: str | int | None) -> Any:
    """What a dotted attribute of a value is; the value itself without one."""
    if attribute is None:
        return value
    for step in str(attribute).split("."):
        value = item(value, int(step) if step.isdigit() else step)
    return value


def _key(attribute: str | int | None, case_sensitive: bool) -> Callable[[Any], Any]:
    def key(value: Any) -> Any:
        part = _part(value, attribute)
        if isinstance(part, str) and not case_sensitive:
            return part.lower()
        return part

    return key


def is_defined(value: Any) -> bool:
    """``defined``."""
    return not isinstance(value, Undefined)


def is_undefined(value: Any) -> bool:
    """``undefined``."""
    return isinstance(value, Undefined)


def is_none(value: Any) -> bool:
    """``none``."""
    return value is None


def is_true(value: Any) -> bool:
    """``true``."""
    return value is True


def is_false(value: Any) -> bool:
    """``false``."""
    return value is False


def is_string(value: Any) -> bool:
    """``string``."""
    return isinstance(value, str)


def is_numeric(value: Any) -> bool:
    """``number``: also ``true`` and ``false``, which are numbers in Python."""
    from numbers import Number

    return isinstance(value, Number)


def is_mapping(value: Any) -> bool:
    """``mapping``: an object."""
    return is_object(value)


def is_even(value: Any) -> bool:
    """``even``."""
    return bool(value % 2 == 0)


def is_odd(value: Any) -> bool:
    """``odd``."""
    return bool(value % 2 == 1)


def is_divisible(value: Any, by: Any) -> bool:
    """``divisibleby``."""
    return bool(value % by == 0)


def is_equal(value: Any, other: Any) -> bool:
    """``eq``."""
    return bool(value == other)


def is_in(value: Any, container: Any) -> bool:
    """``in``."""
    return value in container
