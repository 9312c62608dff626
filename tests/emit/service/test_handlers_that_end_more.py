"""A handler that ends its task, its iteration or the program ends its own call and no other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from support.project import Built, build

SPEC = """\
type: python_function
name: work
description: Do something.
handler: json:loads
arguments: {inline: {how: string}}
returns: string
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("ends"), {"a.yaml": SPEC})


async def _inner_task() -> str:
    task = asyncio.create_task(asyncio.sleep(5))
    await asyncio.sleep(0)
    task.cancel()
    await task
    return "never"


ENDINGS: dict[str, type[BaseException]] = {
    "cancel": asyncio.CancelledError,
    "exit": SystemExit,
    "generator": GeneratorExit,
}


async def work(call: Any) -> str:
    if call.how == "inner":
        return await _inner_task()
    if call.how in ENDINGS:
        raise ENDINGS[call.how]
    return "done"


def sync_work(call: Any) -> str:
    if call.how in ENDINGS:
        raise ENDINGS[call.how]
    return "done"


@pytest.mark.parametrize("handler", [work, sync_work])
@pytest.mark.parametrize("timeout", [None, 5.0])
def test_the_next_call_is_answered(
    built: Built, handler: Callable[[Any], Any], timeout: float | None
) -> None:
    module: Any = built.load("service")
    ways = [*ENDINGS, *(["inner"] if handler is work else [])]
    with module.Service(handlers={"work": handler}, timeout=timeout) as service:
        for how in ways:
            assert "failed" == service.outcome("work", {"how": how}).code, how
            assert "done" == service.call("work", {"how": ""})

    async def calls() -> None:
        async with module.AsyncService(
            handlers={"work": handler}, timeout=timeout
        ) as service:
            for how in ways:
                outcome = await service.outcome("work", {"how": how})
                assert "failed" == outcome.code, how
                assert "done" == await service.call("work", {"how": ""})

    asyncio.run(calls())


def test_a_task_that_is_cancelled_ends_with_it(built: Built) -> None:
    module: Any = built.load("service")

    async def hang(call: Any) -> str:
        await asyncio.sleep(30)
        return "never"

    async def calls() -> bool:
        async with module.AsyncService(handlers={"work": hang}) as service:
            task = asyncio.create_task(service.call("work", {"how": ""}))
            await asyncio.sleep(0.01)
            task.cancel()
            try:
                await task
            except asyncio.CancelledError:
                return True
            return False

    assert asyncio.run(calls())
