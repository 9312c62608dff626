"""A transport on the standard library, with a deadline for every read; sync, and in a thread.

Whoever runs the name server of an allowed name can change its address at any time. So the address
that the connection is made to is checked, and no name is looked up twice.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Iterator
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    IncompleteRead,
    RemoteDisconnected,
)
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any, Final, cast

from ._hosts import Target, parse_url
from ._request import Request
from ._transport import (
    AddressRefused,
    Answer,
    BadAnswer,
    Budget,
    ConnectionFailed,
    TimedOut,
    Transport,
    TransportError,
)

if TYPE_CHECKING:
    import ssl

_CHUNK = 64 * 1024
_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
_PRIVATE = "StdlibTransport(allow_private=True) speaks to private addresses"


class StdlibTransport:
    """Speaks HTTP/1.1 over a connection of its own for each request, without proxies.

    ``context`` says which certificates are trusted; usually those of the system. A name that leads
    to a private address is refused, unless ``allow_private``.
    """

    def __init__(
        self, *, context: ssl.SSLContext | None = None, allow_private: bool = False
    ) -> None:
        self._context = context
        self._allow_private = allow_private

    def send(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        target = parse_url(request.url)
        try:
            plain = self._connected(target, budget)
        except OSError as error:
            raise _fault(error) from None
        try:
            return self._exchange(request, target, plain, budget)
        finally:
            plain.close()

    def _connected(self, target: Target, budget: Budget) -> socket.socket:
        """Return a connection to the first address that is allowed and accepts one."""
        host = target.host.strip("[]")
        refused: AddressRefused | None = None
        problem: OSError | None = None
        for kind, form, protocol, _, address in socket.getaddrinfo(
            host, target.port, type=socket.SOCK_STREAM
        ):
            if not self._allow_private and not is_open(target.host, str(address[0])):
                refused = AddressRefused(_PRIVATE)
                continue
            connection = socket.socket(kind, form, protocol)
            try:
                connection.settimeout(budget.remaining())
                connection.connect(address)
                return connection
            except OSError as error:
                connection.close()
                problem = error
            except TransportError:
                connection.close()
                raise
        raise problem or refused or OSError("no address")

    def _exchange(
        self, request: Request, target: Target, plain: socket.socket, budget: Budget
    ) -> Answer:
        raw = plain
        try:
            if target.scheme == "https":
                raw = self._secured(plain, target, budget)
            connection = HTTPConnection(target.host, target.port)
            connection.sock = cast("Any", _TimedSocket(raw, budget))
            connection.request(
                request.method, target.path, request.body, dict(_headers(request))
            )
            with connection.getresponse() as response:
                return budget.collect(
                    response.status, response.getheaders(), _chunks(response)
                )
        except TransportError:
            raise
        except (RemoteDisconnected, IncompleteRead):
            raise ConnectionFailed("the answer ended too early") from None
        except (
            OSError
        ) as error:  # a certificate that is not trusted is a ValueError, too
            raise _fault(error) from None
        except (HTTPException, ValueError) as error:
            raise BadAnswer(type(error).__name__) from None
        finally:
            raw.close()

    def _secured(
        self, plain: socket.socket, target: Target, budget: Budget
    ) -> socket.socket:
        import ssl

        context = self._context or ssl.create_default_context()
        plain.settimeout(budget.remaining())
        return context.wrap_socket(plain, server_hostname=target.host.strip("[]"))


def _headers(request: Request) -> Iterator[tuple[str, str]]:
    names = {key.lower() for key, _ in request.headers}
    yield from request.headers
    if "accept-encoding" not in names:
        yield "Accept-Encoding", "identity"
    if "user-agent" not in names:
        yield "User-Agent", "brimgen"
    yield "Connection", "close"


def _chunks(response: HTTPResponse) -> Iterator[bytes]:
    while chunk := response.read(_CHUNK):
        yield chunk
    if response.length:
        raise ConnectionFailed("the answer ended too early")


def _fault(error: OSError) -> TransportError:
    if isinstance(error, TimeoutError):
        return TimedOut("the answer took too long")
    return ConnectionFailed(f"{type(error).__name__} {error.errno or ''}".strip())


class _TimedSocket:
    """As much of a socket as `http.client` uses; nothing takes longer than the budget has left."""

    def __init__(self, raw: socket.socket, budget: Budget) -> None:
        self._raw = raw
        self._budget = budget

    def sendall(self, data: bytes) -> None:
        self._raw.settimeout(self._budget.remaining())
        self._raw.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedReader(self._raw, self._budget))

    def close(self) -> None:
        """Leave the socket open: the answer may still be read from it."""


class _TimedReader(io.RawIOBase):
    def __init__(self, raw: socket.socket, budget: Budget) -> None:
        self._raw = raw
        self._budget = budget

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._raw.settimeout(self._budget.remaining())
        return self._raw.recv_into(buffer)


class ThreadedTransport:
    """Sends requests through ``transport`` in a thread each; without one, as `invoke` does."""

    def __init__(self, transport: Transport | None = None) -> None:
        self._transport = transport or StdlibTransport()

    async def send_async(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        import asyncio

        return await asyncio.to_thread(self._transport.send, request, budget)


def is_open(host: str, address: str) -> bool:
    """Return whether a host of a URL, in lower case, may be spoken to at an address.

    A host that is itself an address is allowed as such, and ``localhost`` is this machine
    (RFC 6761); any other name leads to a public address.
    """
    parsed = ip_address(address)
    if _is_address(host):
        return True
    if host == "localhost" or host.endswith(".localhost"):
        return parsed.is_loopback
    return _is_public(parsed)


def _is_address(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address, and any IPv4 address inside of it, is one of the Internet."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _TRANSLATED:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)
