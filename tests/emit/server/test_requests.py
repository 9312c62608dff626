"""HTTP tools behind a generated server: what models are told, and who may be spoken to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from support.loopback import Loopback, answer, loopback
from support.project import Built, sound
from support.served import answered

SPEC = """\
type: http_function
name: look
description: Look something up.
arguments: {inline: {id: string}}
secrets: [TOKEN]
allowedHosts: ["api.example.com:PORT"]
request:
  urlTemplate: http://api.example.com:PORT/${id}
  auth: {type: bearer, token: "${TOKEN}"}
returns: string
"""
PROBLEM = '{"detail": "no such thing, Bearer t0ken"}'
SECRETS = {"TOKEN": "t0ken"}


@pytest.fixture(scope="module")
def here() -> Iterator[Loopback]:
    """A server on loopback."""
    with loopback() as found:
        yield found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, here: Loopback) -> Built:
    """A package with one HTTP tool."""
    spec = SPEC.replace("PORT", str(here.port))
    return sound(
        tmp_path_factory.mktemp("requests"),
        {"a.yaml": spec},
        targets=("python", "http", "mcp", "service", "server"),
    )


@pytest.fixture(autouse=True)
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the host leads to this machine."""
    usual = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda _, *rest, **given: usual("127.0.0.1", *rest, **given),
    )


def _told(built: Built, http: dict[str, Any]) -> str:
    given = built.load("service").Http(**http)
    result = answered(built.load("mcp_server"), "look", {"id": "7"}, http=given)
    assert result["isError"]
    return str(result["content"][0]["text"])


def _http(built: Built, **more: Any) -> dict[str, Any]:
    transport = built.load("http").StdlibTransport(allow_private=True)
    return {"secrets": SECRETS, "transport": transport, **more}


def test_models_are_told_what_the_other_side_says_where_the_host_wants_it(
    built: Built, here: Loopback
) -> None:
    here.says(answer(422, PROBLEM, content_type="application/json"))
    status = "look: the other side answered with status 422"
    assert status == _told(built, _http(built))
    expected = f'{status}. It said:\n{{"detail": "no such thing, Bearer ***"}}'
    assert expected == _told(built, _http(built, error_bodies=True))
    here.says(answer(422, "x" * 5000, content_type="text/plain"))
    told = _told(built, _http(built, error_bodies=True))
    assert f"{status}. It said:\n{'x' * 4096} […]" == told
    here.says(answer(422, b"\x00", content_type="image/png"))
    assert status == _told(built, _http(built, error_bodies=True))


def test_private_addresses_are_refused_unless_the_host_allows_them(
    built: Built, here: Loopback
) -> None:
    here.says(answer(200, '"seven"'))
    expected = "look: the URL is refused: its host has a private address"
    assert expected == _told(built, {"secrets": SECRETS})
    assert [] == here.heard


def test_the_command_line_allows_them(
    built: Built, here: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = import_module("brimgen_runtime.server.command")
    offers: list[Any] = []
    usual = command.make_server
    monkeypatch.setattr(
        command, "make_server", lambda each: (offers.append(each), usual(each))[1]
    )
    monkeypatch.setattr(command, "run_until_signal", lambda _: None)
    monkeypatch.setenv("TOKEN", "t0ken")
    server = built.load("mcp_server")
    assert 0 == server.main(["--allow-private", "--error-bodies"])
    here.says(answer(422, PROBLEM, content_type="application/json"))
    call = server.CallContext("look")
    result = asyncio.run(offers[0].call("look", {"id": "7"}, call))
    assert "Bearer ***" in result["content"][0]["text"]
