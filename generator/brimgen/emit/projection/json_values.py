"""Compare JSON values, and make plain ones of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brimgen.model.json import Json


def is_same_json(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal: ``1`` is not ``True``, and the order of keys does not
    matter.
    """
    if left is right:  # schemas of entities are shared where they are embedded
        return True
    if isinstance(left, Mapping):
        return (
            isinstance(right, Mapping)
            and left.keys() == right.keys()
            and all(is_same_json(value, right[key]) for key, value in left.items())
        )
    if isinstance(left, list | tuple):
        return (
            isinstance(right, list | tuple)
            and len(left) == len(right)
            and all(map(is_same_json, left, right))
        )
    if isinstance(left, bool) or isinstance(right, bool):
        return False  # two that are equal are one object
    if isinstance(left, float) and isinstance(right, float):
        # They are compared as they are written: 0.0 is not -0.0.
        return float.__repr__(left) == float.__repr__(right)
    is_float = isinstance(left, float) or isinstance(right, float)
    return not is_float and left == right


def plain_json(value: Json) -> Any:
    """Convert the model's read-only JSON to the dicts and lists that validators need."""
    match value:
        case Mapping():
            return {str(key): plain_json(member) for key, member in value.items()}
        case list() | tuple():
            return [plain_json(item) for item in value]
        case _:
            return value
