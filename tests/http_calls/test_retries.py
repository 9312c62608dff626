"""Repeated requests: which are, how long is waited, and when it is enough (S2.54)."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from support.loopback import answer

ITEM = '{"id": 7, "name": "Lamp"}'
TOKEN = {"TOKEN": "t0ken"}


def _hang_up(connection: socket.socket) -> None:
    connection.close()


def test_it_is_enough_after_the_last_attempt(world: Any) -> None:
    world.here.says(answer(503))
    options, pauses = world.options()
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert ("status", 503, 3) == (error.code, error.status, error.attempts)
    assert (3, 2) == (len(world.here.heard), len(pauses))


def test_connections_that_end_are_made_again(world: Any) -> None:
    world.here.says(_hang_up, _hang_up, answer(200, ITEM))
    options, _ = world.options()
    assert world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN, options=options).ok
    world.here.says(_hang_up)
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert ("connection_failed", None, 3) == (error.code, error.status, error.attempts)


def test_post_is_not_repeated_unless_asked(world: Any) -> None:
    options, pauses = world.options()
    for reply in (answer(503), _hang_up):
        world.here.says(reply)
        tool = world.tool("add_item")
        call = {"id": 1, "name": "x"}
        result = tool.invoke(call, secrets=TOKEN, options=options)
        assert (False, 1) == (result.ok, result.error.attempts)
        assert (1, []) == (len(world.here.heard), pauses)
    world.here.says(answer(503), _hang_up, answer(204))
    assert world.tool("add_item_twice").invoke({"id": 1}, options=options).ok
    assert 3 == len(world.here.heard)


@pytest.mark.parametrize("status", [400, 401, 404, 409, 500, 501])
def test_other_codes_are_not_repeated(world: Any, status: int) -> None:
    world.here.says(answer(status))
    options, pauses = world.options()
    assert (
        not world.tool("get_item")
        .invoke({"id": "7"}, secrets=TOKEN, options=options)
        .ok
    )
    assert (1, []) == (len(world.here.heard), pauses)


@pytest.mark.parametrize(
    ("said", "waited"),
    [
        ("1", 1.0),
        ("0", 0.1),
        ("3600", 2.0),
        ("soon", 0.1),
        ("-5", 0.1),
        ("9" * 30, 0.1),
        ("١", 0.1),
        ("Fri, 15 Jan 2027 08:00:01 GMT", 1.0),
        ("Fri, 15 Jan 2027 09:00:00 GMT", 2.0),
        ("Fri, 15 Jan 2021 09:00:00 GMT", 0.1),
        ("Fri, 99 Foo 2027 09:00:00 GMT", 0.1),
    ],
)
def test_retry_after_is_waited_for_up_to_the_longest_pause(
    world: Any, said: str, waited: float
) -> None:
    header = said.encode().decode("latin-1")
    world.here.says(answer(429, retry_after=header), answer(200, ITEM))
    options, pauses = world.options()
    assert world.tool("get_item").invoke({"id": "7"}, secrets=TOKEN, options=options).ok
    assert [waited] == pauses


@pytest.mark.parametrize(
    ("attempt", "chance", "expected"),
    [(1, 0.0, 0.05), (1, 1.0, 0.1), (2, 0.5, 0.15), (10, 1.0, 2.0), (9999, 0.0, 1.0)],
)
def test_pauses_double_with_jitter_up_to_a_limit(
    world: Any, attempt: int, chance: float, expected: float
) -> None:
    module = world.module("_steps")
    clock = world.http.Clock(random=lambda: chance)
    retry = world.http.Retry(delay=0.1, max_delay=2.0)
    assert expected == pytest.approx(module.pause(retry, attempt, None, clock))


def test_no_pause_goes_beyond_the_time_of_the_call(world: Any) -> None:
    world.here.says(answer(503, retry_after=2), answer(200, ITEM))
    options, pauses = world.options(limits=world.http.Limits(max_seconds=1.0))
    tool = world.tool("get_item")
    error = tool.invoke({"id": "7"}, secrets=TOKEN, options=options).error
    assert ("status", 503, []) == (error.code, error.status, pauses)
