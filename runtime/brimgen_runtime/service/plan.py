"""The plan of a package, in its ``service.py``: its tools and how each one runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from ..calls.aliases import Aliases
from ..calls.tools import Tools
from .guards import Guard

Encode: TypeAlias = Callable[[Any], Any]
"""Encodes the return value of a function as JSON."""

Rows: TypeAlias = Literal["none", "count", "last_id", "one", "maybe", "many"]
"""The result of a statement: none, the number of changed rows, one row, a row or null, a list."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A tool that runs a statement: its module, its connection, the form of its result.

    ``reads``: the tool is read-only, so the database is made to refuse writes.
    """

    word: ClassVar[Literal["statement"]] = "statement"
    module: str
    connection: str
    rows: Rows
    reads: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A tool that sends a request: its module, and the names of its secrets.

    ``base`` is the one that holds the base URL; None where the spec has the URL.
    """

    word: ClassVar[Literal["request"]] = "request"
    module: str
    secrets: tuple[str, ...] = ()
    base: str | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """A tool or resource that a function of the host program runs.

    ``handler`` is the path of the function in the spec (``package.module:function``). ``encode``
    encodes its return value; None if it returns nothing. With ``keywords``, the function takes each
    argument as a keyword, not the call.
    """

    word: ClassVar[Literal["function"]] = "function"
    handler: str | None = None
    encode: Encode | None = None
    keywords: bool = False


Run: TypeAlias = Statement | Request | Function
"""How a tool runs."""


@dataclass(frozen=True, slots=True)
class ProjectTarget:
    """The target of a connection that nobody gave for this run: that of the project's settings.

    Where it cannot be opened, the tools of the connection cannot run; all others do. ``problem``
    says why there is none.
    """

    target: str
    problem: str = ""


class Changed(int):
    """The number of rows that a statement without a result changed; -1 if unknown."""


NOTHING = "nothing was changed: with these arguments there is nothing to change"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a package can run.

    ``package`` is its name; ``runs`` says how each tool runs, ``resources`` how each resource is
    read. ``prompts`` are those that can be rendered. ``drivers`` are those that the statements of a
    connection have text for. ``databases`` is the class that opens the connections; None without
    statements. ``targets`` are what the command line opens for a connection by default.
    ``aliases`` are the names that providers are told in the place of those that they refuse, by
    tool. ``guards`` are of the tools that ask before they run. ``methods`` are the methods of a
    service that are not called like their tool, by tool.
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
    aliases: Mapping[str, Aliases] = field(default_factory=dict[str, Aliases])
    guards: Mapping[str, Guard] = field(default_factory=dict[str, Guard])
    methods: Mapping[str, str] = field(default_factory=dict[str, str])
