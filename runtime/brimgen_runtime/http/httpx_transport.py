"""Sync and async transports on httpx (or httpx2), which the host program installs.

No type of the library is named, so that the package passes type checks where it is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    contextmanager,
)
from importlib import import_module
from typing import Any, Protocol

from ._request import Request
from ._transport import (
    Answer,
    BadAnswer,
    Budget,
    ConnectionFailed,
    TimedOut,
    TransportError,
)


class HttpxClient(Protocol):
    """A ``httpx.Client``."""

    @property
    def stream(self) -> Callable[..., AbstractContextManager[Any]]:
        """What sends a request and gives the answer while it comes."""
        ...


class AsyncHttpxClient(Protocol):
    """A ``httpx.AsyncClient``."""

    @property
    def stream(self) -> Callable[..., AbstractAsyncContextManager[Any]]:
        """What sends a request and gives the answer while it comes."""
        ...


class HttpxTransport:
    """Sends requests with ``client``, a ``httpx.Client`` that the host program opens and closes.

    What the client adds (cookies, headers, proxies, an ``auth``) is the host program's choice.
    """

    def __init__(self, client: HttpxClient) -> None:
        self._client = client

    def send(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        with _faults(self._client):
            options = _options(request, budget)
            with self._client.stream(
                request.method, request.url, **options
            ) as response:
                headers = response.headers.multi_items()
                return budget.collect(
                    response.status_code, headers, response.iter_raw()
                )


class AsyncHttpxTransport:
    """Sends requests with ``client``, a ``httpx.AsyncClient`` of the host program."""

    def __init__(self, client: AsyncHttpxClient) -> None:
        self._client = client

    async def send_async(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        with _faults(self._client):
            options = _options(request, budget)
            async with self._client.stream(
                request.method, request.url, **options
            ) as response:
                headers = response.headers.multi_items()
                chunks = response.aiter_raw()
                return await budget.collect_async(response.status_code, headers, chunks)


def _options(request: Request, budget: Budget) -> dict[str, Any]:
    headers = list(request.headers)
    if all(key.lower() != "accept-encoding" for key, _ in headers):
        headers.append(("Accept-Encoding", "identity"))
    return {
        "headers": headers,
        "content": request.body,
        "timeout": budget.remaining(),
        "follow_redirects": False,
    }


def _library(client: object) -> Any:
    """Return the library of a client, or of what it inherits from."""
    names = [base.__module__.partition(".")[0] for base in type(client).__mro__]
    return import_module(next((x for x in names if x.startswith("httpx")), "httpx"))


@contextmanager
def _faults(client: object) -> Generator[None, None, None]:
    httpx = _library(client)
    try:
        yield
    except httpx.TimeoutException:
        raise TimedOut("the answer took too long") from None
    except (httpx.ProtocolError, httpx.DecodingError, httpx.InvalidURL) as error:
        raise _fault(error) from None
    except (httpx.TransportError, httpx.StreamError) as error:
        raise ConnectionFailed(type(error).__name__) from None


def _fault(error: Exception) -> TransportError:
    # A server that hangs up is a protocol error to httpx, told from others by its words alone.
    words = str(error)
    if any(
        phrase in words for phrase in ("disconnected", "incomplete", "without sending")
    ):
        return ConnectionFailed(type(error).__name__)
    return BadAnswer(type(error).__name__)
