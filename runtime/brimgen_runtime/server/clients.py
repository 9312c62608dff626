"""The clients of a server over HTTP: who hangs up frees its places, and each has a share of them.

Who sends slowly or does not read is not waited for longer than the patience of the server, keeps
its places meanwhile, and cannot make answers pile up in memory. A client is a session; where there
is none, the subject of a token, or an address. Nothing keeps a person from opening several
sessions.
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
_PIECE = 65_536
_MOST_UNSENT = 64 * 2**20
"""The bytes of answers that clients do not read, before no further call begins."""
_BUSY = "Too many of your calls run. Try again later."


@dataclass(slots=True)
class _Unsent:
    """The bytes of all answers that clients have not read yet."""

    size: int = 0


@dataclass(slots=True)
class Waiting:
    """What waits for the response of one HTTP request."""

    keeps_sessions: bool
    unsent: _Unsent
    has_ended: bool = False
    scopes: list[Any] = field(default_factory=list[Any])
    places: list[asyncio.Semaphore] = field(default_factory=list[asyncio.Semaphore])

    def end(self) -> None:
        """Cancel what still works for the response, and free its places."""
        self.has_ended = True
        for scope in self.scopes:
            scope.cancel()
        for each in self.places:
            each.release()


class _Exchange:
    """One request and its response, over which a client may not take for ever.

    A body must arrive within ``patience`` seconds, else the response is 408. So must each piece of
    the response be taken, else the rest is not sent.
    """

    def __init__(
        self, receive: Any, send: Any, patience: float, unsent: _Unsent
    ) -> None:
        self._receive, self._send = receive, send
        self._patience, self._unsent = patience, unsent
        self._deadline = asyncio.get_running_loop().time() + patience
        self._is_read = self._has_begun = self._is_stuck = self.is_late = False

    async def receive(self) -> Any:
        """Return the next message of the client; of a late one, that it has gone."""
        if self._is_read:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            self._is_read, self.is_late = True, not self._has_begun
            return {"type": "http.disconnect"}
        self._is_read = not message.get("more_body", False)
        return message

    async def send(self, message: Any) -> None:
        """Send a message in pieces, each when the client has read enough of those before."""
        body: bytes = message.get("body", b"")
        last = len(body) - 1 - (len(body) - 1) % _PIECE if body else 0
        self._unsent.size += len(body)
        try:
            for start in range(0, last, _PIECE):
                piece = body[start : start + _PIECE]
                await self._pass_on({**message, "body": piece, "more_body": True})
            await self._pass_on({**message, "body": body[last:]} if last else message)
        finally:
            self._unsent.size -= len(body)

    async def _pass_on(self, message: Any) -> None:
        if self.is_late or self._is_stuck:
            return
        self._has_begun = True
        try:
            async with asyncio.timeout(self._patience):
                await self._send(message)
        except TimeoutError:
            self._is_stuck = True


async def _refuse(send: Any, status: int) -> None:
    """Answer a request that is late, or that comes when the server ends."""
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    start = {"type": "http.response.start", "status": status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": b""})


@dataclass(slots=True)
class Running:
    """The number of requests that may be calls; no more are taken once the server ``is_ending``."""

    count: int = 0
    is_ending: bool = False


def ending_with_clients(
    app: App, running: Running, *, keeps_sessions: bool, patience: float
) -> App:
    """Return an application whose work for a request ends with the request.

    The SDK cancels the work for a client that hangs up only from revision 2026-07-28 on. In a
    session of older ones a client could read the response later, but no response is kept here.
    """
    unsent = _Unsent()

    async def ending(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        if running.is_ending:
            await _refuse(send, 503)
            return
        is_call = scope["method"] == "POST"
        running.count += is_call
        waiting = Waiting(keeps_sessions, unsent)
        exchange = _Exchange(receive, send, patience, unsent)
        try:
            await app({**scope, _WAITING: waiting}, exchange.receive, exchange.send)
        except Exception:
            if not exchange.is_late:
                raise
        finally:
            waiting.end()
            running.count -= is_call
        if exchange.is_late:
            await _refuse(send, 408)

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
            return await self._run_placed(client.places, _waiting(context), work)
        finally:
            client.calls -= 1

    async def _run_placed(
        self,
        places: asyncio.Semaphore,
        waiting: Waiting | None,
        work: Callable[[], Awaitable[T]],
    ) -> T:
        try:
            async with asyncio.timeout(self._seconds):
                await places.acquire()
        except TimeoutError:
            raise Refusal(_BUSY, "server") from None
        if waiting is None or waiting.has_ended:
            places.release()
        else:
            waiting.places.append(places)
            if waiting.unsent.size > _MOST_UNSENT:
                raise Refusal(_BUSY, "server")
        return await work()


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
