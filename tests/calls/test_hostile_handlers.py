"""Handlers that hang: no other waits for them, nor does the end of the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.project import Built, build

SPECS = """
type: python_function
name: plain
description: d.
arguments: { inline: { text: string } }
returns: string
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Any:
    built: Built = build(tmp_path_factory.mktemp("hostile"), {"a.yaml": SPECS})
    assert not built.diagnostics.has_errors
    return built.load("service")


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
