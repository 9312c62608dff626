"""Handlers: typed protocols, and calls that end in a value or in words (S2.50-56; row F7)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from support.checkers import MYPY, checked
from support.project import Built, build

SPEC = """\
type: entity
name: Point
fields: { x: int, y: int }
---
type: entity
name: Colour
enum: [red, green]
---
type: python_function
name: add
description: Add.
handler: handler_backend.sums:add
arguments: { inline: { a: int, b: { type: int, default: 1 } } }
returns: int
---
type: python_function
name: who
handler: handler_backend.sums:nothing
arguments:
  inline:
    text: string
    user: { type: string, from_context: app.user.id }
    token: { type: uuid, llm: false }
returns:
  inline:
    at: datetime
    key: uuid
    "odd name": { type: Colour, required: false }
    points: { type: "Point[]", required: false }
---
type: python_function
name: mark
handler: handler_backend.gone:mark
---
type: python_function
name: broken
handler: handler_backend.broken:f
returns: string
---
type: python_function
name: keys
returns: uuid[]
---
type: python_function
name: runs
returns: { type: string, description: Clashes with a method }
---
type: python_function
name: off
enabled: false
returns: string
---
type: resource
name: page
path: /pages/{n}
arguments: { inline: { n: int } }
returns: markdown
"""
BACKEND = {
    "__init__.py": "",
    "sums.py": "from called.tools.add import AddInput\n\n\n"
    "def add(call: AddInput) -> int:\n    return call.a + call.b\n",
    "broken.py": "raise RuntimeError('no such luck')\n",
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("handlers"),
        {"a.yaml": SPEC},
        targets=("python", "handlers", "resources", "service"),
        package="called",
    )
    assert not made.diagnostics.has_errors
    made.load()
    folder = made.folder / "out" / "python" / "handler_backend"
    folder.mkdir()
    for name, text in BACKEND.items():
        (folder / name).write_text(text)
    return made


@pytest.fixture
def handlers(built: Built) -> Any:
    return built.load("handlers").Handlers()


def service(built: Built, handlers: Any, **options: Any) -> Any:
    return built.load("service").Service(handlers=handlers, partial=True, **options)


def test_a_function_is_given_one_typed_input_with_its_context(
    built: Built, handlers: Any
) -> None:
    key, seen = UUID("0190b7c4-0000-7000-8000-000000000000"), list[Any]()
    entities = built.load("entities")

    @handlers.who
    async def who(call: Any) -> Any:
        seen.append((type(call).__name__, call.text, call.user, call.token))
        moment = datetime(2026, 1, 18, 5, tzinfo=UTC)
        points, colour = [entities.Point(1, 2)], entities.Colour.RED
        return {"at": moment, "key": key, "odd name": colour, "points": points}

    assert {"who": who} == handlers.runs
    made = service(built, handlers, values={"who": {"token": key}})
    assert {
        "at": "2026-01-18T05:00:00Z",
        "key": str(key),
        "odd name": "red",
        "points": [{"x": 1, "y": 2}],
    } == made.call("who", {"text": "t"}, context={"app": {"user": {"id": "u-7"}}})
    assert [("WhoBound", "t", "u-7", key)] == seen
    outcome = made.outcome("who", {"text": "t"}, context={"app": {}})
    assert ("context", 500) == (outcome.code, outcome.status)
    assert "app.user" not in str(outcome.to_dict())


def test_a_missing_function_disables_its_tool_only(built: Built, handlers: Any) -> None:
    made = service(built, handlers)
    assert {
        "who": "handler_backend.sums:nothing: module 'handler_backend.sums' has no attribute "
        "'nothing'",
        "mark": "handler_backend.gone:mark: No module named 'handler_backend.gone'",
        "broken": "handler_backend.broken:f: no such luck",
        "keys": "there is no handler",
        "runs": "there is no handler",
        "page": "there is no handler",
    } == made.unavailable
    assert ("add",) == made.tools
    assert 3 == made.call("add", {"a": 2})
    assert "unavailable" == made.outcome("mark", {}).code


def test_a_tool_that_is_switched_off_stays_off(built: Built, handlers: Any) -> None:
    handlers.off(lambda call: "on")
    assert "unknown_tool" == service(built, handlers).outcome("off", {}).code


@pytest.mark.parametrize("value", ["3", None, 1.5, object(), float("nan"), True])
def test_a_value_that_breaks_the_output_schema_is_no_value(
    built: Built, handlers: Any, value: object
) -> None:
    handlers.add(lambda call: value)
    outcome = service(built, handlers).outcome("add", {"a": 1})
    assert ("invalid_output", 502) == (outcome.code, outcome.status)


PROGRAM = """\
from called.handlers import Handlers
from called.tools.add import AddInput
from called.tools.mark import MarkInput

handlers = Handlers()


@handlers.add
def add(call: AddInput) -> int:
    return call.a


@handlers.mark
async def mark(call: MarkInput) -> None:
    return None


total: int = add(AddInput(a=1))
"""
WRONG = {
    "input": "@handlers.add\ndef f(call: MarkInput) -> int:\n    return 1\n",
    "output": "@handlers.add\ndef f(call: AddInput) -> str:\n    return ''\n",
    "count": "@handlers.add\ndef f(call: AddInput, more: int) -> int:\n    return more\n",
    "keyword": "Handlers(add=lambda call: 'a')\n",
    "unknown": "Handlers(ad=add)\n",
}


@pytest.mark.whole
def test_a_type_checker_holds_handlers_to_their_protocols(built: Built) -> None:
    root = built.folder / "out" / "python"
    (root / "program.py").write_text(PROGRAM)
    assert "program.py" not in checked(root, MYPY, "program.py").stdout
    for name, text in WRONG.items():
        (root / f"wrong_{name}.py").write_text(PROGRAM + text)
    told = checked(root, MYPY, *(f"wrong_{name}.py" for name in WRONG)).stdout
    for name in WRONG:
        assert f"wrong_{name}.py" in told, (name, told)


@pytest.mark.whole
def test_a_type_checker_sees_the_handlers_of_the_specs(built: Built) -> None:
    """What is not in a module that a spec names is told; a module that is missing is no matter."""
    root = built.folder / "out" / "python"
    told = checked(root, MYPY, "called/handlers.py").stdout.splitlines()
    assert ['"f"', '"nothing"'] == [
        line.split("has no attribute ")[1].split()[0]
        for line in told
        if "error:" in line
    ]
