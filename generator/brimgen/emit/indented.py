"""Indented: a JSON value in, its text out as ``json.dumps(indent=2)`` lays it out, only faster.

The standard library indents in Python, through one generator for each container; this is one
function that joins (`docs/performance.md` has the ratio, the tests hold both to the same bytes).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any, TypeAlias

_class_of: Callable[[Any], object] = type
_PLACE = "\n    "
"""Where what recurs is written: there an argument stands in the schema of a tool."""
_CONSTANTS: dict[Any, str] = {None: "null", True: "true", False: "false"}


Texts: TypeAlias = dict[int, tuple[Any, str]]
"""Objects that recur, by their identity: each, and its text where its lines begin at `_PLACE`."""

_RECURRING = frozenset(["parameters", "output_schema", "outputSchema", "annotations"])
"""Keys of values that stand in several files, or that many tools share, as they do `properties`."""


class Written(str):
    """JSON that is text already, laid out for the margin; it is moved to where it stands."""

    __slots__ = ()


def indented(value: Any, newline: str = "\n", texts: Texts | None = None) -> str:
    """``value`` as ``json.dumps(value, indent=2, ensure_ascii=False)`` writes it.

    Mappings and sequences of any class are objects and lists. ``newline`` begins each line:
    a line end and the indentation that ``value`` stands at. With ``texts``, what recurs
    is written once for all that is written with it: each of the ``properties`` of an object,
    what a tool takes in several files, what it returns, and what it does to the world.

    Raises:
        TypeError: for what JSON does not have.
    """
    kind = _class_of(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict:
        return _object(value, newline, texts) if value else "{}"
    if kind is list or kind is tuple:
        return _list(value, newline, texts) if value else "[]"
    if kind is bool or value is None:
        return _CONSTANTS[value]
    return int.__repr__(value) if kind is int else _rare(value, newline, texts)


def _object(value: Mapping[Any, Any], newline: str, texts: Texts | None) -> str:
    inner = f"{newline}  "
    members = [
        f"{encode_basestring(key) if type(key) is str else _key(key)}: "
        f"{encode_basestring(each) if type(each) is str else _member(key, each, inner, texts)}"
        for key, each in value.items()
    ]
    return joined("{", members, newline, "}")


def joined(opening: str, items: list[str], newline: str, closing: str) -> str:
    """The text of an object or a list with ``items``, of which there is one at least.

    The list is changed: a text of megabytes is not copied once more to have its brackets.
    """
    inner = f"{newline}  "
    items[0] = f"{opening}{inner}{items[0]}"
    items[-1] = f"{items[-1]}{newline}{closing}"
    return f",{inner}".join(items)


def _member(key: Any, value: Any, newline: str, texts: Texts | None) -> str:
    if texts is None or _class_of(value) is not dict or not value:
        return indented(value, newline, texts)
    if key == "properties":
        return _properties(value, newline, texts)
    if key in _RECURRING:
        _, text = texts.get(id(value)) or _written(value, texts)
        return _moved(text, _PLACE, newline)
    return _object(value, newline, texts)


def _properties(value: Mapping[Any, Any], newline: str, texts: Texts) -> str:
    """An object of whose members each is written once."""
    members = [
        f"{encode_basestring(name) if type(name) is str else _key(name)}: "
        f"{(texts.get(id(each)) or _written(each, texts))[1]}"
        for name, each in value.items()
    ]
    inner = f"{newline}  "
    text = _moved(f",{_PLACE}".join(members), _PLACE, inner)
    return f"{{{inner}{text}{newline}}}"


def _written(value: Any, texts: Texts) -> tuple[Any, str]:
    """What is kept of a value that recurs: it, so that nothing else gets its identity, and text."""
    texts[id(value)] = kept = value, indented(value, _PLACE, texts)
    return kept


def _moved(text: str, begun: str, newline: str) -> str:
    """A text whose lines began with ``begun``, where ``newline`` begins them."""
    return text if newline == begun else text.replace(begun, newline)


def _list(value: Sequence[Any], newline: str, texts: Texts | None) -> str:
    inner = f"{newline}  "
    items = [
        encode_basestring(each) if type(each) is str else indented(each, inner, texts)
        for each in value
    ]
    return joined("[", items, newline, "]")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return encode_basestring(key)
    if key is None or isinstance(key, bool | int | float):
        return f'"{indented(key)}"'
    raise TypeError(f"not a JSON key: {type(key).__name__}")


def _rare(value: Any, newline: str, texts: Texts | None) -> str:
    """Floats, and values of classes that are derived from those of JSON or stand for them."""
    if isinstance(value, Written):
        return _moved(value, "\n", newline)
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float(value)
    mapping: Any = Mapping
    if isinstance(value, mapping):
        return indented({**value}, newline, texts)
    sequence: Any = Sequence
    if isinstance(value, sequence):
        return indented([*value], newline, texts)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _float(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return float.__repr__(value)


def escaped(text: str) -> str:
    """JSON as UTF-8 can have it: halves of characters are escaped."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "backslashreplace")
