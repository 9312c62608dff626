"""Read and write the lock file; equal entries always give equal text.

It is checked in. An entry holds what the specs of a bundle or tool leave out: ``id``,
``createdAt``, ``modifiedAt``; and ``structure``, the digest that ``modifiedAt`` depends on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from brimgen.frozen import dataclass, field
from brimgen.model.json import is_object

UUID7 = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
"""A UUID of version 7 as it is written everywhere: in lower case (S2.15)."""

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEYS: Mapping[str, str] = {
    "id": "id",
    "created_at": "createdAt",
    "modified_at": "modifiedAt",
    "structure": "structure",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LockEntry:
    """The entry of a bundle or tool; a value is None where the spec has it or none exists."""

    id: str | None = None
    created_at: str | None = None
    modified_at: str | None = None
    structure: str | None = None


NOTHING = LockEntry()
_EMPTY: Mapping[str, LockEntry] = MappingProxyType({})


class UnreadableLock(ValueError):
    """The text is no lock file; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """All entries, by the names of bundles and tools."""

    bundles: Mapping[str, LockEntry] = field(default_factory=lambda: _EMPTY)
    tools: Mapping[str, LockEntry] = field(default_factory=lambda: _EMPTY)

    def to_file(self) -> str | None:
        """`to_text`, or None where the specs state every id and time: then there is no file."""
        is_empty = {*self.bundles.values(), *self.tools.values()} <= {NOTHING}
        return None if is_empty else self.to_text()

    def to_text(self) -> str:
        """The file; sorted, so that it is the same for the same entries."""
        value = {
            "version": 1,
            "bundles": _as_json(self.bundles),
            "tools": _as_json(self.tools),
        }
        return json.dumps(value, indent=2) + "\n"


def _as_json(entries: Mapping[str, LockEntry]) -> dict[str, dict[str, str]]:
    return {
        name: {
            key: text
            for attribute, key in _KEYS.items()
            if (text := getattr(entries[name], attribute)) is not None
        }
        for name in sorted(entries)
        if entries[name] != NOTHING
    }


def read_lock(text: str) -> Lock:
    """The entries of a lock file. Raises UnreadableLock."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise UnreadableLock(f"it is not JSON ({problem})") from None
    if not is_object(value) or value.get("version") != 1:
        raise UnreadableLock("it was not written by this version of brimgen")
    return Lock(bundles=_entries(value, "bundles"), tools=_entries(value, "tools"))


def _entries(value: dict[str, Any], key: str) -> Mapping[str, LockEntry]:
    table = value.get(key, {})
    if not is_object(table):
        raise UnreadableLock(f"`{key}` is not an object")
    entries = {
        str(name): _entry(f"{key}/{name}", member) for name, member in table.items()
    }
    return MappingProxyType(entries)


def _entry(place: str, value: Any) -> LockEntry:
    if not is_object(value) or not value.keys() <= {*_KEYS.values()}:
        raise UnreadableLock(f"`{place}` is not an entry")
    texts: dict[str, str] = {}
    for attribute, key in _KEYS.items():
        text = value.get(key)
        if text is None:
            continue
        if not isinstance(text, str) or not _is_sound(key, text):
            raise UnreadableLock(f"`{place}/{key}` is not what it was")
        texts[attribute] = text
    return LockEntry(**texts)


def _is_sound(key: str, text: str) -> bool:
    if key == "id":
        return UUID7.fullmatch(text) is not None
    if key == "structure":
        return _DIGEST.fullmatch(text) is not None
    if _TIME.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
