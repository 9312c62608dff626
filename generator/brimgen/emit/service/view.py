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
class ToolMethod:
    """The method of a ``tool``: the class of its arguments and the type of its result.

    ``renamed`` is the name as a text, where that is not the tool's. ``documentation`` is None where
    the spec says nothing.
    """

    tool: Code
    name: Code
    renamed: Code | None
    input_class: Code
    result: Code
    documentation: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceModule:
    """``service.py``: what the package can run, and how.

    ``typing_imports`` and ``records`` are what the types of the methods need.
    """

    header: Code
    imports: Sequence[Code]
    typing_imports: Sequence[Code]
    records: Sequence[Code]
    methods: Sequence[ToolMethod]
    runs: Sequence[Runner]
    resources: Sequence[Runner]
    guards: Sequence[Runner]
    prompts: Code | None
    connections: Sequence[ConnectionDrivers]
    targets: Sequence[ConnectionTarget]
    has_own_leaves: bool
    has_aliases: bool
