"""Handlers: typed protocols, and calls that end in a value or in words (S2.50-56; row F7)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from brimgen.emit.handlers.lower import RESERVED
from brimgen.runtime._runtime.handlers import Registry
from support.checkers import BLACK, MYPY, RUFF, assert_clean, checked
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
name: invoke
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
        targets=("python", "handlers"),
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


def test_a_registered_handler_is_called_with_typed_input(handlers: Any) -> None:
    seen: list[Any] = []

    @handlers.add
    def add(call: Any) -> int:
        seen.append(call)
        return int(call.a + call.b)

    assert {"ok": True, "value": 3} == handlers.invoke("add", '{"a": 2}').to_dict()
    assert {"ok": True, "value": 5} == handlers.invoke(
        "add", {"a": 2, "b": 3}
    ).to_dict()
    assert ["AddInput", "AddInput"] == [type(each).__name__ for each in seen]


def test_arguments_that_are_refused_are_400_and_no_handler_is_called(
    handlers: Any,
) -> None:
    handlers.add(lambda call: pytest.fail("called"))
    result = handlers.invoke("add", {"a": "2", "c": 1})
    assert (False, "invalid_arguments", 400) == (
        result.ok,
        result.error.code,
        result.error.status,
    )
    assert ["/a", "/c"] == [
        each["pointer"] for each in result.to_dict()["error"]["violations"]
    ]
    assert "add expects: a (integer, required)" in result.error.message
    assert "invalid_arguments" == handlers.invoke("add", "{").error.code


def test_a_missing_handler_disables_its_tool_only(handlers: Any) -> None:
    handlers.load()
    assert ("add",) == handlers.enabled
    assert {
        "who": "handler_backend.sums:nothing: module 'handler_backend.sums' has no attribute "
        "'nothing'",
        "mark": "handler_backend.gone:mark: No module named 'handler_backend.gone'",
        "broken": "handler_backend.broken:f: no such luck",
        "keys": "no handler is registered",
        "invoke": "no handler is registered",
        "off": "switched off by its spec",
        "page": "no handler is registered",
    } == dict(handlers.disabled)
    assert {"ok": True, "value": 3} == handlers.invoke("add", {"a": 2}).to_dict()
    result = handlers.invoke("mark", {})
    assert ("unavailable", 503, "mark is not available") == (
        result.error.code,
        result.error.status,
        result.error.message,
    )
    assert "No module named" in str(result.error.cause)
    assert ("unknown_tool", 404) == (
        (error := handlers.invoke("nope", {}).error).code,
        error.status,
    )


def test_what_is_registered_goes_before_what_is_loaded(built: Built) -> None:
    handlers = built.load("handlers").Handlers(add=lambda call: 7).load()
    assert 7 == handlers.invoke("add", {"a": 1}).value


def test_dispatchers_are_given_what_is_enabled(handlers: Any) -> None:
    def keys(call: Any) -> list[Any]:
        return []

    handlers.keys(keys)
    handlers.load()
    assert ["add", "keys"] == list(handlers.runs)
    assert handlers.runs["keys"] is keys


def test_a_tool_that_is_switched_off_stays_off(handlers: Any) -> None:
    handlers.off(lambda call: "on")
    assert "off" not in handlers.runs
    assert "unavailable" == handlers.invoke("off", {}).error.code


def test_context_host_and_encoding(built: Built, handlers: Any) -> None:
    import datetime as dt
    from uuid import UUID

    key = UUID("0190b7c4-0000-7000-8000-000000000000")
    entities = built.load("entities")

    @handlers.who
    async def who(call: Any) -> Any:
        assert ("t", "u-7", key) == (call.text, call.user, call.token)
        moment = dt.datetime(2026, 1, 18, 5, tzinfo=dt.UTC)
        points = [entities.Point(1, 2)]
        return {
            "at": moment,
            "key": key,
            "odd name": entities.Colour.RED,
            "points": points,
        }

    expected = {
        "at": "2026-01-18T05:00:00Z",
        "key": str(key),
        "odd name": "red",
        "points": [{"x": 1, "y": 2}],
    }
    context = {"app": {"user": {"id": "u-7"}}}
    result = handlers.invoke("who", {"text": "t"}, context, token=key)
    assert (True, expected) == (result.ok, getattr(result, "json", result))
    result = handlers.invoke("who", {"text": "t"}, {"app": {}}, token=key)
    assert ("not_configured", 500) == (result.error.code, result.error.status)
    assert "app.user" not in str(result.to_dict())
    assert "not_configured" == handlers.invoke("who", {"text": "t"}, context).error.code


def test_what_a_handler_raises_is_no_exception_and_not_told(
    built: Built, handlers: Any
) -> None:
    tool_error = built.load("handlers").ToolError

    def fails(call: Any) -> int:
        if call.a:
            raise tool_error("the sum is closed on Sundays")
        raise OSError("password=hunter2")

    handlers.add(fails)
    told = handlers.invoke("add", {"a": 1})
    assert ("refused", "the sum is closed on Sundays", 422) == (
        told.error.code,
        told.error.message,
        told.error.status,
    )
    result = handlers.invoke("add", {"a": 0})
    assert ("failed", "add failed") == (result.error.code, result.error.message)
    assert "hunter2" not in f"{result!r} {result.to_dict()}"
    assert "password=hunter2" == str(result.error.cause)


def test_in_a_log_an_error_says_why_and_where_and_tells_no_value(
    built: Built, handlers: Any
) -> None:
    """Types and places of what happened inside; what it says may quote hidden values."""

    def inner() -> None:
        raise KeyError("hunter2")

    def fails(call: Any) -> int:
        try:
            inner()
        except KeyError as problem:
            raise OSError("password=hunter2") from problem
        return 1

    handlers.add(fails)
    error = handlers.invoke("add", {"a": 1}).error
    lines = [each.__code__.co_firstlineno for each in (fails, inner)]
    here = Path(__file__).name
    said = (
        f"failed: add failed; cause: OSError at {here}:{lines[0] + 4} in fails, "
        f"from KeyError at {here}:{lines[1] + 1} in inner"
    )
    assert (said, f"<CallError {said}>") == (str(error), repr(error))
    assert isinstance(error.cause.__cause__, KeyError)
    handlers.add(lambda call: "hunter2")
    error = handlers.invoke("add", {"a": 1}).error
    assert (
        "invalid_output: add returned what its output schema refuses; "
        "cause: InputError: type at '' (str)"
    ) == str(error)


def test_in_a_log_refused_arguments_have_pointer_rule_and_type(handlers: Any) -> None:
    handlers.add(lambda call: pytest.fail("called"))
    error = handlers.invoke("add", {"a": "2", "c": 1}).error
    assert (
        "invalid_arguments: a: expected integer, got \"2\" [type at '/a' (str)]; "
        'c: unknown argument, expected one of "a", "b" [unknown at \'/c\' (int)]'
    ) == str(error)
    assert "<Violation type at '/a' (str): a: expected integer, got \"2\">" == repr(
        error.violations[0]
    )
    error = handlers.invoke("add", {}).error
    assert str(error).endswith("[required at '/a']")


def test_in_a_log_what_is_not_configured_is_named(handlers: Any) -> None:
    words = "not_configured: who is not given what it needs here; cause: "
    handlers.who(lambda call: pytest.fail("called"))
    context = {"app": {"user": {"id": 7}}}
    error = handlers.invoke("who", {"text": "t"}, {"app": {}}, token=1).error
    says = "ContextError: context app.user.id: user is missing there"
    assert f"{words}{says}" == str(error)
    error = handlers.invoke("who", {"text": "t"}, context, token=1).error
    says = "ContextError: context app.user.id: expected string"
    assert f"{words}{says}" == str(error)
    context["app"]["user"]["id"] = "u"
    error = handlers.invoke("who", {"text": "t"}, context).error
    assert str(error).startswith(f"{words}TypeError: ")
    assert str(error).endswith("missing 1 required keyword-only argument: 'token'")


def test_in_a_log_what_is_unavailable_has_its_reason(handlers: Any) -> None:
    handlers.load()
    words = "unavailable: {0} is not available; cause: LookupError"
    assert {
        "keys": f"{words}: {{0}}: no handler is registered",
        "off": f"{words}: {{0}}: switched off by its spec",
        "mark": f"{words}, from ModuleNotFoundError: No module named "
        "'handler_backend.gone'",
        "broken": f"{words}, from RuntimeError at {{0}}.py:1 in <module>",
    } == {
        name: str(handlers.invoke(name, {}).error).replace(name, "{0}", 2)
        for name in ("keys", "off", "mark", "broken")
    }


@pytest.mark.parametrize("value", ["3", None, 1.5, object(), float("nan"), True])
def test_a_value_that_breaks_the_output_schema_is_no_value(
    handlers: Any, value: object
) -> None:
    handlers.add(lambda call: value)
    result = handlers.invoke("add", {"a": 1})
    assert ("invalid_output", 502) == (result.error.code, result.error.status)
    assert "add returned what its output schema refuses" == result.error.message


def test_a_void_tool_has_no_value(handlers: Any) -> None:
    handlers.mark(lambda call: None)
    assert {"ok": True, "value": None} == handlers.invoke("mark", {}).to_dict()


def test_sync_and_async_meet(handlers: Any) -> None:
    import threading

    here = threading.get_ident()
    threads: list[int] = []

    @handlers.add
    def add(call: Any) -> int:
        threads.append(threading.get_ident())
        return int(call.a)

    @handlers.invoke_
    async def clash(call: Any) -> str:
        await asyncio.sleep(0)
        return "async"

    async def main() -> list[Any]:
        with pytest.raises(RuntimeError):
            handlers.invoke("invoke", {})
        return [
            await handlers.invoke_async("add", {"a": 4}),
            await handlers.invoke_async("invoke", {}),
            await handlers.invoke_async("add", {}),
        ]

    first, second, third = asyncio.run(main())
    assert (4, "async", "invalid_arguments") == (
        first.value,
        second.value,
        third.error.code,
    )
    assert here not in threads
    assert "async" == handlers.invoke("invoke", {}).value


def test_a_list_of_leaves_is_encoded(handlers: Any) -> None:
    from uuid import UUID

    key = UUID("0190b7c4-0000-7000-8000-000000000000")
    handlers.keys(lambda call: [key])
    assert [str(key)] == handlers.invoke("keys", {}).json


def test_the_names_of_the_registry_are_reserved() -> None:
    own = {name for name in dir(Registry) if not name.startswith("_")}
    assert set() == own - RESERVED


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


def test_the_module_is_clean(built: Built) -> None:
    root = built.folder / "out" / "python"
    assert_clean(root, "called/handlers.py", by=[BLACK, RUFF])
