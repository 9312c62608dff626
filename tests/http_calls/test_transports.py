"""Calls at the same time, calls that end early, and servers that are not there."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from http_calls.test_sessions import Through
from support.loopback import answer

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}


@pytest.mark.parametrize("transport", Through.NAMES)
def test_a_server_that_is_not_there_is_told(
    world: Any, caplog: Any, monkeypatch: pytest.MonkeyPatch, transport: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    through = Through(transport, world, caplog)
    through.call("roam", {"host": "a.example.com"}, limits={"max_seconds": 2.0})
    assert through.last.error.code in ("connection_failed", "timeout")
    hosts = (world.http.Host("127.0.0.1", port=port),)
    plan = world.http.Plan(tool="roam", hosts=hosts, secrets=("TOKEN",))
    monkeypatch.setattr(world.tool("roam").CALL, "plan", plan)
    through.call("roam", {"host": f"127.0.0.1:{port}"})
    error = through.last.error
    assert ("connection_failed", 3) == (error.code, error.attempts)


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
    def silent(connection: socket.socket) -> None:
        connection.settimeout(60)
        with contextlib.suppress(OSError):
            connection.recv(1)

    world.here.says(silent)

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
    tool = world.tool("get_item")

    def call(number: int) -> bool:
        return bool(tool.invoke({"id": str(number)}, secrets=TOKEN).ok)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(call, range(8)))
    targets = sorted(each.target for each in world.here.heard)
    assert [f"/items/{each}" for each in range(8)] == targets
