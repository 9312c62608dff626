"""Setup: the configuration of a server, by a host program or the command line."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from ._package import Caller
from .databases import Database

Run: TypeAlias = Callable[[Any], Any]
"""Takes the bound input of a tool; returns the result, or something to await for it."""
InThread: TypeAlias = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a function in a thread beside the event loop."""


Visible: TypeAlias = Callable[
    [Caller], Collection[str] | Awaitable[Collection[str] | None] | None
]
"""Returns the names of the tools that a caller may see and call; None for all of them."""
Suggest: TypeAlias = Callable[
    [str, str, Mapping[str, str]],
    Iterable[str] | Awaitable[Iterable[str] | None] | None,
]
"""Takes the name of an argument, what a user has typed of it, and the arguments that are known;
returns values that it may have, or None where its schema is to tell them."""


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
    makes one for the `Caller` of a request. The function may be async; another one runs in a
    thread, so that it may block. ``values`` are the arguments with ``llm: false``, by tool and
    attribute. ``connections`` are databases by name; ``handlers`` the package's ``Handlers``, or
    functions of bound inputs by the name of their tool or resource (None: those that the specs
    name); ``client`` is what HTTP tools are invoked with, by keyword (``secrets``, ``transport``,
    ``options``). With ``error_bodies`` models are told how the answers begin that HTTP tools get
    for errors.

    ``read_only`` leaves the tools that say they change nothing, and runs every statement in a
    transaction in which the database refuses writes. ``only`` leaves the tools that it names,
    ``available_only`` those that can run; ``visible`` decides for each caller.

    ``title``, ``version`` and ``instructions`` are told to clients (None: as the settings of the
    project have them). ``page_size`` is the number of items on one page of a list (None: all),
    ``timeout`` the seconds that a call may take (None: any). ``suggest`` completes arguments of
    prompts and resources, by their names.
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
    visible: Visible | None = None
    title: str | None = None
    version: str | None = None
    instructions: str | None = None
    page_size: int | None = None
    timeout: float | None = None
    suggest: Mapping[str, Suggest] = field(default_factory=dict[str, Suggest])

    def __post_init__(self) -> None:
        if self.page_size is not None and self.page_size < 1:
            raise ValueError("page_size: expected a number above 0")
        if self.timeout is not None and not self.timeout > 0:
            raise ValueError("timeout: expected a number of seconds above 0")

    async def context_of(self, caller: Caller, in_thread: InThread) -> object:
        """Return the context of a caller."""
        make = self.context
        if not callable(make):
            return make
        return await resolved(make, caller, in_thread=in_thread)

    async def visible_to(
        self, caller: Caller, in_thread: InThread
    ) -> Collection[str] | None:
        """Return the names of the tools that a caller may see; None for all of them."""
        if self.visible is None:
            return None
        found: Collection[str] | None = await resolved(
            self.visible, caller, in_thread=in_thread
        )
        return found


async def resolved(
    function: Callable[..., Any], *arguments: Any, in_thread: InThread
) -> Any:
    """Return what a function of the host program returns; unless async, it runs in a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    found = await in_thread(lambda: function(*arguments))
    return await found if inspect.isawaitable(found) else found
