"""Write a JSON value: what fits on a line stands on one, all else has a member on each line.

This is the layout of every JSON file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

from brimgen_runtime.schema.json_values import escaped

_class_of: Callable[[Any], object] = type


WIDTH = 100
"""The width of a line, which that of a long text exceeds."""


def json_file(value: Any) -> str:
    """Return the text of a file that holds ``value``.

    Raises:
        TypeError: for what JSON does not have.
    """
    return f"{escaped(indented(value))}\n"


def json_line(value: Any) -> str:
    """Write ``value`` on one line."""
    write = _WRITERS.get(_class_of(value))
    return _LINE.encode(value) if write is None else write(value)


def _plain(value: Any) -> Any:
    # The model's mappings and sequences may be read-only ones, which json does not know.
    for kind, plain in _PLAIN:
        if isinstance(value, kind):
            return plain(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


_PLAIN: tuple[tuple[type[Any], Callable[[Any], Any]], ...] = (
    (Mapping, dict),
    (Sequence, list),
)
# Made once: json.dumps makes an encoder for every call with options.
_LINE = json.JSONEncoder(ensure_ascii=False, default=_plain)


def indented(value: Any, newline: str = "\n") -> str:
    """Write ``value``, whose mappings and sequences of any class are objects and lists.

    ``newline`` begins each line: a line end and the indentation that ``value`` stands at.

    Raises:
        TypeError: for what JSON does not have.
    """
    text = _indented(value, newline, 0)
    if text[0] in "{[" and len(value) == 1 and "\n" in text:
        # The only member would have a comma behind it on a line of its own.
        line = _LINE.encode(value)
        return line if len(newline) - 1 + len(line) <= WIDTH else text
    return text


def _indented(value: Any, newline: str, used: int) -> str:
    """Write a value whose first line holds ``used`` characters more."""
    kind = _class_of(value)
    write = _WRITERS.get(kind)
    if write is not None:
        return write(value)
    inner = f"{newline}  "
    if kind is dict:
        brackets = "{}"
        rows: list[str] = []
        for key, member in value.items():
            name = encode_basestring(key) if type(key) is str else _key(key)
            # With the colon and the comma.
            rows.append(f"{name}: {_indented(member, inner, len(name) + 3)}")
    elif kind is list or kind is tuple:
        brackets = "[]"
        rows = [_indented(item, inner, 1) for item in value]
    elif isinstance(value, str | int | float):
        return _LINE.encode(value)
    else:
        return _indented(_plain(value), newline, used)
    width = len(newline) - 1 + used + sum(map(len, rows)) + 2 * len(rows)
    if width <= WIDTH or not rows:
        line = f"{brackets[0]}{', '.join(rows)}{brackets[1]}"
        if "\n" not in line:
            return line
    # The list is changed: a text of megabytes is not copied once more to have its brackets.
    rows[0] = f"{brackets[0]}{inner}{rows[0]}"
    rows[-1] = f"{rows[-1]}{newline}{brackets[1]}"
    return f",{inner}".join(rows)


def _key(key: Any) -> str:
    # JSON has texts only: an object with this key alone says how others are written.
    return _LINE.encode({key: 0})[1:-4]


_WRITERS: Mapping[object, Callable[[Any], str]] = {
    str: encode_basestring,
    int: int.__repr__,
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
}
"""How most values without members are written."""
