"""Answers that are errors: how they begin is kept, bounded, as text that is safe to show."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
import time
from base64 import b64encode
from collections.abc import Callable
from html import escape
from typing import Any

import httpx
import pytest
import requests

from support.loopback import answer, redirect

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken-of-ours"}
JSON = "application/json"
PROBLEM = '{"title": "no such language", "field": "lang"}'
Invoke = Callable[..., Any]


def _get(world: Any, **given: Any) -> Any:
    return world.tool("get_item").invoke({"id": "7"}, **{"secrets": TOKEN, **given})


@pytest.fixture(params=["stdlib", "httpx", "requests", "thread", "async httpx"])
def get(world: Any, request: pytest.FixtureRequest) -> Invoke:
    """``get(**options)`` through each transport."""
    http, name = world.http, request.param

    async def awaited(given: Any) -> Any:
        invoke = world.tool("get_item").invoke_async
        if name == "thread":
            return await invoke({"id": "7"}, secrets=TOKEN, **given)
        async with httpx.AsyncClient() as client:
            given["transport"] = http.AsyncHttpxTransport(client)
            return await invoke({"id": "7"}, secrets=TOKEN, **given)

    def plain(**given: Any) -> Any:
        if name in ("thread", "async httpx"):
            return asyncio.run(awaited(given))
        with httpx.Client() as client, requests.Session() as session:
            transports = {
                "httpx": http.HttpxTransport(client),
                "requests": http.RequestsTransport(session),
            }
            return _get(world, transport=transports.get(name), **given)

    return plain


def test_what_the_other_side_says_is_kept(world: Any, get: Invoke) -> None:
    world.here.says(answer(422, PROBLEM, content_type="application/problem+json"))
    error = get().error
    expected = world.http.Excerpt(PROBLEM, "application/problem+json")
    assert ("status", 422, expected) == (error.code, error.status, error.body)
    told = error.to_dict(body=True)["body"]
    assert {
        "text": PROBLEM,
        "mediaType": "application/problem+json",
        "isCut": False,
    } == told


def test_nobody_is_told_who_is_not_meant_to_be(world: Any) -> None:
    world.here.says(answer(422, PROBLEM, content_type=JSON))
    result = _get(world)
    assert {
        "code": "status",
        "status": 422,
        "message": "get_item: the other side answered with status 422",
    } == result.to_dict()["error"]
    assert "language" not in repr(result)
    assert PROBLEM == result.to_dict(body=True)["error"]["body"]["text"]


def test_the_kept_body_of_an_error_is_bounded(world: Any, get: Invoke) -> None:
    world.here.says(answer(500, "x" * 1_000_000, content_type="text/plain"))
    assert world.http.Excerpt("x" * 4096, "text/plain", True) == get().error.body
    options, _ = world.options(limits=world.http.Limits(max_error_bytes=10))
    for size, is_cut in ((9, False), (10, False), (11, True)):
        world.here.says(answer(500, "x" * size, content_type="text/plain"))
        expected = world.http.Excerpt("x" * min(size, 10), "text/plain", is_cut)
        assert expected == get(options=options).error.body


def test_none_is_kept_where_none_is_wanted(world: Any) -> None:
    options, _ = world.options(limits=world.http.Limits(max_error_bytes=0))
    world.here.says(answer(422, PROBLEM, content_type=JSON))
    assert None is _get(world, options=options).error.body
    world.here.says(answer(404))
    assert None is _get(world).error.body
    world.here.says(redirect("ftp://evil.example/"))
    assert None is _get(world).error.body


def test_an_endless_or_a_slow_body_takes_the_status_from_nobody(
    world: Any, get: Invoke
) -> None:
    def endless(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 400 No\r\ncontent-type: text/plain\r\n\r\n")
            while True:
                connection.sendall(b"x" * 65536)

    def dripping(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 400 No\r\ncontent-type: text/plain\r\n\r\n")
            while True:
                time.sleep(0.05)
                connection.sendall(b"x")

    short = b"HTTP/1.1 400 No\r\ncontent-length: 99\r\n\r\nno"
    for reply in (endless, dripping, short):
        world.here.says(reply)
        error = get().error
        assert ("status", 400) == (error.code, error.status)
        assert error.body is None or error.body.is_cut


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("käse".encode("latin-1"), "text/html; charset=iso-8859-1", "käse"),
        ("käse".encode(), "text/plain; charset=klingon", "käse"),
        (b"k\xe4se", "application/json", "k\ufffdse"),
        (b"a\r\nb\tc", "text/plain", "a\nb\tc"),
        (b"\x1b[2Jx\x00y\x07\x7f", "text/plain", "\ufffd[2Jx\ufffdy\ufffd\ufffd"),
        ("a\u202eb\u2066c\u2028d".encode(), "text/plain", "a\ufffdb\ufffdc\ufffdd"),
        ("\ufeff\U000e0041x".encode(), "text/plain", "\ufffd\ufffdx"),
        (b"\x89PNG\r\n", "image/png", ""),
        (b"words", "application/octet-stream", ""),
    ],
)
def test_text_is_safe_to_show(world: Any, body: bytes, kind: str, text: str) -> None:
    world.here.says(answer(400, body, content_type=kind))
    found = _get(world).error.body
    expected = (text, kind.partition(";")[0], not text)
    assert expected == (found.text, found.media_type, found.is_cut)


def test_what_is_compressed_is_not_unpacked(world: Any) -> None:
    packed = gzip.compress(b"0" * 100_000)
    world.here.says(
        answer(400, packed, content_type="text/plain", content_encoding="gzip")
    )
    assert world.http.Excerpt("", "text/plain", True) == _get(world).error.body


@pytest.mark.parametrize("cut", range(60, 76))
def test_no_beginning_of_a_secret_is_left_where_the_text_is_cut(
    world: Any, cut: int
) -> None:
    options, _ = world.options(limits=world.http.Limits(max_error_bytes=cut))
    text = "." * 60 + TOKEN["TOKEN"] + "." * 60
    world.here.says(answer(401, text, content_type="text/plain"))
    found = _get(world, options=options).error.body
    expected = "." * 60 + ("***" + "." * (cut - 73) if cut >= 73 else "")
    assert (expected, True) == (found.text, found.is_cut)


def test_secrets_are_found_in_the_forms_that_servers_echo(world: Any) -> None:
    user, password = "ann", 'pä<ss>"wö/rd&7+x'
    both = f"{user}:{password}".encode()
    plain = password.encode()
    forms = [
        password,
        json.dumps(password),
        json.dumps(password).replace("/", "\\/"),
        escape(password),
        plain.hex(),
        plain.hex().upper(),
        "Basic " + b64encode(both).decode(),
        b64encode(b"x" + plain + b"yz").decode(),
        b64encode(b"xy" + plain + b"z").decode().replace("+", "-").replace("/", "_"),
    ]
    tool = world.module("_redact").forms([password])
    for form in forms:
        told = tool.cleaned(f"you sent {form}!")
        assert "***" in told
        kept = told.replace("you sent ", "").replace("***", "")
        assert len(kept) < 18, (form, told)


def test_answers_that_are_no_values_say_what_they_are(world: Any) -> None:
    page = "<html><title>Sign in</title></html>"
    world.here.says(answer(200, page, content_type="text/html"))
    error = _get(world).error
    expected = world.http.Excerpt(page, "text/html")
    assert ("invalid_response", expected) == (error.code, error.body)
    world.here.says(answer(200, '{"id": "seven"}', content_type=JSON))
    error = _get(world).error
    assert ("invalid_output", '{"id": "seven"}') == (error.code, error.body.text)


def test_where_errors_are_no_value_nothing_is_read(world: Any) -> None:
    seen: list[int] = []

    class Transport:
        def send(self, request: Any, budget: Any) -> Any:
            seen.append(budget.excerpt(404))
            return budget.collect(404, (), iter([b"no"]))

    secrets = {"USER": "u", "PASSWORD": "p"}
    found = world.tool("maybe_item").invoke(
        {"id": 1}, secrets=secrets, transport=Transport()
    )
    assert ({"ok": True, "value": None}, [0]) == (found.to_dict(), seen)
