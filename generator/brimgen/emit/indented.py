"""Write a JSON value: what fits on a line stands on one, all else has a member on each line.

This is the layout of every JSON file. Templates write JSON in lines of their own; `laid_out` gives
the finished text its lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, TypeAlias

_class_of: Callable[[Any], object] = type


WIDTH = 100
"""The width of a line, which that of a long text exceeds."""


class Written(str):
    """JSON that is text already, and part of a larger one."""

    __slots__ = ()


_Bracket: TypeAlias = tuple[str, list[str], list["_Node"], str, str | None]
"""An object or a list: how it opens, the names of its members (empty in a list), the members, how
it closes; and its text on one line if that is no longer than a line."""

_Node: TypeAlias = str | _Bracket
"""A value: the text of one without members."""


def laid_out(text: str) -> str:
    """Return a JSON file with the same value as ``text``, in our layout.

    A template of a project may print what is no JSON; it is left as it is.
    """
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return f"{escaped(indented(value))}\n"


def json_line(value: Any) -> str:
    """Write ``value`` on one line; a list may hold parts that are `Written`."""
    if isinstance(value, Written):
        return value
    is_list = _class_of(value) is list or _class_of(value) is tuple
    if is_list and value and isinstance(value[0], Written):
        return f"[{', '.join(value)}]"
    return _LINE.encode(value)


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
    return _placed(_node(value), newline, 0)


def _node(value: Any) -> _Node:
    kind = _class_of(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict:
        names = [
            f"{encode_basestring(key) if type(key) is str else _key(key)}: "
            for key in value
        ]
        return _bracket("{", names, _nodes(value.values()), "}")
    if kind is list or kind is tuple:
        nodes = _nodes(value)
        return _bracket("[", [""] * len(nodes), nodes, "]")
    if kind is bool or value is None:
        return _CONSTANTS[value]
    if kind is int:
        return int.__repr__(value)
    if isinstance(value, str | int | float):
        return _LINE.encode(value)
    return _node(_plain(value))


def _nodes(values: Iterable[Any]) -> list[_Node]:
    return [
        encode_basestring(each) if type(each) is str else _node(each) for each in values
    ]


_CONSTANTS: dict[Any, str] = {None: "null", True: "true", False: "false"}


def _key(key: Any) -> str:
    if isinstance(key, str):
        return encode_basestring(key)
    if key is None or isinstance(key, bool | int | float):
        return f'"{_LINE.encode(key)}"'
    raise TypeError(f"not a JSON key: {type(key).__name__}")


def _bracket(
    opening: str, names: list[str], nodes: list[_Node], closing: str
) -> _Bracket:
    texts: list[str] = []
    for name, node in zip(names, nodes, strict=True):
        text = node if isinstance(node, str) else node[4]
        if text is None:
            return opening, names, nodes, closing, None
        texts.append(name + text)
    line = f"{opening}{', '.join(texts)}{closing}"
    return opening, names, nodes, closing, line if len(line) <= WIDTH else None


def _placed(node: _Node, newline: str, used: int) -> str:
    """Return the lines of a value whose first line holds ``used`` characters more."""
    if isinstance(node, str):
        return node
    opening, names, nodes, closing, line = node
    if line is not None and len(newline) - 1 + used + len(line) <= WIDTH:
        return line
    if not nodes:
        return f"{opening}{closing}"
    inner = f"{newline}  "
    lines = [
        name + (each if isinstance(each, str) else _placed(each, inner, len(name) + 1))
        for name, each in zip(names, nodes, strict=True)
    ]
    # The list is changed: a text of megabytes is not copied once more to have its brackets.
    lines[0] = f"{opening}{inner}{lines[0]}"
    lines[-1] = f"{lines[-1]}{newline}{closing}"
    return f",{inner}".join(lines)


def escaped(text: str) -> str:
    """Return JSON as UTF-8 can have it: halves of characters are escaped."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
