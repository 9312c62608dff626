"""Write a JSON value as ``json.dumps(indent=2)`` lays it out, only faster.

The standard library indents in Python, through one generator for each container; this is one
function that joins (`docs/performance.md` has the ratio, the tests hold both to the same bytes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

_class_of: Callable[[Any], object] = type
_CONSTANTS: dict[Any, str] = {None: "null", True: "true", False: "false"}


class Written(str):
    """JSON that is text already, with its lines at the margin; it is moved to where it stands."""

    __slots__ = ()


def indented(value: Any, newline: str = "\n") -> str:
    """Write ``value`` as ``json.dumps(value, indent=2, ensure_ascii=False)`` does.

    Mappings and sequences of any class are objects and lists. ``newline`` begins each line: a line
    end and the indentation that ``value`` stands at.

    Raises:
        TypeError: for what JSON does not have.
    """
    kind = _class_of(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict:
        return _object(value, newline) if value else "{}"
    if kind is list or kind is tuple:
        return _list(value, newline) if value else "[]"
    if kind is bool or value is None:
        return _CONSTANTS[value]
    return int.__repr__(value) if kind is int else _rare(value, newline)


def _object(value: Mapping[Any, Any], newline: str) -> str:
    inner = f"{newline}  "
    members = [
        f"{encode_basestring(key) if type(key) is str else _key(key)}: "
        f"{encode_basestring(each) if type(each) is str else indented(each, inner)}"
        for key, each in value.items()
    ]
    return joined("{", members, newline, "}")


def joined(opening: str, items: list[str], newline: str, closing: str) -> str:
    """Return the text of an object or a list with ``items``, of which there is one at least.

    The list is changed: a text of megabytes is not copied once more to have its brackets.
    """
    inner = f"{newline}  "
    items[0] = f"{opening}{inner}{items[0]}"
    items[-1] = f"{items[-1]}{newline}{closing}"
    return f",{inner}".join(items)


def _list(value: Sequence[Any], newline: str) -> str:
    inner = f"{newline}  "
    items = [
        encode_basestring(each) if type(each) is str else indented(each, inner)
        for each in value
    ]
    return joined("[", items, newline, "]")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return encode_basestring(key)
    if key is None or isinstance(key, bool | int | float):
        return f'"{indented(key)}"'
    raise TypeError(f"not a JSON key: {type(key).__name__}")


def _rare(value: Any, newline: str) -> str:
    """Write floats, and values of classes that are derived from those of JSON or stand for them."""
    if isinstance(value, Written):
        return value if newline == "\n" else value.replace("\n", newline)
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float(value)
    mapping: Any = Mapping
    if isinstance(value, mapping):
        return indented({**value}, newline)
    sequence: Any = Sequence
    if isinstance(value, sequence):
        return indented([*value], newline)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _float(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)


def escaped(text: str) -> str:
    """Return JSON as UTF-8 can have it: halves of characters are escaped."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
