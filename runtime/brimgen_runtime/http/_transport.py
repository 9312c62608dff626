"""Transports: send one request and return one response, within a time limit.

A transport follows no redirect, repeats nothing and decodes nothing. Failures of the network or of
the service raise `TransportError`, and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

from ._request import Headers, Request

_EXCERPT_SECONDS: Final = 2.0


class TransportError(Exception):
    """An exchange that gave no answer; the message never quotes what was sent."""


class ConnectionFailed(TransportError):
    """There was no connection, or it ended before the answer did."""


class TimedOut(TransportError):
    """The answer took too long."""


class TooLarge(TransportError):
    """The answer has more bytes than are wanted."""


class BadAnswer(TransportError):
    """What came back is no HTTP."""


class AddressRefused(TransportError):
    """The name of the host leads to a private address, and nothing was sent."""


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """One answer: names of headers in lower case.

    The body is empty where nobody wants it; with ``is_cut`` it is only the beginning.
    """

    status: int
    headers: Headers = ()
    body: bytes = b""
    is_cut: bool = False

    def header(self, name: str) -> str | None:
        """Return the first header of a name, which is in lower case."""
        return next((value for key, value in self.headers if key == name), None)

    def __repr__(self) -> str:
        return f"<Answer {self.status}, {len(self.body)} bytes>"


class Budget:
    """What one exchange may take: ``seconds`` from now, and ``max_bytes`` of body.

    ``is_wanted`` says of a status code whether its body is the answer; of any other at most
    ``excerpt`` bytes are read, for half of the time that is left and two seconds at most.
    """

    def __init__(
        self,
        seconds: float,
        max_bytes: int,
        *,
        is_wanted: Callable[[int], bool] = lambda status: True,
        excerpt: Callable[[int], int] = lambda status: 0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.max_bytes = max_bytes
        self.is_wanted = is_wanted
        self.excerpt = excerpt
        self._now = now
        self._end = now() + seconds

    def remaining(self) -> float:
        """Return the seconds that are left. Raises TimedOut where none are."""
        seconds = self._end - self._now()
        if seconds <= 0:
            raise TimedOut("the answer took too long")
        return seconds

    def collect(
        self, status: int, headers: Iterable[tuple[str, str]], chunks: Iterable[bytes]
    ) -> Answer:
        """Return the answer, whose body is read as far as the budget goes."""
        taken = _Taken(self)
        if self.is_wanted(status):
            for chunk in chunks:
                taken.add(chunk)
        elif limit := self.excerpt(status):
            # The status is the answer: whatever ends its body early takes nothing away from it.
            taken.is_cut = True
            with suppress(Exception):
                self._hurry()
                for chunk in chunks:
                    if taken.is_enough(chunk, limit):
                        break
                else:
                    taken.is_cut = False
        return taken.answer(status, headers)

    async def collect_async(
        self,
        status: int,
        headers: Iterable[tuple[str, str]],
        chunks: AsyncIterable[bytes],
    ) -> Answer:
        """Return the answer, as `collect` does."""
        taken = _Taken(self)
        if self.is_wanted(status):
            async for chunk in chunks:
                taken.add(chunk)
        elif limit := self.excerpt(status):
            import asyncio

            taken.is_cut = True
            with suppress(Exception):
                async with asyncio.timeout(self._hurry()):
                    async for chunk in chunks:
                        if taken.is_enough(chunk, limit):
                            break
                    else:
                        taken.is_cut = False
        return taken.answer(status, headers)

    def _hurry(self) -> float:
        """Leave no more time than an excerpt may take, and return how much that is.

        It is over before the attempt is, so that what waits for the attempt gets the status.
        """
        seconds = min(self.remaining() / 2, _EXCERPT_SECONDS)
        self._end = self._now() + seconds
        return seconds


class _Taken:
    """The bytes of a body so far."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.chunks: list[bytes] = []
        self.size = 0
        self.is_cut = False

    def add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        if self.size > self.budget.max_bytes:
            raise TooLarge(f"the answer has more than {self.budget.max_bytes} bytes")
        self.chunks.append(chunk)
        self.budget.remaining()

    def is_enough(self, chunk: bytes, limit: int) -> bool:
        """Take of a chunk what ``limit`` leaves, and return whether that is enough."""
        self.chunks.append(chunk[: limit - self.size])
        self.size += len(chunk)
        self.budget.remaining()
        return self.size > limit

    def answer(self, status: int, headers: Iterable[tuple[str, str]]) -> Answer:
        named = tuple((key.lower(), value) for key, value in headers)
        return Answer(status, named, b"".join(self.chunks), self.is_cut)


class Transport(Protocol):
    """What sends requests."""

    def send(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        ...


class AsyncTransport(Protocol):
    """What sends requests, awaited."""

    async def send_async(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        ...
