"""The views that the templates of the service target print."""

from __future__ import annotations

from collections.abc import Sequence

from brimgen.emit.code import Code
from brimgen.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """How a tool or resource runs, or is guarded: a ``call`` of a class of the runtime."""

    name: Code
    call: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionDrivers:
    """The drivers that the statements of a connection have text for."""

    name: Code
    drivers: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionTarget:
    """What the command line opens for a connection."""

    name: Code
    target: Code


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceModule:
    """``service.py``: what the package can run, and how."""

    header: Code
    imports: Sequence[Code]
    runs: Sequence[Runner]
    resources: Sequence[Runner]
    guards: Sequence[Runner]
    prompts: Code | None
    connections: Sequence[ConnectionDrivers]
    targets: Sequence[ConnectionTarget]
    has_own_leaves: bool
    has_aliases: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServicePart:
    """``__main__.py``, which is the same for every catalog."""

    header: Code
