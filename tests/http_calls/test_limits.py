"""Answers that take too long or are too much: cut, whatever the other side does."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from support.loopback import answer

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


def _dripping(first: bytes, drop: bytes) -> Callable[[socket.socket], None]:
    def drip(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(first)
            for _ in range(200):
                time.sleep(0.05)
                connection.sendall(drop)

    return drip


def _endless(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(HEAD + b"\r\n")
        while True:
            connection.sendall(b" " * 65536)


def _endless_chunks(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"400\r\n" + b" " * 1024 + b"\r\n")


@pytest.mark.parametrize(
    "reply",
    [
        _dripping(b"", b""),
        _dripping(b"HTTP/1.1 200 OK\r\nx: ", b"y"),
        _dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        _dripping(HEAD + b"\r\n", b" "),
        _dripping(HEAD + b"content-length: 1000\r\n\r\n", b" "),
        _dripping(HEAD + b"transfer-encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    ],
    ids=["silent", "header", "continue", "body", "length", "chunks"],
)
def test_slow_answers_are_cut_when_the_time_is_over(world: Any, reply: Any) -> None:
    world.here.says(reply)
    error = world.tool("hurried_item").invoke({"id": "7"}).error
    assert ("timeout", 1) == (error.code, error.attempts)


@pytest.mark.parametrize("reply", [_endless, _endless_chunks])
def test_endless_answers_are_cut_at_the_limit(world: Any, reply: Any) -> None:
    world.here.says(reply)
    options, _ = world.options(limits=world.http.Limits(max_bytes=200_000))
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert "response_too_large" == error.code
    assert "get_item: the answer has more than 200000 bytes" == error.message


def test_the_limit_is_inclusive(world: Any) -> None:
    for size, is_right in ((len(ITEM), True), (len(ITEM) - 1, False)):
        world.here.says(answer(200, ITEM))
        options, _ = world.options(limits=world.http.Limits(max_bytes=size))
        result = world.tool("get_item").invoke(
            {"id": "7"}, secrets=TOKEN, options=options
        )
        assert is_right == result.ok


def test_the_time_of_all_attempts_is_limited(world: Any) -> None:
    world.here.says(_dripping(b"", b""))
    options = world.http.Options(limits=world.http.Limits(max_seconds=0.2))
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert "timeout" == error.code


def test_bodies_that_nobody_wants_are_not_read(world: Any) -> None:
    def endless(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(b"HTTP/1.1 404 No\r\n\r\n")
            while True:
                connection.sendall(b" " * 65536)

    world.here.says(endless)
    error = world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN).error
    assert ("status", 404) == (error.code, error.status)


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (HEAD + b"content-length: 99\r\n\r\n{}", "connection_failed"),
        (HEAD + b"transfer-encoding: chunked\r\n\r\n5\r\n{}", "connection_failed"),
        (HEAD + b"transfer-encoding: chunked\r\n\r\nzz\r\n{}", "connection_failed"),
        (HEAD, "invalid_response"),
        (b"", "connection_failed"),
        (b"SSH-2.0-OpenSSH\r\n", "invalid_response"),
        (b"HTTP/1.1 abc\r\n\r\n", "invalid_response"),
        (b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n", "invalid_response"),
        (b"HTTP/1.1 200 OK\r\na: " + b"b" * 70_000 + b"\r\n\r\n", "invalid_response"),
    ],
)
def test_broken_answers_are_errors(world: Any, reply: bytes, code: str) -> None:
    world.here.says(reply)
    options, _ = world.options()
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert code == error.code
