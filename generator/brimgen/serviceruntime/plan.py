"""What a package can run, and how: the table in its ``service.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ._package import Tools

Encode: TypeAlias = Callable[[Any], Any]
"""Makes JSON of what a function returned."""

Rows: TypeAlias = Literal["none", "count", "one", "maybe", "many"]
"""What a statement gives: nothing, the number of changed rows, one row, one row or null, a list."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A tool that runs a statement: its module, its connection, what becomes of its rows.

    ``reads``: the tool promises to change nothing, so the database is told to refuse writes.
    """

    module: str
    connection: str
    rows: Rows
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A tool that sends a request: its module, and the names of the secrets that it sends."""

    module: str
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """A tool or resource that a function of the host program runs.

    ``handler`` is where its spec says the function is (``package.module:function``). ``encode``
    makes JSON of what it returns; None where it returns nothing.
    """

    handler: str | None = None
    encode: Encode | None = None


Run: TypeAlias = Statement | Request | Function
"""How a tool runs."""


class Changed(int):
    """How many rows a statement without a result has changed; -1 where nobody counts."""


NOTHING = "nothing was changed: with these arguments there is nothing to change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a package can run.

    ``package`` is its name; ``runs`` says how each tool runs, ``resources`` how each resource is
    read. ``prompts`` are those that can be rendered. ``drivers`` are those that the statements of a
    connection have text for. ``databases`` is the class that opens the connections; None without
    statements. ``targets`` are what the command line opens for a connection by default.
    """

    package: str
    tools: Tools
    runs: Mapping[str, Run]
    resources: Mapping[str, Function] = field(default_factory=dict[str, Function])
    prompts: tuple[str, ...] = ()
    drivers: Mapping[str, Sequence[str]] = field(
        default_factory=dict[str, Sequence[str]]
    )
    targets: Mapping[str, str] = field(default_factory=dict[str, str])
    leaves: Mapping[str, Callable[[Any], object]] | None = None
    databases: Any = None
