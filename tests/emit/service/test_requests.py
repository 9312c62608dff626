"""HTTP tools of a service: secrets, transports, and what is told of failures."""

from __future__ import annotations

import asyncio
import logging
import threading
from importlib import import_module
from typing import Any

import pytest

from support.project import build

SPEC = """\
type: http_function
name: track
description: Track a parcel.
allowedHosts: [api.carrier.example]
arguments: {inline: {parcel: string, tenant: {type: string, from_context: app.tenant}}}
secrets: [TOKEN]
request:
  method: GET
  url: https://api.carrier.example/${tenant}/${parcel}
  headers: {Authorization: "Bearer ${TOKEN}"}
returns: {inline: {state: string}}
"""
CONTEXT = {"app": {"tenant": "t1"}}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    built = build(tmp_path_factory.mktemp("requests"), {"a.yaml": SPEC})
    assert [] == [e.message for e in built.diagnostics if e.rule.severity == "error"]
    built.load()
    return built


class Carrier:
    """A transport that answers each request, and keeps it."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.sent: list[Any] = []
        self.threads: set[int] = set()

    def send(self, request: Any, _budget: Any, /) -> Any:
        self.sent.append(request)
        self.threads.add(threading.get_ident())
        return self.answer


def answered(package: Any, body: bytes, status: int = 200) -> Carrier:
    answer = import_module("brimgen_runtime.http._transport").Answer
    return Carrier(answer(status, (("content-type", "application/json"),), body))


def test_a_request_is_made_with_the_secret_and_the_context(package: Any) -> None:
    module = package.load("service")
    carrier = answered(package, b'{"state": "sent"}')
    http = module.Http(secrets={"TOKEN": "s3cret"}, transport=carrier)
    service = module.Service(http=http, context=CONTEXT)
    assert {"state": "sent"} == service.call("track", {"parcel": "a/b"})
    [request] = carrier.sent
    assert "https://api.carrier.example/t1/a%2Fb" == request.url
    assert ("Authorization", "Bearer s3cret") in request.headers

    async def run() -> Any:
        async with module.AsyncService(http=http, context=CONTEXT) as awaited:
            return await awaited.call("track", {"parcel": "c"})

    assert {"state": "sent"} == asyncio.run(run())
    # A sync transport blocks no event loop.
    assert 2 == len(carrier.threads)


def test_a_secret_that_is_missing_is_told_when_the_service_is_made(
    package: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = package.load("service")
    monkeypatch.delenv("TOKEN", raising=False)
    with pytest.raises(module.ServiceError, match="track: there is no secret TOKEN"):
        module.Service()
    monkeypatch.setenv("TOKEN", "x")
    assert ("track",) == module.Service().tools


def test_a_failure_is_told_without_the_secret(package: Any, caplog: Any) -> None:
    module = package.load("service")
    body = b'{"error": "no such token: s3cret"}'
    for tells, told in ((False, False), (True, True)):
        http = module.Http(
            secrets={"TOKEN": "s3cret"},
            transport=answered(package, body, 404),
            error_bodies=tells,
        )
        service = module.Service(http=http, context=CONTEXT)
        with caplog.at_level(logging.INFO):
            outcome = service.outcome("track", {"parcel": "a"})
        assert "status" == outcome.code
        assert told is ("no such token" in outcome.text)
        assert "s3cret" not in outcome.text + caplog.text
    bad = module.Service(
        http=module.Http(
            secrets={"TOKEN": "x"}, transport=answered(package, b'{"state": 1}')
        ),
        context=CONTEXT,
    )
    assert "invalid_output" == bad.outcome("track", {"parcel": "a"}).code


def test_a_request_that_takes_too_long_is_given_up(package: Any) -> None:
    module = package.load("service")
    carrier = answered(package, b"{}")
    ended = threading.Event()
    carrier.send = lambda request, budget, /: ended.wait(5)  # type: ignore[method-assign]
    http = module.Http(secrets={"TOKEN": "x"}, transport=carrier)
    service = module.Service(http=http, context=CONTEXT, timeout=0.05)
    assert "timeout" == service.outcome("track", {"parcel": "a"}).code
    ended.set()
