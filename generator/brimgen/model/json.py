"""JSON values as the model holds them: read-only, never changed after they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

Json: TypeAlias = (
    "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
)
JsonObject: TypeAlias = Mapping[str, Json]


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether what was read from JSON text is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether what was read from JSON text is an array."""
    return isinstance(value, list)
