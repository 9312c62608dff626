"""A generated server over HTTP: who may reach it, and what it knows of its callers."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
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
from support.project import Built, build

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

REFUSED = ("late", "zero", "soon", "nan", "endless", "null", "list", "broken")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(tmp_path_factory.mktemp("web"), {"a.yaml": SPECS})
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    handlers = made.folder / "out/python/web_handlers.py"
    handlers.write_text(HANDLERS, "utf-8")
    return made


@contextmanager
def client(
    built: Built,
    web: dict[str, Any] | None = None,
    visible: Any = None,
    **given: Any,
) -> Iterator[TestClient]:
    """A client of the package's application, which is reached by a name it allows."""
    server = built.load("mcp_server")
    app = server.make_app(
        server.AsyncService(**given),
        server.Options(visible=visible),
        at=server.Web(**(web or {})),
    )
    with TestClient(app, base_url="http://127.0.0.1:8000") as made:
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


def called(client: TestClient, name: str, headers: dict[str, str]) -> Any:
    params = {"name": name, "arguments": {}}
    return answer_of(asked(client, "tools/call", params, headers))


def answer_of(response: Any) -> Any:
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        (text,) = re.findall(r"^data: (.+)$", text, re.M)
    return json.loads(text)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "localhost:1"}, 200),
        ({"host": "localhost"}, 200),
        ({"host": "evil.example:8000"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_a_page_of_elsewhere_does_not_reach_a_local_server(
    built: Built, headers: dict[str, str], status: int
) -> None:
    with client(built) as made:
        assert status == asked(made, headers=headers).status_code


def test_a_public_server_answers_to_the_names_it_is_told(built: Built) -> None:
    web = {
        "host": "0.0.0.0",
        "allowed_hosts": ["tools.example.com"],
        "allowed_origins": ["https://app.example.com"],
    }
    with client(built, web) as made:
        for host, origin, status in (
            ("tools.example.com", "https://app.example.com", 200),
            ("tools.example.com:8443", "https://tools.example.com", 200),
            ("127.0.0.1", "https://app.example.com", 421),
            ("tools.example.com", "https://app.example.com.evil", 403),
        ):
            headers = {"host": host, "origin": origin}
            assert status == asked(made, headers=headers).status_code


def test_a_server_on_every_address_must_be_told_its_names() -> None:
    with pytest.raises(ValueError, match="allow a host"):
        _ = Web(host="0.0.0.0").hosts
    assert "[2001:db8::1]:*" in Web(host="2001:db8::1").hosts
    assert Web(host="::1").is_local


@pytest.mark.parametrize("verify", ["verify", "verify_later"])
def test_a_server_with_a_verifier_takes_accepted_tokens_only(
    built: Built, verify: str
) -> None:
    import web_handlers  # type: ignore[import-not-found]

    web = {"verify": getattr(web_handlers, verify), "scopes": ["tools:call"]}
    with client(built, web) as made:
        for token, status in (
            (None, 401),
            ("nope", 401),
            *[(name, 401) for name in REFUSED],
            ("weak", 403),
            ("good", 200),
        ):
            headers = {} if token is None else {"authorization": f"Bearer {token}"}
            response = asked(made, headers=headers)
            assert status == response.status_code
            assert (status == 200) == ("www-authenticate" not in response.headers)


def test_a_verifier_that_raises_lets_nobody_in(built: Built) -> None:
    def verify(token: str) -> None:
        raise KeyError(token)

    with client(built, {"verify": verify}) as made:
        headers = {"authorization": "Bearer good"}
        assert 401 == asked(made, headers=headers).status_code


@pytest.mark.parametrize("root_path", ["", "/tools", "/tools/deep"])
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/"])
def test_no_tool_is_reached_without_a_token_wherever_the_application_sits(
    built: Built, path: str, root_path: str
) -> None:
    import web_handlers

    server = built.load("mcp_server")
    app = server.make_app(
        server.AsyncService(),
        at=server.Web(
            path=path,
            verify=web_handlers.verify,
            resource_url="https://tools.example.com/mcp",
            authorization_servers=["https://login.example.com"],
        ),
    )
    base = "http://127.0.0.1:8000"
    metadata = "/.well-known/oauth-protected-resource/mcp"
    at = f"{root_path}{path}"
    with TestClient(app, base_url=base, root_path=root_path) as made:
        for place in (at, f"{at}/", at.rstrip("/") or "/", f"{root_path}/other"):
            assert 401 == asked(made, at=place).status_code
        headers = {"authorization": "Bearer good"}
        assert 200 == asked(made, headers=headers, at=at).status_code
        assert 200 == made.get(f"{root_path}{metadata}").status_code
        assert 401 == made.get(f"{root_path}{metadata}/more").status_code
        assert "ok" == made.get(f"{root_path}/health").text
        for near in ("/health/", "//health", "/health/more", "/health/../mcp"):
            assert 401 == asked(made, at=f"{root_path}{near}").status_code
        assert 405 == asked(made, at=f"{root_path}/health").status_code


def test_health_opens_no_server_that_has_its_path(built: Built) -> None:
    import web_handlers

    for path in ("/health", "/health/"):
        web = {"path": path, "verify": web_handlers.verify}
        with client(built, web) as made:
            assert 401 == made.get(path).status_code
            assert 401 == asked(made, at=path).status_code


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


def test_the_context_of_a_call_comes_from_its_token_or_headers(built: Built) -> None:
    import web_handlers

    given = {"context": web_handlers.context, "visible": web_handlers.visible}
    with client(built, {"verify": web_handlers.verify}, **given) as made:
        good = {"authorization": "Bearer good"}
        assert {"result": "ada"} == _value(called(made, "whose", good))
        assert {"result": "done"} == _value(called(made, "admin", good))
        weak = {"authorization": "Bearer weak"}
        assert {"result": "bob"} == _value(called(made, "whose", weak))
        assert -32602 == called(made, "admin", weak)["error"]["code"]
        assert -32602 == called(made, "nope", weak)["error"]["code"]
    with client(built, **given) as made:
        assert {"result": "eve"} == _value(called(made, "whose", {"x-user": "eve"}))


def _value(answer: Any) -> Any:
    return answer["result"]["structuredContent"]


def test_clients_are_told_where_to_get_a_token(built: Built) -> None:
    import web_handlers

    web = {
        "verify": web_handlers.verify,
        "resource_url": "https://tools.example.com/mcp",
        "authorization_servers": ["https://login.example.com"],
        "allowed_hosts": ["tools.example.com"],
    }
    with client(built, web) as made:
        refused = asked(made)
        assert 401 == refused.status_code
        path = "/.well-known/oauth-protected-resource/mcp"
        assert path in refused.headers["www-authenticate"]
        told = made.get(path).json()
    assert "https://tools.example.com/mcp" == told["resource"]
    assert ["https://login.example.com/"] == told["authorization_servers"]


@pytest.mark.parametrize("body", ["{", '{"id":1,"params":{"a":' + "7" * 5000 + "}}"])
def test_a_body_that_cannot_be_read_is_answered(built: Built, body: str) -> None:
    headers = {"content-type": "application/json", "accept": "application/json"}
    with client(built) as made:
        response = made.post("/mcp", content=body, headers=headers)
    assert 400 <= response.status_code < 500
    assert "error" in response.json()


HOSTILE = {
    "an endless exponent": "1e99999999999999999999",
    "a large exponent": "1e99999999",
    "no number": "NaN",
    "infinite": "-Infinity",
    "too many digits": "7" * 5000,
    "too many digits of a fraction": f"0.{'7' * 5000}",
    "deep": "[" * 3000 + "]" * 3000,
    "half a character": '"\\ud800"',
    "a key twice": '{"a": 1, "a": 2}',
}
REFUSED_CODES = (-32700, -32600, -32602)


@pytest.mark.parametrize("argument", ["number", "whole"])
@pytest.mark.parametrize("written", HOSTILE.values(), ids=HOSTILE)
def test_no_number_in_a_body_is_a_failure_of_the_server(
    built: Built, argument: str, written: str
) -> None:
    params = {"name": "exact", "arguments": {argument: "?"}}
    with client(built) as made:
        for response in (
            asked(made, "tools/call", params, written=written),
            _in_session(made, "tools/call", params, written),
        ):
            answer = answer_of(response)
            assert response.status_code < 500
            assert (
                answer["error"]["code"] in REFUSED_CODES
                if "error" in answer
                else answer["result"]["isError"]
            )


def test_a_number_that_is_almost_zero_is_no_whole_number(built: Built) -> None:
    params = {"name": "exact", "arguments": {"whole": "?"}}
    with client(built) as made:
        for response in (
            asked(made, "tools/call", params, written="1e-400"),
            _in_session(made, "tools/call", params, "1e-400"),
        ):
            assert answer_of(response)["result"]["isError"]


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--http", "8000"], "expected HOST:PORT"),
        (["--http", "0.0.0.0:0"], "the names that clients use must be told"),
        (["--stateless"], "--stateless needs --http"),
        (["--http", "127.0.0.1:0", "--verifier", "nowhere:f"], "No module named"),
        (["--http", "127.0.0.1:0", "--verifier", "json:nope"], "of a function"),
        (["--timeout", "0"], "above 0"),
    ],
)
def test_a_wrong_option_is_told(
    built: Built, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        built.load("mcp_server").main(options)
    assert (2, True) == (ended.value.code, said in capsys.readouterr().err)


@pytest.mark.whole
@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_deployed_answers_and_ends_when_it_is_told_to(
    built: Built, era: str, told: signal.Signals
) -> None:
    root = built.folder / "out/python"
    options = ["--http", "127.0.0.1:0", "--context", "web_handlers:context"]
    with _deployed(root, built.package, options) as (process, url):

        async def see(client: Client) -> Any:
            return (await client.call_tool("admin", {})).structured_content

        with (
            start_blocking_portal() as portal,
            portal.wrap_async_context_manager(Client(url, mode=era)) as client,
        ):
            assert {"result": "done"} == portal.call(see, client)
            process.send_signal(told)
            assert 0 == process.wait(15)


@contextmanager
def _deployed(root: Path, package: str, options: list[str]) -> Iterator[Any]:
    process = subprocess.Popen(
        [sys.executable, "-m", f"{package}.mcp_server", *options],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        (url,) = re.findall("http://.*", line)
        yield process, url
    finally:
        process.kill()


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
