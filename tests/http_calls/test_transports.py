"""Every transport: the same answers, the same errors, the same bytes of the request."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

import httpx
import httpx2
import pytest
import requests

from support.loopback import answer, redirect

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
Invoke = Callable[..., Any]


@contextlib.contextmanager
def _plain(world: Any, name: str) -> Generator[Any, None, None]:
    http = world.http
    match name:
        case "stdlib":
            yield http.StdlibTransport()
        case "httpx":
            with httpx.Client() as client:
                yield http.HttpxTransport(client)
        case "httpx2":
            with httpx2.Client() as client2:
                yield http.HttpxTransport(client2)
        case _:
            with requests.Session() as session:
                yield http.RequestsTransport(session)


def _awaited(world: Any, name: str, tool: str, *arguments: Any, **options: Any) -> Any:
    async def call() -> Any:
        invoke = world.tool(tool).invoke_async
        if name == "thread":
            return await invoke(*arguments, **options)
        library: Any = httpx if name == "async httpx" else httpx2
        async with library.AsyncClient() as client:
            transport = world.http.AsyncHttpxTransport(client)
            return await invoke(*arguments, transport=transport, **options)

    return asyncio.run(call())


@pytest.fixture(
    params=[
        "stdlib",
        "httpx",
        "httpx2",
        "requests",
        "thread",
        "async httpx",
        "async httpx2",
    ]
)
def invoke(world: Any, request: pytest.FixtureRequest) -> Invoke:
    """``invoke(tool, call, **options)`` through each transport."""
    name: str = request.param
    if name == "thread" or name.startswith("async"):
        return lambda *each, **options: _awaited(world, name, *each, **options)

    def plain(tool: str, *arguments: Any, **options: Any) -> Any:
        with _plain(world, name) as transport:
            found = world.tool(tool).invoke
            return found(*arguments, transport=transport, **options)

    return plain


def test_a_value_and_what_was_sent(world: Any, invoke: Invoke) -> None:
    world.here.says(answer(200, ITEM))
    call = {"id": "a~b/%2e%2E c", "tags": ["ü&", "%41"]}
    assert invoke("get_item", call, secrets=TOKEN).ok
    heard = world.here.only
    expected = "/items/a~b%2F%252e%252E%20c?tag=%C3%BC%26&tag=%2541"
    assert ("GET", expected) == (heard.method, heard.target)
    assert ("Bearer t0ken", "identity", b"") == (
        heard.header("authorization"),
        heard.header("accept-encoding"),
        heard.body,
    )


def test_every_transport_sends_the_body(world: Any, invoke: Invoke) -> None:
    world.here.says(answer(201, ITEM))
    assert invoke("add_item", {"id": 1, "name": "ü"}, secrets=TOKEN).ok
    heard = world.here.only
    assert '{"id":1,"label":"item ü"}'.encode() == heard.body
    assert "application/json" == heard.header("content-type")
    assert str(len(heard.body)) == heard.header("content-length")


def test_every_transport_retries_after_the_same_pauses(
    world: Any, invoke: Invoke
) -> None:
    def hang_up(connection: socket.socket) -> None:
        connection.close()

    world.here.says(answer(503), hang_up, answer(200, ITEM))
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    clock = world.http.Clock(sleep=pauses.append, sleep_async=sleep, random=lambda: 1.0)
    options = world.http.Options(clock=clock)
    assert invoke("get_item", {"id": "7"}, secrets=TOKEN, options=options).ok
    assert ([0.1, 0.2], 3) == (pauses, len(world.here.heard))


def test_no_transport_follows_redirects_itself(world: Any, invoke: Invoke) -> None:
    world.here.says(redirect("/v2"), answer(200, ITEM))
    assert invoke("get_item", {"id": "7"}, secrets=TOKEN).ok
    assert ["/items/7", "/v2"] == [each.target for each in world.here.heard]
    world.here.says(redirect(f"http://127.0.0.1:{world.there.port}/"))
    result = invoke("get_item", {"id": "7"}, secrets=TOKEN)
    assert ("redirect_refused", []) == (result.error.code, world.there.heard)


def test_cookies_are_not_kept_between_hosts(world: Any, invoke: Invoke) -> None:
    first = answer(
        302, location=f"http://localhost:{world.there.port}/", set_cookie="a=b"
    )
    world.here.says(first)
    world.there.says(answer(200, ITEM))
    assert invoke("add_item", {"id": 1, "name": "x"}, secrets=TOKEN).ok
    assert None is world.there.only.header("cookie")


def _silent(connection: socket.socket) -> None:
    connection.settimeout(60)
    with contextlib.suppress(OSError):
        connection.recv(1)


def _dripping(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(HEAD + b"\r\n")
        while True:
            time.sleep(0.05)
            connection.sendall(b" ")


def _endless(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(HEAD + b"\r\n")
        while True:
            connection.sendall(b" " * 65536)


@pytest.mark.parametrize("reply", [_silent, _dripping], ids=["silent", "dripping"])
def test_a_limit_of_time_ends_a_call(world: Any, invoke: Invoke, reply: Any) -> None:
    world.here.says(reply)
    result = invoke("hurried_item", {"id": "7"}, options=_hasty(world))
    assert "timeout" == result.error.code


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (_endless, "response_too_large"),
        (HEAD + b"content-length: 99\r\n\r\n{}", "connection_failed"),
        (b"", "connection_failed"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "invalid_response"),
        (
            HEAD + b"content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}",
            "invalid_response",
        ),
    ],
    ids=["endless", "short", "nothing", "ssh", "gzip"],
)
def test_every_transport_tells_the_same_error_codes(
    world: Any, invoke: Invoke, reply: Any, code: str
) -> None:
    world.here.says(reply)
    result = invoke("await_item", {"id": "7"}, options=_hasty(world))
    assert code == result.error.code


def _hasty(world: Any) -> Any:
    """Options that make no pauses between attempts."""
    return world.http.Options(
        limits=world.http.Limits(max_bytes=500_000),
        clock=world.http.Clock(sleep=_wait_not, sleep_async=_no_sleep),
    )


async def _no_sleep(seconds: float) -> None:
    """No pause at all."""


def test_a_server_that_does_not_listen_is_told(world: Any, invoke: Invoke) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    hosts = world.http.Host("127.0.0.1", port=port)
    call = world.tool("roam").CALL
    plan = call.plan
    clock = world.http.Clock(sleep=_wait_not, sleep_async=_no_sleep)
    try:
        call.plan = world.http.Plan(tool="roam", hosts=(hosts,), secrets=("TOKEN",))
        result = invoke(
            "roam",
            {"host": f"127.0.0.1:{port}"},
            secrets=TOKEN,
            options=world.http.Options(clock=clock),
        )
    finally:
        call.plan = plan
    assert ("connection_failed", 3) == (result.error.code, result.error.attempts)


def test_a_name_that_nobody_has(world: Any, invoke: Invoke) -> None:
    clock = world.http.Clock(sleep=_wait_not, sleep_async=_no_sleep)
    result = invoke(
        "roam",
        {"host": "a.example.com"},
        secrets=TOKEN,
        options=world.http.Options(
            clock=clock, limits=world.http.Limits(max_seconds=2.0)
        ),
    )
    assert result.error.code in ("connection_failed", "timeout")


def test_async_calls_do_not_wait_for_each_other(world: Any) -> None:
    everyone = threading.Barrier(4)

    def answers_once_all_have_asked(connection: socket.socket) -> None:
        everyone.wait(10)
        connection.sendall(answer(200, ITEM))

    world.here.says(answers_once_all_have_asked)

    async def together() -> list[Any]:
        tool = world.tool("await_item")
        return await asyncio.gather(*(tool.invoke_async({"id": "7"}) for _ in range(4)))

    found = asyncio.run(together())
    assert [True] * 4 == [each.ok for each in found]


def test_a_call_that_is_cancelled_is_cancelled(world: Any) -> None:
    world.here.says(_silent)

    async def cancelled() -> None:
        async with httpx.AsyncClient() as client:
            transport = world.http.AsyncHttpxTransport(client)
            tool = world.tool("get_item")
            call = tool.invoke_async({"id": "7"}, secrets=TOKEN, transport=transport)
            async with asyncio.timeout(0.1):
                await call

    with pytest.raises(TimeoutError):
        asyncio.run(cancelled())


def test_calls_from_many_threads(world: Any) -> None:
    world.here.says(answer(200, ITEM))
    found: list[bool] = []

    def call(number: int) -> None:
        result = world.tool("get_item").invoke({"id": str(number)}, secrets=TOKEN)
        found.append(result.ok)

    threads = [threading.Thread(target=call, args=(each,)) for each in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [True] * 8 == found
    targets = sorted(each.target for each in world.here.heard)
    assert [f"/items/{each}" for each in range(8)] == targets


def _wait_not(seconds: float) -> None:
    """No pause, where it is not awaited."""
