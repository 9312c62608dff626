"""Many threads that ask one validator for the first time: each gets the verdict."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import Barrier, Thread
from typing import Any

import pytest

from brimgen_runtime.schema.validator import Validator

TREE = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "size": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    },
    "required": ["name"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {**TREE, "$defs": {"Tree": TREE}}
BAD = {"name": "", "parts": [{"nome": "b", "size": []}]}


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that are changed as often as the interpreter can."""
    known = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(known)


def _in_threads(work: Callable[[], object], many: int = 8) -> list[object]:
    told: list[object] = []
    start = Barrier(many)

    def run() -> None:
        start.wait()
        try:
            told.append(work())
        except Exception as problem:  # whatever a thread ends with is its answer
            told.append(problem)

    threads = [Thread(target=run) for _ in range(many)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return told


@pytest.mark.usefixtures("hasty")
def test_all_threads_are_told_the_same() -> None:
    expected = [str(each) for each in Validator(SCHEMA).violations(BAD)]
    for _ in range(20):
        validator = Validator(SCHEMA)
        told = _in_threads(lambda it=validator: [*map(str, it.violations(BAD))])
        assert [expected] * 8 == told
