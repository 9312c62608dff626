"""A server on loopback that says what a test tells it to, byte by byte, and keeps what it heard."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Heard:
    """One request as it came over the wire."""

    raw: bytes

    @property
    def line(self) -> str:
        """The request line."""
        return self.raw.split(b"\r\n", 1)[0].decode("latin-1")

    @property
    def target(self) -> str:
        """Path and query, as they were sent."""
        return self.line.split(" ")[1]

    @property
    def method(self) -> str:
        """GET or another."""
        return self.line.split(" ")[0]

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers, names in lower case, in their order."""
        head = self.raw.split(b"\r\n\r\n", 1)[0].decode("latin-1").split("\r\n")[1:]
        pairs = [each.split(":", 1) for each in head]
        return [(name.lower(), value.strip(" ")) for name, value in pairs]

    def header(self, name: str) -> str | None:
        """The only header of a name."""
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, found
        return found[0] if found else None

    @property
    def body(self) -> bytes:
        """What follows the head."""
        return self.raw.split(b"\r\n\r\n", 1)[1]


Reply = bytes | Callable[[socket.socket], None]
"""What is sent back: bytes, or a function that does as it likes with the connection."""


def answer(status: int = 200, body: bytes | str = b"", **headers: str | int) -> bytes:
    """An answer; ``retry_after=3`` is the header ``retry-after``."""
    content = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} Said"]
    lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items()]
    if "content_length" not in headers and "transfer_encoding" not in headers:
        lines.append(f"content-length: {len(content)}")
    return (
        "\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1") + content
    )


def redirect(location: str, status: int = 302) -> bytes:
    """An answer that leads somewhere else."""
    return answer(status, location=location)


@dataclass
class Loopback:
    """A server; ``replies`` are used up one by one, the last one stays."""

    port: int
    secured: ssl.SSLContext | None = None
    replies: list[Reply] = field(default_factory=list[Reply])
    heard: list[Heard] = field(default_factory=list[Heard])

    def says(self, *replies: Reply) -> None:
        """Begin anew with these replies."""
        self.replies[:] = replies
        self.heard.clear()

    @property
    def only(self) -> Heard:
        """The one request that was heard."""
        (found,) = self.heard
        return found

    def serve(self, connection: socket.socket) -> None:
        """Hear one request and say what is next."""
        with connection, contextlib.suppress(OSError):
            connection.settimeout(10)
            if self.secured is not None:
                connection = self.secured.wrap_socket(connection, server_side=True)
            raw = _request(connection)
            if raw is None:
                return
            self.heard.append(Heard(raw))
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
            if isinstance(reply, bytes):
                connection.sendall(reply)
            else:
                reply(connection)


def _request(connection: socket.socket) -> bytes | None:
    raw = b""
    while b"\r\n\r\n" not in raw:
        more = connection.recv(65536)
        if not more:
            return None
        raw += more
    heard = Heard(raw)
    size = int(heard.header("content-length") or 0)
    while len(heard.body) < size:
        heard = Heard(heard.raw + connection.recv(65536))
    return heard.raw


@contextlib.contextmanager
def loopback(
    secured: ssl.SSLContext | None = None,
) -> Generator[Loopback, None, None]:
    """A server that is there while the context is; over TLS with a context."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = Loopback(listening.getsockname()[1], secured)

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(
                    target=found.serve, args=(connection,), daemon=True
                ).start()

        threading.Thread(target=accept, daemon=True).start()
        yield found
        listening.shutdown(socket.SHUT_RDWR)
