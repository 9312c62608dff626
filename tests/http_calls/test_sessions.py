"""Calls of HTTP tools: what is refused before it is sent, what is sent, and what comes of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import httpx
import httpx2
import pytest
import requests

from support.loopback import Heard, answer, redirect
from support.sessions import Session, sessions

HERE = Path(__file__).parent
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
NO = b"HTTP/1.1 400 No\r\ncontent-type: text/plain\r\n\r\n"
SECRETS = {"TOKEN": "t0ken", "USER": "ann", "PASSWORD": "p:ß", "KEY": "k&y"}
SECRETS |= {
    "ID": "me:1",
    "SECRET": "s3cret-words",
    "REFRESH": "refresh-1",
    "KEY_ID": "7",
}
USUAL = {"host", "accept", "accept-encoding", "user-agent", "connection"}
USUAL |= {"content-length"}


def dripping(first: bytes, drop: bytes = b"") -> Callable[[socket.socket], None]:
    """A reply of which a little comes now and then, without end."""

    def drip(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(first)
            for _ in range(200):
                time.sleep(0.05)
                connection.sendall(drop)

    return drip


def endless(first: bytes, more: bytes = b" " * 65536) -> Callable[[Any], None]:
    """A reply that never ends."""

    def send(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(first)
            while True:
                connection.sendall(more)

    return send


def token(text: str, **more: Any) -> bytes:
    """The reply of a server of tokens."""
    told = {"access_token": text, "token_type": "Bearer", **more}
    return answer(200, json.dumps(told))


class Calls:
    """What a session can do: call tools whose servers reply as it says, and see what was sent."""

    def __init__(self, world: Any, log: pytest.LogCaptureFixture) -> None:
        self.world = world
        self.log = log
        self.last: Any = None
        self.waited: list[float] = []
        self.tokens = type(world.http.Options().tokens)()
        self.time: float | None = None

    def invoke(self, tool: str, *given: Any, **options: Any) -> Any:
        """The result of a call; other transports have their own."""
        return self.world.tool(tool).invoke(*given, **options)

    def call(
        self,
        tool: str,
        arguments: Any,
        *replies: Any,
        context: Any = None,
        secrets: Any = None,
        limits: Any = None,
        show: bool = True,
        **given: Any,
    ) -> None:
        """Call a tool, keep what comes of it, and ``show`` it."""
        self.world.here.says(*replies or [answer(500)])
        self.log.clear()
        options, self.waited = self.world.options(
            limits=self.world.http.Limits(**(limits or {})),
            tokens=self.tokens,
            now=time.monotonic if self.time is None else lambda: self.time,
        )
        wanted = self.world.tool(tool).PLAN.secrets
        if wanted and (secrets is None or secrets):
            known = SECRETS if secrets is None else secrets
            given["secrets"] = {name: known[name] for name in wanted if name in known}
        between = () if context is None else (context,)
        self.last = self.invoke(tool, arguments, *between, options=options, **given)
        if show:
            print(self.plain(_told(self.last)))

    def get(self, *replies: Any, **given: Any) -> None:
        """The same of ``get_item``."""
        self.call("get_item", {"id": "7"}, *replies, **given)

    def sent(self, after: int = 0) -> None:
        """Print what the servers heard: each request with its unusual headers and its body."""
        heard = [*self.world.here.heard, *self.world.there.heard][after:]
        print("\n".join(self.plain(_shown(each)) for each in heard) or "nothing")

    def body(self) -> None:
        """Print how the body of an error begins, if it is kept."""
        kept = self.last.error.body
        if kept is None:
            print("no body")
        else:
            many = f"{kept.text[:1]} × {len(kept.text)}"
            text = kept.text if len(kept.text) < 80 else many
            print(f"{kept.media_type}: {text!a}{' cut' * kept.is_cut}")

    def logged(self) -> None:
        """Print the messages of the log, each in a line."""
        for each in self.log.records:
            print(self.plain(each.getMessage()))

    def plain(self, text: str) -> str:
        """A text without the numbers of ports."""
        text = text.replace(f"127.0.0.1:{self.world.here.port}", "HERE")
        return text.replace(f"localhost:{self.world.there.port}", "THERE")

    def names(self) -> dict[str, Any]:
        """What the lines of a session know."""
        here, there = self.world.here, self.world.there
        own: dict[str, Any] = {"call": self.call, "get": self.get, "sent": self.sent}
        own |= {"logged": self.logged, "waited": lambda: self.waited, "body": self.body}
        own |= {"at": lambda seconds: setattr(self, "time", seconds), "token": token}
        own |= {
            "hello": answer(200, '"hello"'),
            "detail": lambda: self.last.error.detail,
        }
        own |= {"result": lambda: self.last, "world": self.world, "json": json}
        own |= {"HERE": f"127.0.0.1:{here.port}", "THERE": f"localhost:{there.port}"}
        own |= {"there_says": there.says, "port": here.port, "there_port": there.port}
        own |= {"load": self.world.built.load, "ITEM": '{"id": 7, "name": "Lamp"}'}
        own |= {"answer": answer, "redirect": redirect, "HEAD": HEAD, "NO": NO}
        own |= {"dripping": dripping, "endless": endless}
        return own | {"hang_up": lambda connection: connection.close()}


def _told(result: Any) -> str:
    if result.ok:
        return json.dumps(result.to_dict()["value"], ensure_ascii=False)
    error = result.error
    status = "" if error.status is None else f" {error.status}"
    tried = f" after {error.attempts}" if error.attempts > 1 else ""
    told = f"{error.code}{status}{tried}: {error.message}"
    if error.violations and error.code == "invalid_output":
        told += f" {[f'{each.pointer} {each.rule}' for each in error.violations]}"
    return told


def _shown(heard: Heard) -> str:
    headers = [each for each in heard.headers if each[0] not in USUAL]
    words = [f"{name}: {value}" for name, value in headers]
    body = [heard.body.decode()] if heard.body else []
    return " | ".join([f"{heard.method} {heard.target}", *words, *body])


@pytest.fixture
def calls(world: Any, caplog: pytest.LogCaptureFixture) -> Calls:
    """A session that has said nothing yet."""
    return Calls(world, caplog)


@pytest.mark.parametrize("session", sessions(HERE / "calls.cases"))
def test_a_call_is_sent_as_its_spec_says(calls: Calls, session: Session) -> None:
    session.run(calls.names())


@pytest.mark.parametrize("session", sessions(HERE / "answers.cases"))
def test_an_answer_is_read_as_its_spec_says(calls: Calls, session: Session) -> None:
    session.run(calls.names())


@pytest.mark.parametrize("session", sessions(HERE / "errors.cases"))
def test_an_error_is_told_and_tells_no_secret(calls: Calls, session: Session) -> None:
    session.run(calls.names())


@pytest.mark.parametrize("session", sessions(HERE / "auth.cases"))
def test_a_request_says_who_sends_it(calls: Calls, session: Session) -> None:
    session.run(calls.names())


@pytest.mark.parametrize("session", sessions(HERE / "again.cases"))
def test_a_request_is_repeated_or_redirected_where_that_is_safe(
    calls: Calls, session: Session
) -> None:
    session.run(calls.names())


class Through(Calls):
    """A session whose calls go through a transport of their own."""

    CLIENTS: ClassVar[dict[str, tuple[Callable[[], Any], str]]] = {
        "httpx": (httpx.Client, "HttpxTransport"),
        "httpx2": (httpx2.Client, "HttpxTransport"),
        "requests": (requests.Session, "RequestsTransport"),
        "async httpx": (httpx.AsyncClient, "AsyncHttpxTransport"),
        "async httpx2": (httpx2.AsyncClient, "AsyncHttpxTransport"),
    }
    NAMES = ("stdlib", "thread", *CLIENTS)

    def __init__(self, transport: str, *rest: Any) -> None:
        super().__init__(*rest)
        self._transport = transport

    def invoke(self, tool: str, *given: Any, **options: Any) -> Any:
        """The result of a call through the transport."""
        module, http = self.world.tool(tool), self.world.http
        if self._transport == "stdlib":
            return super().invoke(tool, *given, **options)
        if self._transport == "thread":
            return asyncio.run(module.invoke_async(*given, **options))
        make, kind = self.CLIENTS[self._transport]

        async def awaited() -> Any:
            async with make() as client:
                options["transport"] = getattr(http, kind)(client)
                return await module.invoke_async(*given, **options)

        if kind == "AsyncHttpxTransport":
            return asyncio.run(awaited())
        with make() as client:
            options["transport"] = getattr(http, kind)(client)
            return module.invoke(*given, **options)


@pytest.mark.parametrize("transport", Through.NAMES)
@pytest.mark.parametrize("session", sessions(HERE / "transports.cases"))
def test_every_transport_sends_and_tells_the_same(
    world: Any, caplog: pytest.LogCaptureFixture, session: Session, transport: str
) -> None:
    session.run(Through(transport, world, caplog).names())
