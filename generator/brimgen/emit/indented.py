"""Write a JSON value: what fits on a line stands on one, all else has a member on each line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

_class_of: Callable[[Any], object] = type
_CONSTANTS: dict[Any, str] = {None: "null", True: "true", False: "false"}


WIDTH = 88
"""The width of a line, which that of a long text exceeds."""


class Written(str):
    """JSON that is text already, with its lines at the margin; it is moved to where it stands."""

    __slots__ = ()


def indented(value: Any, newline: str = "\n", used: int = 0) -> str:
    """Write ``value``, whose mappings and sequences of any class are objects and lists.

    ``newline`` begins each line: a line end and the indentation that ``value`` stands at. ``used``
    is what else its first line holds besides the indentation.

    Raises:
        TypeError: for what JSON does not have.
    """
    kind = _class_of(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict or kind is list or kind is tuple:
        line = _on_one_line(value, WIDTH + 1 - len(newline) - used)
        if line is not None:
            return line
        return _object(value, newline) if kind is dict else _list(value, newline)
    if kind is bool or value is None:
        return _CONSTANTS[value]
    return int.__repr__(value) if kind is int else _rare(value, newline, used)


def _on_one_line(value: Any, room: int) -> str | None:
    """Write a value on a line of ``room`` characters; return None if it does not fit there."""
    kind = _class_of(value)
    if kind is dict:
        members: list[str] = []
        left = room
        for key, each in value.items():
            name = encode_basestring(key) if type(key) is str else _key(key)
            left -= len(name) + 4  # with the colon and the comma, or the brackets
            text = _on_one_line(each, left) if left > 0 else None
            if text is None:
                return None
            left -= len(text)
            members.append(f"{name}: {text}")
        return f"{{{', '.join(members)}}}"
    if kind is list or kind is tuple:
        items: list[str] = []
        left = room
        for each in value:
            left -= 2
            text = _on_one_line(each, left) if left > 0 else None
            if text is None:
                return None
            left -= len(text)
            items.append(text)
        return f"[{', '.join(items)}]"
    if kind is str and len(value) > room:
        return None
    text = indented(value, "\n", WIDTH - room)
    return text if len(text) <= room and "\n" not in text else None


def _object(value: Mapping[Any, Any], newline: str) -> str:
    inner = f"{newline}  "
    members: list[str] = []
    for key, each in value.items():
        name = encode_basestring(key) if type(key) is str else _key(key)
        used = len(name) + 3  # with the colon and the comma
        members.append(f"{name}: {indented(each, inner, used)}")
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
    return joined("[", [indented(each, inner, 1) for each in value], newline, "]")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return encode_basestring(key)
    if key is None or isinstance(key, bool | int | float):
        return f'"{indented(key)}"'
    raise TypeError(f"not a JSON key: {type(key).__name__}")


def _rare(value: Any, newline: str, used: int) -> str:
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
        return indented({**value}, newline, used)
    sequence: Any = Sequence
    if isinstance(value, sequence):
        return indented([*value], newline, used)
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
