"""The views that the templates of the server target print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerModule:
    """``mcp_server.py`` and ``_server/_package.py``, which are the same for every catalog."""

    header: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStatement:
    """How a statement runs; ``rows`` says how many rows it returns."""

    connection: str
    drivers: Sequence[str]
    rows: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """How a tool runs: by a ``statement``, by another ``module``, or by a function of the host.

    ``wraps``: its result goes out as the member of an object.
    """

    name: str
    runs: str
    module: str | None = None
    statement: RunStatement | None = None
    wraps: bool


@dataclass(frozen=True, slots=True)
class Entries:
    """``_server/lists/entries.json``."""

    tools: Sequence[Entry]
