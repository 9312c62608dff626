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
    return built.load("service")


def outcome(
    made: Any, name: str, handler: Any, arguments: Any = None, **options: Any
) -> Any:
    """How a call of a tool ends that ``handler`` runs."""
    service = made.Service(handlers={name: handler}, partial=True, **options)
    return service.outcome(name, {"text": "x"} if arguments is None else arguments)


async def async_outcome(made: Any, name: str, handler: Any) -> Any:
    async with made.AsyncService(handlers={name: handler}, partial=True) as service:
        async with asyncio.timeout(5):
            return await service.outcome(name, {"text": "x"})


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
    told = {
        "code": "failed",
        "message": "plain failed. The reason is in the log.",
        "status": 500,
    }
    expected = {"ok": False, "error": told}
    assert expected == outcome(made, "plain", handler).to_dict()
    assert expected == asyncio.run(async_outcome(made, "plain", handler)).to_dict()


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
    assert "invalid_output" == outcome(made, "ids", lambda call: value).code


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
    found = outcome(made, "price", lambda call: {"amount": amount})
    said = {"amount": expected} if expected else "invalid_output"
    assert said == (found.code if found.is_error else found.value)


def test_values_of_the_host_may_be_called_name_and_arguments(made: Any) -> None:
    def handler(call: Any) -> str:
        return f"{call.name} {call.arguments}"

    values = {"plain": {"name": "n", "arguments": 5}}
    assert "n 5" == outcome(made, "plain", handler, values=values).value


class _Raising(dict[str, Any]):
    def get(self, *_: Any) -> Any:
        raise RuntimeError("no such thing")


def test_a_context_that_raises_ends_the_call_in_words(made: Any) -> None:
    context = _Raising(app={"user": "u"})
    found = outcome(made, "contextual", lambda call: call.user, context=context)
    assert "failed" == found.code
    assert "no such thing" not in found.text


def test_deep_json_is_refused(made: Any) -> None:
    for deep in ("[" * 100_000, '{"text": ' + "[" * 50_000 + "]" * 50_000 + "}"):
        assert "invalid_arguments" == outcome(made, "plain", _interrupted, deep).code


def _interrupted(call: Any) -> str:
    raise KeyboardInterrupt


def test_what_is_raised_in_a_thread_ends_the_call(made: Any) -> None:
    assert "failed" == asyncio.run(async_outcome(made, "plain", _interrupted)).code


HANGING = """
import asyncio, sys, time
from {package}.service import AsyncService

def hang(call):
    if call.text == "hang":
        time.sleep(600)
    return call.text

async def main():
    service = AsyncService(handlers={{"plain": hang}}, partial=True, max_concurrency=64)
    calls = [service.call("plain", {{"text": "hang"}}) for _ in range(50)]
    waiting = [asyncio.create_task(each) for each in calls]
    await asyncio.sleep(0)
    result = await service.call("plain", {{"text": "here"}})
    for each in waiting:
        each.cancel()
    await asyncio.wait(waiting)
    print(result, all(each.cancelled() for each in waiting))

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
    assert (0, "here True\n") == (outcome.returncode, outcome.stdout)
    assert "Traceback" not in outcome.stderr


def test_a_resource_that_declares_no_result_returns_text_or_json(
    tmp_path: Path,
) -> None:
    spec = """
type: resource
name: page
path: /pages/{number}
arguments: { inline: { number: int } }
"""
    module: Any = build(tmp_path, {"r.yaml": spec}).load("service")
    for value in ("text", {"a": 1}):
        service = module.Service(handlers={"page": lambda call, value=value: value})
        assert value == service.call("page", {"number": 1})
