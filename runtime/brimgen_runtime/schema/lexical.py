"""Read text as its declared type: paths, queries and prompt arguments are strings.

Text that cannot be read as its type stays a string, so that the schema refuses it with its own
message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

from .errors import InputError
from .json_text import parse_json, write_json

Kind: TypeAlias = Literal["string", "integer", "number", "boolean", "scalar", "json"]
"""What a text stands for: itself, a JSON number, ``true`` or ``false``, any of those, or JSON."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,308})", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?", re.ASCII)


def read_text(text: str, kind: Kind) -> Any:
    """Return the JSON value that a text stands for, the text itself where it stands for none."""
    return _READERS[kind](text)


def read_texts(texts: Sequence[str], kind: Kind) -> Any:
    """Return the list that one text or several stand for: a JSON array, or an item each."""
    if len(texts) == 1 and texts[0][:1] == "[":
        return _json(texts[0])
    return [read_text(text, kind) for text in texts]


def write_text(value: Any) -> str:
    """Return the text of a JSON value: a string as it is, everything else as JSON."""
    return value if isinstance(value, str) else write_json(value)


def _string(text: str) -> Any:
    return text


def _integer(text: str) -> Any:
    return int(text) if _INTEGER.fullmatch(text) else text


def _number(text: str) -> Any:
    return _json(text) if _NUMBER.fullmatch(text) else text


def _boolean(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


def _scalar(text: str) -> Any:
    read = _boolean(text)
    return _number(text) if read is text else read


def _json(text: str) -> Any:
    try:
        return parse_json(text)
    except InputError:
        return text


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "scalar": _scalar,
    "json": _json,
}
