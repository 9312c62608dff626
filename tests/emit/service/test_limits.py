"""Time and places of calls: who waits is told what ran, and nobody waits for what hangs."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from support.project import Built, build

SPEC = """\
type: python_function
name: work
description: Do something.
arguments: {inline: {how: string, n: {type: int, required: false}}}
returns: any
handler: json:loads
---
type: resource
name: page
path: /pages/{n}
arguments: { inline: { n: int } }
---
type: template_function
name: ask
description: Ask.
arguments: { inline: { topic: string } }
messages: [{ role: user, content: "Tell me about {{ topic }}" }]
"""
LONG = 10**5000


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Any:
    built: Built = build(tmp_path_factory.mktemp("limits"), {"a.yaml": SPEC})
    return built.load("service")


@contextmanager
def hanging() -> Iterator[tuple[Any, list[str]]]:
    """A handler that hangs if it is asked to, until the block ends, and what it was asked."""
    end, calls = threading.Event(), list[str]()

    def work(call: Any) -> str:
        calls.append(call.how)
        if call.how == "hang":
            end.wait(10)
        return "done"

    try:
        yield work, calls
    finally:
        end.set()


def test_a_call_that_found_no_place_is_busy_and_did_not_run(module: Any) -> None:
    """A caller may repeat it: nothing happened."""
    with (
        hanging() as (work, calls),
        module.Service(
            handlers={"work": work}, timeout=0.05, max_concurrency=1, partial=True
        ) as service,
    ):
        outcome = service.outcome("work", {"how": "hang"})
        assert ("work", "timeout") == (outcome.tool, outcome.code)
        outcome = service.outcome("work", {"how": "again"})
        assert ("busy", ["hang"]) == (outcome.code, calls)
        assert "was not called" in outcome.text


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_place_is_free_again_when_a_handler_has_ended(module: Any, kind: str) -> None:
    end = threading.Event()

    def work(call: Any) -> str:
        end.wait(5 if call.how == "hang" else 0)
        return "done"

    async def run() -> None:
        service = getattr(module, kind)(
            handlers={"work": work}, timeout=0.05, max_concurrency=1, partial=True
        )

        async def code(how: str) -> str:
            found = service.outcome("work", {"how": how})
            outcome = await found if kind == "AsyncService" else found
            return str(outcome.code)

        assert "timeout" == await code("hang")
        end.set()
        for _ in range(100):
            if await code("") == "ok":
                return
        pytest.fail("the place is never free again")

    asyncio.run(run())


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_handler_that_ignores_its_cancellation_delays_nobody(
    module: Any, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its place stays taken until it ends, and the end of the service tells of it."""

    released = threading.Event()

    async def stubborn(call: Any) -> str:
        while not released.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                continue
        return "late"

    async def run() -> tuple[Any, Any]:
        service = getattr(module, kind)(
            handlers={"work": stubborn}, timeout=0.05, max_concurrency=1, partial=True
        )

        async def outcome() -> Any:
            found = service.outcome("work", {"how": ""})
            return await found if kind == "AsyncService" else found

        first, second = await outcome(), await outcome()
        if kind == "AsyncService":
            await service.aclose()
        else:
            service.close()
        released.set()
        return first, second

    first, second = asyncio.run(run())
    assert ("timeout", "busy") == (first.code, second.code)
    assert "closed while these still run: work" in caplog.text


@pytest.mark.parametrize("how", ["await", "ignore", "block"])
def test_no_caller_waits_for_ever_when_the_service_is_closed(
    module: Any, how: str
) -> None:
    """Without a time-out, a handler that still runs is cancelled; who waits is told."""
    began, released, outcomes = threading.Event(), threading.Event(), list[Any]()

    async def work(call: Any) -> str:
        began.set()
        while call.how == "block" and not released.wait(0.01):
            pass
        while not released.is_set():
            try:
                await asyncio.sleep(0.01)
            except asyncio.CancelledError:
                if call.how == "await":
                    raise
        return "late"

    service = module.Service(handlers={"work": work}, partial=True)
    caller = threading.Thread(
        target=lambda: outcomes.append(service.outcome("work", {"how": how})),
        daemon=True,
    )
    caller.start()
    assert began.wait(30)
    service.close()
    caller.join(30)
    released.set()
    assert ["cancelled"] == [each.code for each in outcomes]
    assert "work was cancelled." == outcomes[0].text
    assert isinstance(outcomes[0].error, module.ToolError)


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_number_too_long_to_be_written_is_an_outcome(module: Any, kind: str) -> None:
    """Python writes no integer of more than 4,300 digits, so no JSON has one."""

    def answer(call: Any) -> Any:
        return {"long": LONG, "deep": [{"a": LONG}], "echo": call.n}.get(call.how)

    async def outcome(arguments: Any) -> Any:
        service = getattr(module, kind)(
            handlers={"work": answer, "page": lambda call: LONG}
        )
        found = service.outcome("work", arguments)
        return await found if kind == "AsyncService" else found

    def code(arguments: Any) -> str:
        found = asyncio.run(outcome(arguments))
        assert found.text and "null" == json.dumps(found.value)
        return str(found.code)

    assert "invalid_output" == code({"how": "long"})
    assert "invalid_output" == code({"how": "deep"})
    assert "invalid_arguments" == code({"how": "echo", "n": LONG})
    assert "invalid_arguments" == code({"how": "echo", "n": [{"a": -LONG}]})
    assert "invalid_arguments" == code('{"how": "echo", "n": 1' + "0" * 5000 + "}")
    assert "invalid_arguments" == code({"how": "echo", "x": LONG})


async def _later(call: Any) -> str:
    return f"later {call.how}"


def answer(call: Any) -> Any:
    if call.how == "interrupt":
        raise KeyboardInterrupt
    if call.how == "later":
        return _later(call)
    return {"n": str(call.n), "none": None, "nan": float("nan")}[call.how]


CALLS: tuple[tuple[Any, str, Any], ...] = (
    ({"how": "n", "n": 4}, "ok", "4"),
    ({"how": "n", "n": None}, "ok", "None"),
    ('{"how": "n", "n": 5}', "ok", "5"),
    ({"how": "none"}, "invalid_output", None),
    ({"how": "later"}, "ok", "later later"),
    ({"how": "nan"}, "invalid_output", None),
    ({"how": "missing"}, "failed", None),
    ({"how": 1}, "invalid_arguments", None),
    (None, "invalid_arguments", None),
)


@pytest.mark.parametrize("timeout", [None, 5.0])
@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_time_limit_changes_nothing_of_calls_in_time(
    module: Any, kind: str, timeout: float | None
) -> None:
    """Without one, `Service` runs a plain function in other steps than all other calls."""
    seen: list[str] = []

    async def run() -> None:
        service = getattr(module, kind)(
            handlers={"work": answer}, timeout=timeout, max_concurrency=1, partial=True
        )

        def accept(outcome: Any) -> None:
            seen.append(outcome.text)

        for arguments, code, value in CALLS:
            found = service.outcome("work", arguments, accept=accept)
            outcome = await found if kind == "AsyncService" else found
            assert (code, value) == (outcome.code, outcome.value), arguments
            assert outcome.text
            assert (outcome.text in seen) == (code == "ok")

    asyncio.run(run())


def test_a_function_that_is_interrupted_leaves_its_place(module: Any) -> None:
    with module.Service(
        handlers={"work": answer}, max_concurrency=1, partial=True
    ) as service:
        with pytest.raises(KeyboardInterrupt):
            service.call("work", {"how": "interrupt"})
        assert "later later" == service.call("work", {"how": "later"})


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_an_async_handler_that_waits_for_its_own_loop_is_told(
    module: Any, timeout: float | None
) -> None:
    """It would wait for itself for ever."""
    inner: list[Any] = []

    async def work(call: Any) -> str:
        if call.how == "inner":
            return "never"
        inner.append(service.outcome("work", {"how": "inner"}))
        return "outer"

    with module.Service(
        handlers={"work": work}, timeout=timeout, partial=True
    ) as service:
        ended, outcomes = threading.Event(), list[Any]()

        def call() -> None:
            outcomes.append(service.outcome("work", {"how": "outer"}))
            ended.set()

        threading.Thread(target=call, daemon=True).start()
        assert ended.wait(30)
    assert ["ok"] == [each.code for each in outcomes]
    (outcome,) = inner
    assert "unavailable" == outcome.code
    assert "an async handler awaits AsyncService" == str(outcome.error.__cause__)


async def _awaited_answer(call: Any) -> Any:
    return answer(call)


@pytest.mark.parametrize("handler", [answer, _awaited_answer])
@pytest.mark.parametrize("timeout", [None, 5.0])
@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_every_call_of_a_closed_service_is_refused_in_the_same_way(
    module: Any, kind: str, timeout: float | None, handler: Any
) -> None:
    async def run() -> None:
        handlers = {"work": handler, "page": lambda call: "text"}
        service = getattr(module, kind)(handlers=handlers, timeout=timeout)
        is_async = kind == "AsyncService"

        async def found(made: Any) -> Any:
            return await made if is_async else made

        call = ("work", {"how": "n", "n": 4})
        assert "ok" == (await found(service.outcome(*call))).code
        for _ in range(2):
            await found(service.aclose() if is_async else service.close())
            outcomes = [
                await found(service.outcome(*call)),
                *await found(service.outcomes([call, call])),
            ]
            for outcome in outcomes:
                assert "unavailable" == outcome.code
                assert "the service is closed" == str(outcome.error.__cause__)
            for refused in (
                lambda: service.call(*call),
                lambda: service.read("/pages/1"),
                lambda: service.prompt("ask", {"topic": "x"}),
            ):
                with pytest.raises(module.ToolError) as told:
                    await found(refused())
                assert "unavailable" == told.value.code

    asyncio.run(run())
