"""Estimate the tokens that a model is sent for a JSON value.

An estimate: four bytes of the compact JSON are one token. Tokenizers of the large providers make
3.5 to 4.5 bytes of English prose and JSON one token, and each provider adds words of its own; for
other scripts the bytes of UTF-8 come nearer than characters do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from brimgen.model.json import Json

BYTES_A_TOKEN = 4

MOST_TOKENS = 8_000
"""What the schema of one descriptor may take; beyond it, the deepest parts are left open."""


def _writable(value: Mapping[str, Json] | Sequence[Json]) -> Any:
    # The model's mappings and sequences may be read-only ones, which json does not know.
    return {**value} if isinstance(value, Mapping) else [*value]


# No value of the model holds itself, so nobody need look out for that.
_ENCODER = json.JSONEncoder(
    check_circular=False,
    ensure_ascii=False,
    separators=(",", ":"),
    default=_writable,
)


def estimate(value: Json) -> int:
    """About how many tokens ``value`` takes."""
    text = _ENCODER.encode(value).encode("utf-8", "surrogatepass")
    return -(-len(text) // BYTES_A_TOKEN)
