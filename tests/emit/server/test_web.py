"""A generated server over HTTP: who may reach it, and what it knows of its callers."""

from __future__ import annotations

import asyncio
import importlib
import io
import json
import re
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from httpx import ASGITransport, AsyncClient
from mcp import Client
from starlette.applications import Starlette
from starlette.routing import Mount, Router
from starlette.testclient import TestClient

from brimgen_runtime.server.web import Started, Web
from support.project import Built, sound
from support.served import deployed
from support.sessions import Session, sessions

SPECS = """\
type: python_function
name: whose
description: Whose call it is.
arguments: {inline: {user: {type: string, from_context: app.user}}}
returns: string
handler: web_handlers:whose
---
type: python_function
name: admin
description: Administer.
arguments: {inline: {}}
returns: string
handler: web_handlers:admin
---
type: python_function
name: exact
description: Say a number.
arguments: {inline: {number: decimal?, whole: int?}}
returns: string
handler: web_handlers:exact
"""
HANDLERS = """
def whose(call):
    return call.user


def admin(call):
    return "done"


def exact(call):
    return str(call.number if call.whole is None else call.whole)


def context(call):
    caller = call.caller
    name = caller.claims["sub"] if caller.claims else caller.headers.get("x-user")
    return {"app": {"user": name}}


def verify(token):
    return {
        "good": {"sub": "ada", "scope": "tools:call", "role": "admin"},
        "weak": {"sub": "bob", "scope": "other"},
        "late": {"sub": "eve", "scope": "tools:call", "exp": 5},
        "zero": {"sub": "eve", "scope": "tools:call", "exp": 0},
        "soon": {"sub": "eve", "scope": "tools:call", "exp": "soon"},
        "nan": {"sub": "eve", "scope": "tools:call", "exp": float("nan")},
        "null": {"sub": "eve", "scope": "tools:call", "exp": None},
        "endless": {"sub": "eve", "scope": "tools:call", "exp": float("inf")},
        "list": ["eve"],
        "broken": "no mapping",
    }.get(token)


async def verify_later(token):
    return verify(token)


def visible(caller):
    return None if caller.claims and caller.claims.get("role") == "admin" else ["whose"]
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = sound(tmp_path_factory.mktemp("web"), SPECS)
    handlers = made.folder / "out/python/web_handlers.py"
    handlers.write_text(HANDLERS, "utf-8")
    return made


@contextmanager
def client(
    built: Built,
    web: dict[str, Any] | None = None,
    visible: Any = None,
    root_path: str = "",
    **given: Any,
) -> Iterator[TestClient]:
    """A client of the package's application, which is reached by a name it allows."""
    server = built.load("mcp_server")
    app = server.make_app(
        server.AsyncService(**given),
        server.Options(visible=visible),
        at=server.Web(**(web or {})),
    )
    base = "http://127.0.0.1:8000"
    with TestClient(app, base_url=base, root_path=root_path) as made:
        yield made


def asked(
    client: TestClient,
    method: str = "tools/list",
    params: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
    at: str = "/mcp",
    written: str = "",
) -> Any:
    """The response to a request of the newest revision, which needs no session."""
    made = request(method, params, written)
    return client.post(
        at,
        content=made["content"],
        headers={**made["headers"], **(headers or {})},
    )


def request(
    method: str = "tools/list",
    params: dict[str, Any] | None = None,
    written: str = "",
) -> dict[str, Any]:
    """The body and the headers of a request; in the body "?" is ``written``."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {**(params or {}), "_meta": meta},
    }
    known = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
    }
    if params and "name" in params:
        known["mcp-name"] = params["name"]
    text = json.dumps(body).replace('"?"', written)
    return {"content": text, "headers": known}


def answer_of(response: Any) -> Any:
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        (text,) = re.findall(r"^data: (.+)$", text, re.M)
    return json.loads(text)


class Served:
    """What a session can do: start an application of the package, and ask it."""

    def __init__(self, built: Built, stack: ExitStack) -> None:
        self.built, self.stack = built, stack
        self.client: Any = None

    def serve(self, web: dict[str, Any] | None = None, **given: Any) -> None:
        """Start another application."""
        self.client = self.stack.enter_context(client(self.built, web, **given))

    def ask(self, **given: Any) -> Any:
        """The response to a request of a list of tools."""
        return asked(self.client, **given)

    def call(self, name: str, headers: dict[str, str]) -> Any:
        """The value of a call, or the error of the protocol."""
        params = {"name": name, "arguments": {}}
        answer = answer_of(asked(self.client, "tools/call", params, headers))
        return _value(answer) if "result" in answer else answer["error"]

    def outcome(self, argument: str, written: str) -> str:
        """How a call with such a number ends, without a session and in one."""
        params = {"name": "exact", "arguments": {argument: "?"}}
        found: list[str] = []
        for response in (
            asked(self.client, "tools/call", params, written=written),
            _in_session(self.client, "tools/call", params, written),
        ):
            assert response.status_code < 500
            answer = answer_of(response)
            failed = "error" in answer or answer["result"]["isError"]
            code = answer["error"]["code"] if "error" in answer else "refused"
            found.append(str(code) if failed else "taken")
        return "/".join(found)

    def main(self, *words: str) -> None:
        """Print what the command line says of wrong words."""
        said = io.StringIO()
        with redirect_stderr(said), pytest.raises(SystemExit) as ended:
            self.built.load("mcp_server").main([*words])
        print(
            ended.value.code, " ".join(said.getvalue().partition("error: ")[2].split())
        )


@pytest.mark.parametrize("session", sessions(Path(__file__).with_name("web.cases")))
def test_who_may_reaches_a_server_and_nobody_else(
    built: Built, session: Session
) -> None:
    with ExitStack() as stack:
        served = Served(built, stack)
        names = {name: getattr(served, name) for name in dir(served) if name[0] != "_"}
        json_body = {"content-type": "application/json", "accept": "*/*"}
        names |= {
            "here": importlib.import_module("web_handlers"),
            "bearer": lambda token: {"authorization": f"Bearer {token}"},
            "get": lambda path: served.client.get(path),
            "post": lambda body: served.client.post(
                "/mcp", content=body, headers=json_body
            ),
            "Web": Web,
        }
        session.run(names)


@pytest.mark.parametrize(
    ("settings", "ends"), [({}, False), ({"idle_timeout": 2}, True)]
)
def test_a_session_that_nobody_uses_ends(
    built: Built, settings: dict[str, Any], ends: bool
) -> None:
    params = {"name": "admin", "arguments": {}}
    with client(built, settings) as made:
        opened = _in_session(made, "tools/call", params)
        headers = {"mcp-session-id": opened.headers["mcp-session-id"]}
        time.sleep(4 if ends else 0.1)
        found = made.delete("/mcp", headers=headers)
    assert found.status_code == (404 if ends else 200)
    assert 1800 == built.load("mcp_server").Web().idle_timeout


@pytest.mark.parametrize("below", ["", "/api"], ids=["app", "router"])
@pytest.mark.parametrize("forwards", [True, False])
def test_a_mounted_server_answers_whether_or_not_its_host_forwards_the_lifespan(
    built: Built, forwards: bool, below: str
) -> None:
    import web_handlers

    server = built.load("mcp_server")
    app = server.make_app(
        server.AsyncService(), at=server.Web(verify=web_handlers.verify)
    )

    router = Router(routes=[Mount("/tools", app)])  # as FastAPI includes one
    mounted = Starlette(routes=[Mount(below, router)] if below else router.routes)
    at = f"{below}/tools/mcp"

    async def host(scope: Any, receive: Any, send: Any) -> None:
        to_app = forwards and scope["type"] == "lifespan"
        await (app if to_app else mounted)(scope, receive, send)

    good = {"authorization": "Bearer good"}
    params = {"name": "admin", "arguments": {}}
    with TestClient(host, base_url="http://127.0.0.1:8000") as made:
        assert 401 == asked(made, at=at).status_code
        assert 200 == asked(made, headers=good, at=at).status_code
        response = asked(made, "tools/call", params, good, at)
        assert {"result": "done"} == _value(answer_of(response))
        answer = answer_of(_in_session(made, "tools/call", params, "", at, good))
        assert {"result": "done"} == _value(answer)


def test_requests_that_arrive_while_a_mounted_server_starts_are_answered(
    built: Built,
) -> None:
    server = built.load("mcp_server")
    host = Starlette(routes=[Mount("/tools", server.make_app(server.AsyncService()))])
    base = "http://127.0.0.1:8000"

    async def ask() -> list[int]:
        transport = ASGITransport(host)
        async with AsyncClient(transport=transport, base_url=base) as client:
            asking = [client.post("/tools/mcp", **request()) for _ in range(5)]
            return [each.status_code for each in await asyncio.gather(*asking)]

    for _ in range(2):  # an event loop each
        assert [200] * 5 == asyncio.run(ask())


def _value(answer: Any) -> Any:
    return answer["result"]["structuredContent"]


def _in_session(
    client: TestClient,
    method: str,
    params: dict[str, Any],
    written: str = "",
    at: str = "/mcp",
    more: dict[str, str] | None = None,
) -> Any:
    """The response to a request in a session of an older revision; "?" is ``written``."""
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        **(more or {}),
    }
    opening = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }

    def send(more: dict[str, Any]) -> Any:
        text = json.dumps({"jsonrpc": "2.0", **more}).replace('"?"', written)
        return client.post(at, content=text, headers=headers)

    opened = send({"id": 0, "method": "initialize", "params": opening})
    headers["mcp-session-id"] = opened.headers["mcp-session-id"]
    send({"method": "notifications/initialized"})
    return send({"id": 1, "method": method, "params": params})


@pytest.mark.whole
@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_deployed_answers_and_ends_when_it_is_told_to(
    built: Built, era: str, told: signal.Signals
) -> None:
    options = ("--http", "127.0.0.1:0", "--context", "web_handlers:context")
    command = (f"{built.package}.mcp_server", *options)
    with deployed(built.out / "python", *command) as (process, url):

        async def see(client: Client) -> Any:
            return (await client.call_tool("admin", {})).structured_content

        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(url, mode=era)) as client,
        ):
            assert {"result": "done"} == portal.call(see, client)
            process.send_signal(told)
            assert 0 == process.wait(15)


def test_a_start_that_fails_fails_its_request_and_the_next_one_tries_again() -> None:
    starts: list[str] = []

    @asynccontextmanager
    async def failing(_: Any) -> AsyncIterator[None]:
        starts.append("start")
        raise OSError("no room")
        yield

    started = Started(lambda: Starlette(lifespan=failing))
    mounted = Starlette(routes=[Mount("/tools", started)])
    with TestClient(mounted, raise_server_exceptions=False) as made:
        assert 500 == made.get("/tools/mcp").status_code
        assert 500 == made.get("/tools/mcp").status_code
    assert ["start", "start"] == starts
