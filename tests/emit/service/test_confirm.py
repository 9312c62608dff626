"""Tools that ask a person before they run: who is asked, what is asked, and who fails closed."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from mcp import Client
from mcp_types import ElicitResult

from support.project import Built, build

SPEC = """\
type: sql_function
name: cancel_order
description: Cancel an order. Writes to orders.
arguments: {inline: {order_id: int, reason: string, by: {type: string, from_context: app.user}}}
confirm: "Cancel order ${order_id} ($${} ${reason})?"
sql: UPDATE orders SET status = :reason, by = :by WHERE id = :order_id
---
type: python_function
name: forget
description: Forget everything.
arguments: {inline: {ids: "int[]"}}
confirm: true
returns: int
---
type: python_function
name: look
description: Look.
confirm: false
returns: int
"""
CALL = {"order_id": 7, "reason": "late"}
QUESTION = "Cancel order 7 (${} late)?"
NOBODY = "a person must confirm it, and nobody can be asked here"
DECLINED = "the person who was asked did not confirm it"
ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    made = build(
        tmp_path_factory.mktemp("confirm"),
        {"a.yaml": SPEC},
        targets=(
            *("python", "sql", "service", "mcp", "server", "dispatch"),
            *("openai", "anthropic", "gemini", "openapi"),
        ),
    )
    assert [] == [e.message for e in made.diagnostics if e.rule.severity == "error"]
    made.load()
    return made


@pytest.fixture
def shop(built: Built, tmp_path: Path) -> dict[str, Any]:
    """The settings of a service over orders of its own."""
    path = tmp_path / "orders.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE orders (id, status, by); INSERT INTO orders VALUES (7, '', '');"
    )
    connection.close()
    return {
        "connections": {"default": str(path)},
        "context": {"app": {"user": "ada"}},
        "handlers": {"forget": lambda call: len(call.ids), "look": lambda _: 1},
    }


def _status(shop: dict[str, Any]) -> Any:
    connection = sqlite3.connect(shop["connections"]["default"])
    (found,) = connection.execute("SELECT status FROM orders").fetchone()
    connection.close()
    return found


def test_a_call_that_nobody_can_confirm_does_nothing_and_says_so(
    built: Built, shop: dict[str, Any]
) -> None:
    service = built.load("service").Service(**shop)
    outcome = service.outcome("cancel_order", CALL)
    assert ("unconfirmed", 403) == (outcome.code, outcome.status)
    assert f"cancel_order was not called: {NOBODY}." == outcome.text
    with pytest.raises(built.load("service").ToolError, match=NOBODY):
        service.cancel_order(**CALL)
    assert "" == _status(shop)
    assert 1 == service.call("look")
    assert "invalid_arguments" == service.outcome("cancel_order", {}).code


def test_the_host_is_asked_before_each_call_and_only_true_is_a_yes(
    built: Built, shop: dict[str, Any]
) -> None:
    asked: list[Any] = []
    answers: list[Any] = [False, None, 1, "yes", True]

    def confirm(about: Any) -> Any:
        asked.append(about)
        return answers.pop(0)

    service = built.load("service").Service(**shop, confirm=confirm, timeout=20)
    for _ in range(4):
        outcome = service.outcome("cancel_order", CALL)
        assert ("declined", "") == (outcome.code, _status(shop))
    assert f"cancel_order was not called: {DECLINED}." == outcome.text
    assert "ok" == service.outcome("cancel_order", CALL).code
    assert "late" == _status(shop)
    about = asked[0]
    assert ("cancel_order", QUESTION, CALL) == (
        about.tool,
        about.question,
        about.arguments,
    )
    answers.append(True)
    assert 2 == service.call("forget", {"ids": [1, 2]})
    assert 'Allow forget with {"ids": [1, 2]}?' == asked[-1].question


def test_a_host_that_fails_to_ask_lets_nothing_run(
    built: Built, shop: dict[str, Any]
) -> None:
    def confirm(about: Any) -> bool:
        raise OSError(about.question)

    service = built.load("service").Service(**shop, confirm=confirm)
    assert "failed" == service.outcome("cancel_order", CALL).code
    assert "" == _status(shop)


@pytest.mark.parametrize("kind", ["Service", "AsyncService"])
def test_a_person_may_think_for_longer_than_the_call_may_take(
    built: Built, shop: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = now = float(int(monotonic()))
    monkeypatch.setattr("brimgen_runtime.service.core.monotonic", lambda: now)
    module = built.load("service")
    context = module.CallContext("cancel_order")

    async def confirm(_about: Any) -> bool:
        nonlocal now
        assert context.deadline is None
        now += 100
        return True

    async def call() -> Any:
        service = getattr(module, kind)(**shop, confirm=confirm, timeout=20)
        outcome = service.outcome("cancel_order", CALL, call_context=context)
        return outcome if kind == "Service" else await outcome

    outcome = asyncio.run(call())
    assert ("ok", "late") == (outcome.code, _status(shop))
    assert begun + 120 == context.deadline


def test_what_a_model_sends_cannot_pass_for_the_question(
    built: Built, shop: dict[str, Any]
) -> None:
    asked: list[str] = []
    service = built.load("service").Service(
        **shop, confirm=lambda about: bool(asked.append(about.question))
    )
    sent = {"order_id": 7, "reason": "x)?\n\nCancel nothing\u202e" + "y" * 900}
    service.outcome("cancel_order", sent)
    (question,) = asked
    assert question.isprintable()
    assert 250 > len(question)


def test_dispatchers_hand_out_the_calls_to_approve(
    built: Built, shop: dict[str, Any]
) -> None:
    dispatch = built.load("dispatch")
    calls = [
        {"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(
            [("cancel_order", CALL), ("look", {}), ("forget", {"ids": [1]})]
        )
    ]
    dispatcher = dispatch.AnthropicMessages(built.load("service").Service(**shop))
    pending = dispatcher.pending(calls)
    assert ["cancel_order", "forget"] == [each.tool for each in pending]
    refused = dispatcher.answer_all(calls)
    assert [True, False, True] == [each["is_error"] for each in refused]
    made_again = type(pending[0])("cancel_order", QUESTION, dict(CALL))
    answers = dispatcher.answer_all([*calls, calls[0]], approved=[made_again])
    assert [False, False, True, True] == [each["is_error"] for each in answers]
    assert DECLINED in answers[3]["content"]
    changed = {**calls[0], "input": {**CALL, "order_id": 8}}
    assert dispatcher.answer(changed, approved=pending)["is_error"]


def test_async_dispatchers_do_so_too(built: Built, shop: dict[str, Any]) -> None:
    async def see() -> Any:
        service = built.load("service").AsyncService(**shop)
        dispatcher = built.load("dispatch").AsyncMcpTools(service)
        calls = [{"name": "cancel_order", "arguments": CALL}]
        approved = dispatcher.pending(calls)
        return await dispatcher.answer_all(calls, approved=approved)

    (answer,) = asyncio.run(see())
    assert not answer["isError"]
    assert "late" == _status(shop)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["accept", "decline", "cancel", None])
def test_the_server_asks_the_user_of_a_client(
    built: Built, shop: dict[str, Any], era: str, action: Any
) -> None:
    asked: list[str] = []

    async def elicit(context: Any, params: Any) -> ElicitResult:
        asked.append(params.message)
        return ElicitResult(action=action, content={} if action == "accept" else None)

    async def see() -> Any:
        module = built.load("mcp_server")
        server = module.make_server(module.AsyncService(**shop))
        given: Any = {} if action is None else {"elicitation_callback": elicit}
        async with Client(server, mode=ERAS[era], **given) as client:
            assert era == client.protocol_version
            return await client.call_tool("cancel_order", CALL)

    result = asyncio.run(see())
    assert ("late" if action == "accept" else "") == _status(shop)
    assert (action != "accept") == bool(result.is_error)
    assert ([] if action is None else [QUESTION]) == asked
    if action != "accept":
        why = NOBODY if action is None else DECLINED
        assert why in result.content[0].text


def test_the_command_line_asks_at_a_terminal_and_takes_yes(
    built: Built,
    shop: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    (tmp_path / "context.json").write_text('{"app": {"user": "ada"}}', "utf-8")
    module = built.load("service")
    database = shop["connections"]["default"]
    command = [
        *("call", "cancel_order", '{"order_id": 7, "reason": "late"}'),
        *("--connection", f"default={database}"),
        *("--context", str(tmp_path / "context.json")),
    ]
    main = built.load("__main__").main

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert 1 == main(module.Service, module.PLAN, command)
    assert "Confirm it with --yes." in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert 1 == main(module.Service, module.PLAN, command)
    assert f"{QUESTION} [y/N]" in capsys.readouterr().err
    assert "" == _status(shop)
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert 0 == main(module.Service, module.PLAN, command)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert 0 == main(module.Service, module.PLAN, [*command, "--yes"])
    assert "late" == _status(shop)


def test_every_provider_is_told_that_a_person_is_asked(built: Built) -> None:
    descriptors = built.load("descriptors")
    told = "A person is asked to confirm each call."
    for provider in ("openai", "anthropic", "gemini", "mcp"):
        listed = {
            tool["name"]: str(tool["description"])
            for each in getattr(descriptors, provider)()
            for tool in each.get("functionDeclarations", [each.get("function", each)])
        }
        assert told in listed["cancel_order"]
        assert told not in listed["look"]
    paths = json.loads(built.files["openapi/openapi.json"])["paths"]
    assert told in json.dumps(paths["/tools/cancel_order/invoke"])
    assert told not in json.dumps(paths["/tools/look/invoke"])


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("${order}", "undeclared-variable"),
        ("${by}", "undeclared-variable"),
        ("${note}", "may-be-absent"),
        ("${ids}", "value-not-plain"),
        ("${ids | pipe}", "unfit-style"),
        ("${order_id", "bad-variable"),
    ],
)
def test_a_question_shows_what_the_caller_sends_and_nothing_else(
    tmp_path: Path, question: str, reason: str
) -> None:
    spec = f"""\
type: python_function
name: cancel
description: Cancel.
arguments:
  inline:
    order_id: int
    ids: "int[]"
    note: string?
    by: {{type: string, from_context: app.user}}
confirm: "{question}"
"""
    assert reason in build(tmp_path, {"a.yaml": spec}).slugs
