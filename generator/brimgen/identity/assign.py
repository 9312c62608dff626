"""Give every bundle and tool its identity, and compute the next lock file.

Values of the spec come first. Missing ones come from the lock file; what that does not have is
generated once: ids and ``createdAt`` never change afterwards, ``modifiedAt`` changes with the
structure (S2.14-15, S2.27-28).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from brimgen.frozen import dataclass, replace
from brimgen.identity.lock_file import Entry, Lock
from brimgen.identity.structure_digest import structure_of
from brimgen.model.catalog import Bundle, Catalog, Identity, Tool

_Subject = TypeVar("_Subject", Bundle, Tool)


def keep(catalog: Catalog, lock: Lock, supply: Supply) -> tuple[Catalog, Lock]:
    """The catalog, all its bundles and their tools identified, and the lock that says the same.

    Entries of what is gone are gone: whoever brings a spec back from its history brings back its
    entry as well.
    """
    bundles, kept_bundles = _identified(catalog.bundles, lock.bundles, supply)
    shelved = [tool for tool in catalog.tools if tool.bundle is not None]
    tools, kept_tools = _identified(shelved, lock.tools, supply)
    identified = replace(
        catalog,
        bundles=tuple(bundles.values()),
        tools=tuple(tools.get(tool.name, tool) for tool in catalog.tools),
    )
    return identified, Lock(bundles=kept_bundles, tools=kept_tools)


def _identified(
    subjects: Iterable[_Subject], lock: Mapping[str, Entry], supply: Supply
) -> tuple[dict[str, _Subject], dict[str, Entry]]:
    """Every subject with its identity, and what is kept of it, by name."""
    identified: dict[str, _Subject] = {}
    entries: dict[str, Entry] = {}
    for subject in subjects:
        stated, name = subject.identity, subject.name
        entries[name] = entry = _entry(subject, lock.get(name, {}), supply)
        identity = Identity(
            id=stated.id or entry["id"],
            created_at=stated.created_at or entry["createdAt"],
            modified_at=stated.modified_at or entry["modifiedAt"],
        )
        identified[name] = replace(subject, identity=identity)
    return identified, entries


def _entry(subject: Bundle | Tool, old: Entry, supply: Supply) -> Entry:
    """What is kept of a subject: what its spec does not state. ``old`` is what was kept so far."""
    stated, entry = subject.identity, dict[str, str]()
    created = stated.created_at or old.get("createdAt") or supply.time()
    if not stated.id:
        entry["id"] = old.get("id") or supply.uuid7()
    if not stated.created_at:
        entry["createdAt"] = created
    if stated.modified_at is None:
        modified, structure = old.get("modifiedAt"), structure_of(subject)
        if modified is None or "structure" not in old:
            modified = created
        elif old["structure"] != structure:
            modified = max(supply.time(), created)
        entry |= {"modifiedAt": modified, "structure": structure}
    return entry


@dataclass(frozen=True, slots=True)
class Supply:
    """The clock, in UTC, and a source of random bytes; tests put their own in their place."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    random: Callable[[int], bytes] = os.urandom

    def time(self) -> str:
        """The time as RFC 3339 in UTC, to the second."""
        return f"{self.now().astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z"

    def uuid7(self) -> str:
        """A new UUID of version 7 (RFC 9562): milliseconds, then chance."""
        milliseconds = int(self.now().timestamp() * 1000) & ((1 << 48) - 1)
        chance = int.from_bytes(self.random(10), "big")
        value = milliseconds << 80 | 0x7 << 76 | (chance >> 62 & 0xFFF) << 64
        value |= 0b10 << 62 | chance & ((1 << 62) - 1)
        return str(UUID(int=value))
