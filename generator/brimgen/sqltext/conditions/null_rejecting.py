"""Combine sets of parameters that make a condition untrue while they are NULL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from brimgen.sqltext.tokens import Token

NullRejecting: TypeAlias = Mapping[str, tuple[Token, ...]]
"""The parameters that a condition rejects NULL for, by name, and where they stand."""
NONE: NullRejecting = {}


def by_name(tokens: Iterable[Token]) -> NullRejecting:
    """Group parameters by name, each with its places."""
    found: dict[str, tuple[Token, ...]] = {}
    for token in tokens:
        found[token.name] = (*found.get(token.name, ()), token)
    return found


def joined(*parts: NullRejecting) -> NullRejecting:
    """Return what is rejected if any of the parts rejects it."""
    found: dict[str, tuple[Token, ...]] = {}
    for part in parts:
        for name, places in part.items():
            found[name] = (*found.get(name, ()), *places)
    return found


def common(parts: Sequence[NullRejecting]) -> NullRejecting:
    """Return what all of the parts reject; there is at least one."""
    found = dict(parts[0])
    for part in parts[1:]:
        found = {
            name: (*places, *part[name])
            for name, places in found.items()
            if name in part
        }
    return found
