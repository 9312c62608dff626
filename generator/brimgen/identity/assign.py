"""Give every bundle and tool its identity, and compute the next lock file.

Values of the spec come first. Missing ones come from the lock file; what that does not have is
generated once: ids and ``createdAt`` never change afterwards, ``modifiedAt`` changes with the
structure (S2.14-15, S2.27-28).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from brimgen.frozen import dataclass, replace
from brimgen.identity.lock_file import NOTHING, Lock, LockEntry
from brimgen.identity.new_values import Supply
from brimgen.identity.structure_digest import structure_of
from brimgen.model.catalog import Bundle, Catalog, Identity, Tool

_Subject = TypeVar("_Subject", Bundle, Tool)


def keep(catalog: Catalog, lock: Lock, supply: Supply) -> tuple[Catalog, Lock]:
    """The catalog, all its bundles and their tools identified, and the lock that says the same.

    Entries of what is gone are gone: whoever brings a spec back from its history brings back its
    entry as well.
    """
    keeper = _Keeper(supply)
    bundles = {bundle.name: bundle for bundle in catalog.bundles}
    shelved = {tool.name: tool for tool in catalog.tools if tool.bundle is not None}
    kept_bundles = keeper.keep_all(bundles, lock.bundles)
    kept_tools = keeper.keep_all(shelved, lock.tools)
    identified = replace(
        catalog,
        bundles=tuple(kept_bundles[name][0] for name in bundles),
        tools=tuple(
            kept_tools[tool.name][0] if tool.name in kept_tools else tool
            for tool in catalog.tools
        ),
    )
    return identified, Lock(
        bundles={name: entry for name, (_, entry) in kept_bundles.items()},
        tools={name: entry for name, (_, entry) in kept_tools.items()},
    )


@dataclass(frozen=True, slots=True)
class _Keeper:
    supply: Supply

    def keep_all(
        self,
        subjects: Mapping[str, _Subject],
        lock: Mapping[str, LockEntry],
    ) -> dict[str, tuple[_Subject, LockEntry]]:
        """Every subject with its identity, and what is kept of it."""
        identified: dict[str, tuple[_Subject, LockEntry]] = {}
        for name, subject in subjects.items():
            entry = self._keep(subject, lock.get(name, NOTHING))
            identity = _identity(subject.identity, entry)
            identified[name] = replace(subject, identity=identity), entry
        return identified

    def _keep(self, subject: Bundle | Tool, old: LockEntry) -> LockEntry:
        stated = subject.identity
        created = stated.created_at or old.created_at or self.supply.time()
        entry = LockEntry(
            id=None if stated.id else old.id or self.supply.uuid7(),
            created_at=None if stated.created_at else created,
        )
        if stated.modified_at is not None:
            return entry
        structure = structure_of(subject)
        modified = old.modified_at
        if old.structure is None or modified is None:
            modified = created
        elif old.structure != structure:
            modified = max(self.supply.time(), created)
        return replace(entry, modified_at=modified, structure=structure)


def _identity(stated: Identity, entry: LockEntry) -> Identity:
    return Identity(
        id=stated.id or entry.id,
        created_at=stated.created_at or entry.created_at,
        modified_at=stated.modified_at or entry.modified_at,
    )
