"""Handlers that misbehave: a call always ends, and in words (issue 7)."""

from __future__ import annotations

import asyncio
import datetime as dt
import subprocess
import sys
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

SPECS = """
type: python_function
name: plain
description: d.
arguments:
  inline:
    text: string
    name: { type: string, llm: false, required: false }
    arguments: { type: int, llm: false, required: false }
returns: string
---
type: python_function
name: ids
description: d.
arguments: { inline: { text: string } }
returns: "uuid[]"
---
type: python_function
name: price
description: d.
arguments: { inline: { text: string } }
returns: { inline: { amount: { type: decimal, wire: string } } }
---
type: python_function
name: contextual
description: d.
arguments:
  inline:
    text: string
    user: { type: string, from_context: app.user }
returns: string
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    built: Built = build(tmp_path_factory.mktemp("hostile"), {"a.yaml": SPECS})
    assert not built.diagnostics.has_errors
    return built.load("handlers")


def _next(call: Any) -> str:
    return next(iter(()))


def _exit(call: Any) -> str:
    sys.exit("the end")


async def _next_later(call: Any) -> str:
    return next(iter(()))


async def _exit_later(call: Any) -> str:
    sys.exit("the end")


class _Callable:
    async def __call__(self, call: Any) -> str:
        raise StopIteration


@pytest.mark.parametrize(
    "handler", [_next, _exit, _next_later, _exit_later, _Callable()]
)
def test_what_ends_loops_and_programs_ends_the_call_alone(
    made: Any, handler: Callable[[Any], Any]
) -> None:
    handlers = made.Handlers(plain=handler)
    told = {"code": "failed", "message": "plain failed", "status": 500}
    expected = {"ok": False, "error": told}
    assert expected == handlers.invoke("plain", {"text": "x"}).to_dict()

    async def call() -> Any:
        async with asyncio.timeout(5):
            return await handlers.invoke_async("plain", {"text": "x"})

    assert expected == asyncio.run(call()).to_dict()


def _generator(call: Any) -> Any:
    yield "11111111-2222-4333-8444-555555555555"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [None],
        "abc",
        [5],
        {"a": uuid.UUID(int=5)},
        object(),
        [[uuid.UUID(int=5)]],
        _generator(None),
        _next_later,
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_value_of_another_type_is_refused(made: Any, value: Any) -> None:
    result = made.Handlers(ids=lambda call: value).invoke("ids", {"text": "x"})
    assert "invalid_output" == result.error.code


def test_a_value_of_the_type_is_encoded(made: Any) -> None:
    one = uuid.UUID(int=5)
    result = made.Handlers(ids=lambda call: [one]).invoke("ids", {"text": "x"})
    assert [str(one)] == result.json


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (Decimal("1.50"), "1.50"),
        (5, "5"),
        (1e-7, "0.0000001"),
        (Decimal("1E+3"), "1000"),
        ("2.5", "2.5"),
        (True, None),
        (Decimal("NaN"), None),
        (float("inf"), None),
        (dt.date(2026, 1, 1), None),
    ],
    ids=str,
)
def test_decimals_as_text_keep_their_digits(
    made: Any, amount: Any, expected: str | None
) -> None:
    handlers = made.Handlers(price=lambda call: {"amount": amount})
    result = handlers.invoke("price", {"text": "x"})
    said = {"amount": expected} if expected else "invalid_output"
    assert said == (result.json if result.ok else result.error.code)


def test_values_of_the_host_may_be_called_name_and_arguments(made: Any) -> None:
    handlers = made.Handlers(plain=lambda call: f"{call.name} {call.arguments}")
    given = {"name": "n", "arguments": 5}
    assert "n 5" == handlers.invoke("plain", {"text": "x"}, **given).value


class _Raising(dict[str, Any]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError("no such thing")


def test_a_context_that_raises_is_one_that_does_not_give(made: Any) -> None:
    handlers = made.Handlers(contextual=lambda call: call.user)
    result = handlers.invoke("contextual", {"text": "x"}, _Raising(app={"user": "u"}))
    assert "not_configured" == result.error.code


@pytest.mark.parametrize("sent", [None, 5, [], [["text", "x"]], "", b"\xff", "[]", "5"])
def test_what_is_no_object_is_refused(made: Any, sent: Any) -> None:
    handlers = made.Handlers(plain=lambda call: "never")
    assert "invalid_arguments" == handlers.invoke("plain", sent).error.code


def test_deep_json_is_refused(made: Any, tmp_path: Path) -> None:
    handlers = made.Handlers(plain=lambda call: "never")
    for deep in ("[" * 100_000, '{"text": ' + "[" * 50_000 + "]" * 50_000 + "}"):
        assert "invalid_arguments" == handlers.invoke("plain", deep).error.code


def _interrupted(call: Any) -> str:
    raise KeyboardInterrupt


def test_what_is_raised_in_a_thread_ends_the_call(made: Any) -> None:
    handlers = made.Handlers(plain=_interrupted)
    result = asyncio.run(handlers.invoke_async("plain", {"text": "x"}))
    assert "failed" == result.error.code


HANGING = """
import asyncio, sys, time
from {package}.handlers import Handlers

def hang(call):
    if call.text == "hang":
        time.sleep(600)
    return call.text

async def main():
    handlers = Handlers(plain=hang)
    calls = [handlers.invoke_async("plain", {{"text": "hang"}}) for _ in range(50)]
    waiting = [asyncio.create_task(each) for each in calls]
    await asyncio.sleep(0)
    result = await handlers.invoke_async("plain", {{"text": "here"}})
    for each in waiting:
        each.cancel()
    await asyncio.wait(waiting)
    print(result.value, all(each.cancelled() for each in waiting))

asyncio.run(main())
"""


def test_handlers_that_hang_hold_up_no_other_and_not_the_end(made: Any) -> None:
    package, _, _ = made.__name__.partition(".")
    outcome = subprocess.run(
        [sys.executable, "-c", HANGING.format(package=package)],
        cwd=Path(made.__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (0, "here True\n", "") == (
        outcome.returncode,
        outcome.stdout,
        outcome.stderr,
    )


def test_a_resource_that_declares_no_result_returns_text_or_json(
    tmp_path: Path,
) -> None:
    spec = """
type: resource
name: page
path: /pages/{number}
arguments: { inline: { number: int } }
"""
    handlers = build(tmp_path, {"r.yaml": spec}).load("handlers")
    for value in ("text", {"a": 1}):
        made = handlers.Handlers(page=lambda call, value=value: value)
        assert value == made.invoke("page", {"number": 1}).json
    made = handlers.Handlers(page=lambda call: object())
    assert "invalid_output" == made.invoke("page", {"number": 1}).error.code
