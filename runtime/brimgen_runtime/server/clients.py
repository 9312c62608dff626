"""The clients of a server over HTTP: who hangs up frees its places, and each has a share of them.

A client is a session; where there is none, the subject of a token, or an address. Nothing keeps a
person from opening several sessions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from .failures import WITHOUT_HANDSHAKE, Refusal
from .sdk import sdk

T = TypeVar("T")

App: TypeAlias = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application."""

_WAITING = "brimgen.waiting"
"""The key of a `Waiting` in the ASGI scope of a request."""
_MOST_CALLS = 1000
"""The calls of one client that run or wait."""
_BUSY = "Too many of your calls run. Try again later."


@dataclass(slots=True)
class Waiting:
    """What waits for the response of one HTTP request."""

    keeps_sessions: bool
    has_ended: bool = False
    scopes: list[Any] = field(default_factory=list[Any])

    def end(self) -> None:
        """Cancel what still works for the response."""
        self.has_ended = True
        for scope in self.scopes:
            scope.cancel()


def ending_with_clients(app: App, *, keeps_sessions: bool) -> App:
    """Return an application whose work for a request ends with the request.

    The SDK cancels the work for a client that hangs up only from revision 2026-07-28 on. In a
    session of older ones a client could read the response later, but no response is kept here.
    """

    async def ending(scope: Any, receive: Any, send: Any) -> None:
        waiting = Waiting(keeps_sessions)
        try:
            await app({**scope, _WAITING: waiting}, receive, send)
        finally:
            waiting.end()

    return ending


async def while_heard(context: Any, work: Callable[[], Awaitable[T]]) -> T:
    """Return the result of work for a request. Raises Refusal if its client hangs up."""
    waiting = _waiting(context)
    if waiting is None:
        return await work()
    (cancel_scope,) = sdk("anyio", "CancelScope")
    with cancel_scope() as scope:
        waiting.scopes.append(scope)
        if waiting.has_ended:
            scope.cancel()
        return await work()
    raise Refusal("The client has hung up.", "server")


@dataclass(slots=True, weakref_slot=True)
class _Client:
    """The places of a client, and the number of its calls that run or wait."""

    places: asyncio.Semaphore
    calls: int = 0


class Places:
    """The calls of each client that run at once; others of the client wait for so many seconds.

    Over stdio there is one client, whose calls wait for the places of the service.
    """

    def __init__(self, most: int, seconds: float | None) -> None:
        self._most = most
        self._seconds = seconds
        self._by_name = WeakValueDictionary[Hashable, _Client]()

    async def run(self, context: Any, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of the work of a call, which begins when its client has a place.

        Raises Refusal if there is none in time, or if too many calls of the client wait.
        """
        name = _client(context)
        client = self._by_name.get(name)
        if client is None:
            client = self._by_name[name] = _Client(asyncio.Semaphore(self._most))
        if client.calls >= _MOST_CALLS:
            raise Refusal(_BUSY, "server")
        client.calls += 1
        try:
            if name is None:
                return await work()
            return await self._run_placed(client.places, work)
        finally:
            client.calls -= 1

    async def _run_placed(
        self, places: asyncio.Semaphore, work: Callable[[], Awaitable[T]]
    ) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                await places.acquire()
        except TimeoutError:
            raise Refusal(_BUSY, "server") from None
        try:
            return await work()
        finally:
            places.release()


def _client(context: Any) -> Hashable | None:
    """Return who sent a request; None over stdio, where there is one client."""
    request = context.request
    if request is None:
        return None
    waiting = _waiting(context)
    session = request.headers.get("mcp-session-id")
    is_kept = waiting is not None and waiting.keeps_sessions
    if session and is_kept and context.protocol_version < WITHOUT_HANDSHAKE:
        return str(session)
    token = getattr(request.scope.get("user"), "access_token", None)
    if token is not None:
        return token.client_id, token.subject
    return "" if request.client is None else str(request.client.host)  # a Unix socket


def _waiting(context: Any) -> Waiting | None:
    return None if context.request is None else context.request.scope.get(_WAITING)
