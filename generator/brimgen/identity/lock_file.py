"""Read and write the lock file; equal entries always give equal text.

It is checked in. An entry holds what the specs of a bundle or tool leave out: ``id``,
``createdAt``, ``modifiedAt``; and ``structure``, the digest that ``modifiedAt`` depends on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from brimgen.frozen import dataclass, field
from brimgen.model.json import is_object

UUID7 = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
)
"""A UUID of version 7 as it is written everywhere: in lower case (S2.15)."""

_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
_DIGEST = re.compile(r"[0-9a-f]{64}")

Entry: TypeAlias = Mapping[str, str]
"""What is kept of a bundle or tool, by the keys of `_KEYS`; what its spec states is left out."""


class UnreadableLock(ValueError):
    """The text is no lock file; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """All entries, by the names of bundles and tools."""

    bundles: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    tools: Mapping[str, Entry] = field(default_factory=dict[str, Entry])

    def to_file(self) -> str | None:
        """`to_text`, or None where the specs state every id and time: then there is no file."""
        entries = [*self.bundles.values(), *self.tools.values()]
        return self.to_text() if any(entries) else None

    def to_text(self) -> str:
        """The file; sorted, so that it is the same for the same entries."""
        value = {
            "version": 1,
            "bundles": _as_json(self.bundles),
            "tools": _as_json(self.tools),
        }
        return json.dumps(value, indent=2) + "\n"


def _as_json(entries: Mapping[str, Entry]) -> dict[str, dict[str, str]]:
    return {
        name: {key: entry[key] for key in _KEYS if key in entry}
        for name, entry in sorted(entries.items())
        if entry
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


def _entries(value: dict[str, Any], key: str) -> Mapping[str, Entry]:
    table = value.get(key, {})
    if not is_object(table):
        raise UnreadableLock(f"`{key}` is not an object")
    return {name: _entry(f"{key}/{name}", member) for name, member in table.items()}


def _entry(place: str, value: Any) -> Entry:
    if not is_object(value) or not value.keys() <= _KEYS.keys():
        raise UnreadableLock(f"`{place}` is not an entry")
    for key, text in value.items():
        if not isinstance(text, str) or not _KEYS[key](text):
            raise UnreadableLock(f"`{place}/{key}` is not what it was")
    return value


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False


_KEYS: Mapping[str, Callable[[str], object]] = {
    "id": UUID7.fullmatch,
    "createdAt": _is_time,
    "modifiedAt": _is_time,
    "structure": _DIGEST.fullmatch,
}
"""The keys of an entry in the order of the file, and what tells their values."""
