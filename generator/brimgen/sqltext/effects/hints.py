"""The four MCP annotations that describe what a statement does (sql.md)."""

from __future__ import annotations

from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Hints:
    """What MCP annotations say about a statement; None: not said (open world is always False)."""

    read_only: bool | None
    destructive: bool | None
    idempotent: bool | None


READS = Hints(read_only=True, destructive=None, idempotent=None)
ADDS = Hints(read_only=False, destructive=False, idempotent=False)
REPLACES = Hints(read_only=False, destructive=True, idempotent=True)
CHANGES = Hints(read_only=False, destructive=True, idempotent=False)
UNKNOWN = Hints(read_only=None, destructive=None, idempotent=None)
"""Of a function that may do anything: clients expect the worst where nothing is said."""
