"""Functions by tool: what they return is encoded as it is for handlers that are registered."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from support.project import Built, sound
from support.served import answered

SPEC = """\
type: leaf
name: money
schema: {type: string, pattern: "^[0-9]+[.][0-9]{2}$"}
python: {type: decimal:Decimal, parse: decimal:Decimal, dump: str}
---
type: entity
name: Room
fields: {id: uuid, price: money, free: "date[]", size: {type: decimal, wire: string}}
---
type: python_function
name: rooms
description: List the rooms that are free.
arguments: {inline: {since: date, at_most: money}}
returns: Room[]
---
type: python_function
name: prices
description: List the prices of rooms.
returns: {type: array, items: {$ref: "#/entities/Room"}}
---
type: python_function
name: best
description: Tell the best price.
returns: money
---
type: python_function
name: forget
description: Forget the rooms.
"""
KEY = UUID("0190b7c4-0000-7000-8000-000000000000")
ROOM = {"id": str(KEY), "price": "12.50", "free": ["2026-02-03"], "size": "20.10"}
CALL = {"since": "2026-01-02", "at_most": "99.00"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A package with handlers, dispatchers and a server."""
    return sound(
        tmp_path_factory.mktemp("results"),
        SPEC,
        targets=("python", "handlers", "dispatch", "mcp", "service", "server"),
    )


def _functions(built: Built, *, is_async: bool = False) -> dict[str, Any]:
    room = built.load("entities").Room
    day = dt.date(2026, 2, 3)

    def rooms(call: Any) -> Any:
        assert (dt.date(2026, 1, 2), Decimal("99.00")) == (call.since, call.at_most)
        return [room(KEY, Decimal("12.50"), [day], Decimal("20.10"))]

    async def awaited(call: Any) -> Any:
        return rooms(call)

    return {
        "rooms": awaited if is_async else rooms,
        "best": lambda call: Decimal("12.50"),
        "forget": lambda call: object(),
    }


def _block(name: str) -> dict[str, Any]:
    given = CALL if name == "rooms" else {}
    return {"type": "tool_use", "id": "t1", "name": name, "input": given}


@pytest.mark.parametrize(
    ("name", "expected"), [("rooms", [ROOM]), ("best", "12.50"), ("forget", "done")]
)
def test_a_result_of_a_handler_goes_to_the_model_as_json(
    built: Built, name: str, expected: Any
) -> None:
    dispatch, service = built.load("dispatch"), built.load("service").Service
    runs = _functions(built)
    said = dispatch.AnthropicMessages(service(handlers=runs, partial=True)).answer(
        _block(name)
    )
    assert not said["is_error"], said
    content = said["content"]
    assert expected == (content if expected == "done" else json.loads(content))
    registered = service(handlers=built.load("handlers").Handlers(**runs), partial=True)
    assert said == dispatch.AnthropicMessages(registered).answer(_block(name))
    sent = {"name": name, "arguments": _block(name)["input"]}
    structure = dispatch.McpTools(registered).answer(sent).get("structuredContent")
    assert (None if expected == "done" else {"result": expected}) == structure


@pytest.mark.parametrize(
    ("name", "expected"), [("rooms", {"result": [ROOM]}), ("best", {"result": "12.50"})]
)
def test_the_server_sends_results_of_handlers_as_structure(
    built: Built, name: str, expected: Any
) -> None:
    server = built.load("mcp_server")
    found: list[Any] = []
    for handlers in (
        _functions(built),
        _functions(built, is_async=True),
        built.load("handlers").Handlers(**_functions(built)),
    ):
        found.append(answered(server, name, _block(name)["input"], handlers=handlers))
    assert [(False, expected)] * 3 == [
        (each["isError"], each["structuredContent"]) for each in found
    ]
