"""Setup: the configuration of a server, by a host program or the command line."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from .databases import Database

Run: TypeAlias = Callable[[Any], Any]
"""Takes the bound input of a tool; returns the result, or something to await for it."""
InThread: TypeAlias = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a function in a thread beside the event loop."""


class Registry(Protocol):
    """What the package's ``Handlers`` offer: tools called by name, whatever goes wrong in them."""

    @property
    def disabled(self) -> Mapping[str, str]:
        """The tools that cannot be called, each with its reason."""
        ...

    async def invoke_async(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes,
        /,
        context: object = None,
        **host: Any,
    ) -> Any:
        """Return the outcome of a call."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the host program gives a server.

    ``context`` is where hidden arguments come from: a mapping or dataclass, or a function that
    makes one of the SDK's request context. The function may be async; another one runs in a
    thread. ``values`` are the arguments with ``llm: false``, by tool and attribute.
    ``connections`` are databases by name; ``handlers`` the package's ``Handlers``, or functions
    of bound inputs by the name of their tool or resource (None: those that the specs name);
    ``client`` is what HTTP tools are invoked with, by keyword (``secrets``, ``transport``,
    ``options``). With ``error_bodies`` models are told how the answers begin that HTTP tools get
    for errors.

    ``read_only`` leaves the tools that say they change nothing, and runs every statement in a
    transaction in which the database refuses writes. ``only`` leaves the tools that it names,
    ``available_only`` those that can run.
    """

    context: object = None
    values: Mapping[str, Mapping[str, object]] = field(
        default_factory=dict[str, Mapping[str, object]]
    )
    connections: Mapping[str, Database] = field(default_factory=dict[str, Database])
    handlers: Registry | Mapping[str, Run] | None = None
    client: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error_bodies: bool = False
    read_only: bool = False
    only: Collection[str] | None = None
    available_only: bool = False

    async def context_of(self, request: object, in_thread: InThread) -> object:
        """Return the context of one request of the SDK."""
        make = self.context
        if not callable(make):
            return make
        if inspect.iscoroutinefunction(make):
            return await make(request)
        made = await in_thread(lambda: make(request))
        return await made if inspect.isawaitable(made) else made
