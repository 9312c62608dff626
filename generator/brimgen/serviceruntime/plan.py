"""What a package can run, and how: the table in its ``service.py``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

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


class StatementRun(Protocol):
    """A statement that is to be run once; it is undone for a caller that waits no longer."""

    @property
    def given(self) -> int | None:
        """The identity of the connection of the host program that it runs on, if it does."""
        ...

    @property
    def is_async(self) -> bool:
        """Whether it must be awaited."""
        ...

    @property
    def late(self) -> Callable[[], Any] | None:
        """Gives what it came to where its task was cancelled after its COMMIT had begun."""
        ...

    def run(self) -> Any:
        """Return the answer to its result. Raises IsAsync where it must be awaited."""
        ...

    async def run_async(self, opened: object = None) -> Any:
        """Return the answer to its result; ``opened`` is a connection that `IsAsync` told of."""
        ...

    def abandon(self) -> bool:
        """Stop it where its driver can; return True where its COMMIT has begun, which goes on."""
        ...


class Databases(Protocol):
    """The databases of a service."""

    def lacks(self, run: Statement) -> str | None:
        """Return what a statement lacks to run; None where it lacks nothing."""
        ...

    def is_given(self, run: Statement) -> bool:
        """Return whether a statement runs on a connection that the host program gave."""
        ...

    def start(
        self, run: Statement, bound: Any, answer: Callable[[Any], Any]
    ) -> StatementRun:
        """Return a statement with its input, and what is made of its result."""
        ...


class OpenDatabases(Protocol):
    """Opens the databases of a service; what packages without statements have not."""

    def __call__(
        self,
        plan: Plan,
        connections: Mapping[str, object],
        wrong: list[str],
        *,
        read_only: bool,
        is_async: bool,
    ) -> Databases:
        """Return the databases; what is none is told in ``wrong``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a package can run.

    ``package`` is its name; ``runs`` says how each tool runs, ``resources`` how each resource is
    read. ``prompts`` are those that can be rendered. ``drivers`` are those that the statements of a
    connection have text for, ``databases`` opens these; ``targets`` are what the command line opens
    for a connection if nothing else is said.
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
    databases: OpenDatabases | None = None
