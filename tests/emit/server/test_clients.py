"""Clients of a server over HTTP: none of them stops the others."""

from __future__ import annotations

import asyncio
import json
import re
import select
import socket
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.project import Built, sound
from support.served import deployed

SPEC = """\
type: python_function
name: NAME
description: Work.
arguments: {inline: {}}
returns: string
handler: client_handlers:NAME
"""
HANDLERS = """
import asyncio
import os
import time


def began():
    with open(os.environ["BEGUN"], "a") as file:
        file.write("x")


def block(call):
    began()
    time.sleep(600)
    return "late"


async def wait(call):
    began()
    await asyncio.sleep(600)
    return "late"


def quick(call):
    return "done"


def long(call):
    began()
    return "a" * 16_000_000
"""
NEWEST, OLDER = "2026-07-28", "2025-11-25"
CLIENT = {"name": "test", "version": "1"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    specs = "---\n".join(
        SPEC.replace("NAME", name) for name in ("block", "wait", "quick", "long")
    )
    made = sound(tmp_path_factory.mktemp("clients"), {"a.yaml": specs})
    (made.out / "python/client_handlers.py").write_text(HANDLERS, "utf-8")
    return made


@contextmanager
def started(built: Built, begun: Path, *options: str) -> Generator[tuple[str, int]]:
    """A server that listens at the host and port."""
    command = (
        f"{built.package}.mcp_server",
        "--http",
        "127.0.0.1:0",
        "--timeout",
        "600",
    )
    root = built.out / "python"
    with deployed(root, *command, *options, BEGUN=str(begun)) as (_, url):
        ((host, port),) = re.findall(r"http://(.*):(\d+)/", url)
        yield host, int(port)


def request(revision: str, at: tuple[str, int], name: str) -> dict[str, Any]:
    """The body and headers of a call; in a session of its own for an older revision."""
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
    }
    params: dict[str, Any] = {"name": name, "arguments": {}}
    if revision == NEWEST:
        prefix = "io.modelcontextprotocol/"
        params["_meta"] = {
            f"{prefix}protocolVersion": revision,
            f"{prefix}clientInfo": CLIENT,
            f"{prefix}clientCapabilities": {},
        }
        more = {"mcp-method": "tools/call", "mcp-name": name}
        headers |= {"mcp-protocol-version": revision, **more}
    else:
        opening = {
            "protocolVersion": revision,
            "capabilities": {},
            "clientInfo": CLIENT,
        }
        opened = post(at, {"content": body("initialize", opening), "headers": headers})
        headers["mcp-session-id"] = opened.headers["mcp-session-id"]
    return {"content": body("tools/call", params), "headers": headers}


def body(method: str, params: dict[str, Any]) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def post(at: tuple[str, int], asked: dict[str, Any]) -> Any:
    """The response; signs of life of a server that does not answer do not count."""

    async def posted() -> Any:
        async with httpx.AsyncClient(timeout=None) as client, asyncio.timeout(30):
            return await client.post(f"http://{at[0]}:{at[1]}/mcp", **asked)

    return asyncio.run(posted())


def again(asked: dict[str, Any], number: int) -> dict[str, Any]:
    """The same request with another id."""
    content = asked["content"].replace('"id": 1', f'"id": {number}')
    return {**asked, "content": content}


def begin(at: tuple[str, int], asked: dict[str, Any]) -> socket.socket:
    """Send a request, and read nothing."""
    head = "".join(f"{name}: {value}\r\n" for name, value in asked["headers"].items())
    sent = asked["content"].encode()
    host = f"host: {at[0]}:{at[1]}\r\ncontent-length: {len(sent)}\r\n"
    connection = socket.create_connection(at)
    connection.sendall(f"POST /mcp HTTP/1.1\r\n{host}{head}\r\n".encode() + sent)
    return connection


def seen(begun: Path, count: int) -> None:
    """Wait until so many calls have begun."""
    while not begun.exists() or begun.stat().st_size < count:
        time.sleep(0.01)


@pytest.mark.parametrize("revision", [NEWEST, OLDER])
@pytest.mark.parametrize("name", ["block", "wait"])
def test_clients_that_hang_up_do_not_stop_the_others(
    built: Built, tmp_path: Path, revision: str, name: str
) -> None:
    begun = tmp_path / "begun"
    with started(built, begun, "--max-per-session", "16") as at:
        connections = [begin(at, request(revision, at, name)) for _ in range(20)]
        seen(begun, 16)
        for connection in connections:
            connection.close()
        answer = post(at, request(revision, at, "quick"))
        assert '"done"' in answer.text


@pytest.mark.parametrize("revision", [NEWEST, OLDER])
def test_one_client_does_not_take_the_places_of_all(
    built: Built, tmp_path: Path, revision: str
) -> None:
    begun = tmp_path / "begun"
    other = OLDER if revision == NEWEST else NEWEST
    with started(built, begun, "--max-concurrency", "4") as at:
        asked = request(revision, at, "block")
        own = [begin(at, again(asked, number)) for number in range(10)]
        seen(begun, 2)
        answer = post(at, request(other, at, "quick"))
        assert '"done"' in answer.text
        assert 2 == begun.stat().st_size
        for connection in own:
            connection.close()


@pytest.mark.parametrize("revision", [NEWEST, OLDER])
def test_a_call_that_finds_no_place_of_its_client_is_told_so(
    built: Built, tmp_path: Path, revision: str
) -> None:
    begun = tmp_path / "begun"
    options = ("--max-per-session", "1", "--timeout", "1")
    with started(built, begun, *options) as at:
        asked = request(revision, at, "wait")
        own = [begin(at, again(asked, number)) for number in range(8)]
        own[-1].settimeout(30)
        told = b""
        while b"wait took too long" not in told and b"Too many" not in told:
            told += own[-1].recv(4096)
        assert b"Too many of your calls run. Try again later." in told
        for connection in own:
            connection.close()


@pytest.mark.parametrize("revision", [NEWEST, OLDER])
def test_answers_that_a_client_does_not_read_do_not_fill_the_memory(
    built: Built, tmp_path: Path, revision: str
) -> None:
    """They keep the places of their client until they are read."""
    begun = tmp_path / "begun"
    with started(built, begun, "--max-per-session", "2") as at:
        asked = request(revision, at, "long")
        own = [begin(at, again(asked, number)) for number in range(10)]
        seen(begun, 2)
        other = OLDER if revision == NEWEST else NEWEST
        for _ in range(5):
            assert '"done"' in post(at, request(other, at, "quick")).text
        assert 2 == begun.stat().st_size
        while begun.stat().st_size == 2:
            for connection in select.select(own, [], [], 0.1)[0]:
                connection.recv(1_000_000)
        for connection in own:
            connection.close()


async def exchange(built: Built, body: bytes, *, reads: bool) -> list[int]:
    """The statuses of the answers to a client that is slower than the server is patient.

    Unless it ``reads``, it takes nothing of an answer but its status.
    """
    server = built.load("mcp_server")
    web = server.Web(client_timeout=0.2)
    app = server.make_app(server.AsyncService(), at=web)
    asked = request(NEWEST, ("", 0), "quick")
    headers = {**asked["headers"], "host": "localhost"}
    statuses: list[int] = []
    messages = [{"type": "http.request", "body": body, "more_body": reads}]

    async def receive() -> Any:
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])
        elif not reads:
            await asyncio.Event().wait()

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": web.path,
        "root_path": "",
        "query_string": b"",
        "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "state": {},
    }
    async with asyncio.timeout(30):
        await app(scope, receive, send)
    return statuses


def test_a_client_is_not_waited_for_for_ever(built: Built) -> None:
    asked = request(NEWEST, ("", 0), "quick")["content"].encode()
    assert [408] == asyncio.run(exchange(built, asked[:20], reads=True))
    assert [200] == asyncio.run(exchange(built, asked, reads=False))
    assert 60 == built.load("mcp_server").Web().client_timeout
