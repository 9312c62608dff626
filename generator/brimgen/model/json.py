"""JSON values as the model holds them: read-only, never changed after they are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = (
    "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
)
JsonObject: TypeAlias = Mapping[str, Json]
