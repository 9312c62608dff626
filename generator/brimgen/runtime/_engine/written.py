"""What is written back of a call: exact JSON text, and nothing that was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def left_out(raw: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """Return those of ``names`` that are not there."""
    return tuple([name for name in names if name not in raw])


def to_json_text(value: Mapping[str, Any]) -> str:
    """Return compact JSON text of what ``to_dict`` returned; no digit of a Decimal is lost."""
    from .json_text import write_json

    return write_json(value)
