"""Killers: parameters that make a condition untrue while they are NULL, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from brimgen.sqltext.tokens import Token

Killers: TypeAlias = Mapping[str, tuple[Token, ...]]
NONE: Killers = {}


def by_name(tokens: Iterable[Token]) -> Killers:
    """Each parameter with its places."""
    found: dict[str, tuple[Token, ...]] = {}
    for each in tokens:
        found[each.name] = (*found.get(each.name, ()), each)
    return found


def joined(*parts: Killers) -> Killers:
    """What kills where any of the parts does."""
    found: dict[str, tuple[Token, ...]] = {}
    for part in parts:
        for name, places in part.items():
            found[name] = (*found.get(name, ()), *places)
    return found


def common(parts: Sequence[Killers]) -> Killers:
    """What kills where only all of the parts, one at least, do."""
    found = dict(parts[0])
    for part in parts[1:]:
        found = {
            name: (*places, *part[name])
            for name, places in found.items()
            if name in part
        }
    return found
