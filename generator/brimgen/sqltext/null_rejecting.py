"""Null-rejecting conditions: the parameters that make one untrue while they are NULL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from brimgen.sqltext.tokens import Token

NullRejecting: TypeAlias = Mapping[str, tuple[Token, ...]]
"""The parameters that a condition rejects NULL for, by name, and where they stand."""
NONE: NullRejecting = {}


def by_name(tokens: Iterable[Token]) -> NullRejecting:
    """Each parameter with its places."""
    found: dict[str, tuple[Token, ...]] = {}
    for each in tokens:
        found[each.name] = (*found.get(each.name, ()), each)
    return found


def joined(*parts: NullRejecting) -> NullRejecting:
    """What is rejected where any of the parts rejects it."""
    found: dict[str, tuple[Token, ...]] = {}
    for part in parts:
        for name, places in part.items():
            found[name] = (*found.get(name, ()), *places)
    return found


def common(parts: Sequence[NullRejecting]) -> NullRejecting:
    """What is rejected where all of the parts, one at least, have to."""
    found = dict(parts[0])
    for part in parts[1:]:
        found = {
            name: (*places, *part[name])
            for name, places in found.items()
            if name in part
        }
    return found
