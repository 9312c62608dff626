"""Compare JSON values, and make plain ones of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from brimgen.model.json import Json


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
