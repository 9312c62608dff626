"""Write JSON values as text, and compare them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from json.encoder import encode_basestring
from typing import Any

from brimgen.emit.indented import json_line
from brimgen.model.json import Json


def json_text(value: Json) -> str:
    """Write a JSON value on one line, as a model reads it."""
    # For anything else an encoder is set up anew, which is most of what small values take.
    if isinstance(value, str):
        return encode_basestring(value)
    if type(value) is int:
        return int.__repr__(value)
    if value is True or value is False:
        return "true" if value else "false"
    return json_line(value)


def is_same_json(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal: ``1`` is not ``True``, and the order of keys does not
    matter.
    """
    if type(left) in _EXACT and type(right) in _EXACT:
        return type(left) is type(right) and left == right
    return _sorted(left) == _sorted(right)


_EXACT = frozenset([str, int, bool, type(None)])
"""Types whose equal values, and no others, are written alike; floats are not among them."""


def plain_json(value: Json) -> Any:
    """Convert the model's read-only JSON to the dicts and lists that validators need."""
    match value:
        case Mapping():
            return {key: plain_json(member) for key, member in value.items()}
        case list() | tuple():
            return [plain_json(item) for item in value]
        case _:
            return value


def _sorted(value: Json) -> str:
    return _SORTED.encode(value)


def _plain(value: Mapping[str, Json] | Sequence[Json]) -> Any:
    # The model's mappings and sequences may be read-only ones, which json does not know.
    return {**value} if isinstance(value, Mapping) else [*value]


# Made once: json.dumps makes an encoder for every call with options.
_SORTED = json.JSONEncoder(sort_keys=True, default=_plain)
