"""Record how often tools were called, and when last, without delaying the caller."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from .disk import Disk
from .errors import StoreError

_FILE = "usage.json"


class Usage:
    """The call counts of a store; a program writes pending counts before it ends."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._writer = ThreadPoolExecutor(1, "tool-usage")
        self._problem: Exception | None = None

    def called(self, key: str, at: str) -> None:
        """Count a call, in another thread."""
        self._writer.submit(self._note, key, at)

    def of(self, key: str) -> dict[str, Any]:
        """Return ``callCount`` and ``lastCalledAt`` of a tool; empty if it was never called."""
        counts = self._disk.read_sound(_FILE, is_sound=_are_counts) or {}
        used: dict[str, Any] = counts.get(key, {})
        return used

    def flush(self) -> None:
        """Wait until every call so far is written; raise the first problem since the last time."""
        self._writer.submit(int).result()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def forget(self, key: str) -> None:
        """Remove the counts of a deleted tool, under the lock."""
        counts = self._disk.read_sound(_FILE, is_sound=_are_counts) or {}
        if counts.pop(key, None) is not None:
            self._disk.write(counts, _FILE)

    def _note(self, key: str, at: str) -> None:
        try:
            self._write(key, at)
        except (OSError, StoreError) as problem:
            self._problem = self._problem or problem

    def _write(self, key: str, at: str) -> None:
        with self._disk.locked():
            counts = self._disk.read(_FILE, is_sound=_are_counts) or {}
            before: dict[str, Any] = counts.get(key, {})
            counts[key] = {
                "callCount": before.get("callCount", 0) + 1,
                "lastCalledAt": max(before.get("lastCalledAt", ""), at),
            }
            self._disk.write(counts, _FILE)


def _are_counts(value: Mapping[str, Any]) -> bool:
    """Return whether an object is what the store writes to the file of the counts."""
    rows = (
        cast("dict[str, Any]", each) if isinstance(each, dict) else {}
        for each in value.values()
    )
    return all(
        type(row.get("callCount")) is int and isinstance(row.get("lastCalledAt"), str)
        for row in rows
    )
