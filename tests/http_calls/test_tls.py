"""HTTPS on loopback: whose certificate is believed, and that no call falls back to HTTP."""

from __future__ import annotations

import contextlib
import datetime as dt
import socket
import ssl
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests

from support.certificates import Authority, authority
from support.loopback import Loopback, answer, loopback, redirect

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}
Named = Callable[..., Loopback]


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """The authority that signs what the servers show."""
    return authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def server(ours: Authority) -> Generator[Named, None, None]:
    """``server(*names)``: a server with a certificate for names, which answers with an item."""
    with contextlib.ExitStack() as stack:

        def made(*names: str, age: dt.timedelta = dt.timedelta()) -> Loopback:
            found = stack.enter_context(loopback(ours.server(*names, age=age)))
            found.says(answer(200, ITEM))
            return found

        yield made


def _call(
    world: Any, host: str, transport: Any = None, *, scheme: str = "https"
) -> Any:
    """Get an item from a host, without pauses."""
    http, tool = world.http, world.tool("roam")
    name, _, port = host.partition(":")
    plan = http.Plan(
        tool="roam",
        hosts=(http.Host(name, port=int(port)),),
        secrets=("TOKEN",),
    )
    options, _ = world.options()
    headers = (("Authorization", "Bearer t0ken"),)
    request = http.Request("GET", f"{scheme}://{host}/x", headers)
    run = world.module("_run").run
    return run(
        plan,
        lambda: request,
        tool.CALL.decode,
        secrets=TOKEN,
        transport=transport,
        options=options,
    )


@contextlib.contextmanager
def _trusting(world: Any, name: str, ours: Authority) -> Generator[Any, None, None]:
    match name:
        case "stdlib":
            yield world.http.StdlibTransport(context=ours.trusted())
        case "httpx":
            with httpx.Client(verify=ours.trusted(), trust_env=False) as client:
                yield world.http.HttpxTransport(client)
        case _:
            with requests.Session() as session:
                session.verify = str(ours.path)
                yield world.http.RequestsTransport(session)


@pytest.fixture(params=["stdlib", "httpx", "requests"])
def trusting(
    world: Any, request: pytest.FixtureRequest, ours: Authority
) -> Generator[Any, None, None]:
    """Each transport, which trusts the authority."""
    with _trusting(world, request.param, ours) as transport:
        yield transport


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_for_the_host_is_believed(
    world: Any, trusting: Any, server: Named, host: str
) -> None:
    here = server("localhost", "127.0.0.1")
    result = _call(world, f"{host}:{here.port}", trusting)
    assert {"ok": True, "value": {"id": 7, "name": "Lamp"}} == result.to_dict()
    assert "Bearer t0ken" == here.only.header("authorization")


@pytest.mark.parametrize(
    "names", [("other.example",), ("127.0.0.1",), ("*.localhost",)]
)
def test_a_certificate_for_another_host_is_refused(
    world: Any, trusting: Any, server: Named, names: tuple[str, ...]
) -> None:
    here = server(*names)
    error = _call(world, f"localhost:{here.port}", trusting).error
    assert ("connection_failed", []) == (error.code, here.heard)


def test_a_certificate_that_expired_is_refused(
    world: Any, trusting: Any, server: Named
) -> None:
    here = server("localhost", age=dt.timedelta(days=1))
    error = _call(world, f"localhost:{here.port}", trusting).error
    assert ("connection_failed", []) == (error.code, here.heard)


@pytest.mark.parametrize("transport", [None, "httpx", "requests"])
def test_an_authority_that_nobody_knows_is_not_believed(
    world: Any, server: Named, transport: str | None
) -> None:
    here = server("localhost")
    host = f"localhost:{here.port}"
    with httpx.Client(trust_env=False) as client, requests.Session() as session:
        given = {
            "httpx": world.http.HttpxTransport(client),
            "requests": world.http.RequestsTransport(session),
        }
        error = _call(world, host, given.get(transport or "")).error
    assert ("connection_failed", []) == (error.code, here.heard)
    assert "roam: there is no connection" == error.message
    if transport is None:
        assert "ConnectionFailed: SSLCertVerificationError 1" == error.detail


def test_only_the_authorities_of_the_system_are_known_without_a_word(
    world: Any, server: Named, ours: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = server("localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(ours.path))
    assert _call(world, f"localhost:{here.port}").ok


def test_a_redirect_to_http_is_refused(
    world: Any, trusting: Any, server: Named
) -> None:
    here = server("localhost")
    for location in (
        f"http://localhost:{here.port}/x",
        f"http://localhost:{here.port}",
    ):
        here.says(redirect(location), answer(200, ITEM))
        error = _call(world, f"localhost:{here.port}", trusting).error
        assert "redirect_refused" == error.code
        assert error.message.endswith("a redirect leads from https to http")
        assert "GET /x HTTP/1.1" == here.only.line


def test_a_server_without_tls_hears_nothing_that_can_be_read(
    world: Any, trusting: Any
) -> None:
    heard: list[bytes] = []

    def listen(listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            heard.append(connection.recv(65536))
            connection.sendall(answer(200, ITEM))

    import threading

    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        threads = [
            threading.Thread(target=listen, args=(listening,), daemon=True)
            for _ in range(3)
        ]
        for each in threads:
            each.start()
        error = _call(world, f"localhost:{port}", trusting).error
    assert error.code in ("connection_failed", "invalid_response")
    assert heard and not any(b"t0ken" in each for each in heard)


def test_a_server_that_speaks_old_protocols_only_is_refused(
    world: Any, ours: Authority, tmp_path: Path
) -> None:
    old = ours.server("localhost")
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning):
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with loopback(old) as here:
        here.says(answer(200, ITEM))
        transport = world.http.StdlibTransport(context=ours.trusted())
        error = _call(world, f"localhost:{here.port}", transport).error
    assert ("connection_failed", []) == (error.code, here.heard)
