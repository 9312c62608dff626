"""The generated server, driven by both generations of the official TypeScript client.

They need Node; see `support.node`.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from end_to_end.served import ROOT, parameters
from support.node import installed

pytestmark = pytest.mark.whole
CLIENTS = Path(__file__).parent / "clients"
GENERATIONS = [
    pytest.param(("v1", "legacy", None), id="v1"),
    pytest.param(("v2", "legacy", "2025-11-25"), id="v2-legacy"),
    pytest.param(("v2", "auto", "2026-07-28"), id="v2-auto"),
]
STEPS = [
    ["listTools", None],
    ["listResourceTemplates", None],
    ["listPrompts", None],
    ["callTool", {"name": "get_orders", "arguments": {"customer_id": 1}}],
    ["callTool", {"name": "get_orders", "arguments": {"customer_id": "1", "zz": 1}}],
    [
        "callTool",
        {"name": "cancel_order", "arguments": {"order_id": 12, "reason": "late"}},
    ],
    ["callTool", {"name": "get_customer", "arguments": {"customer_id": 99}}],
    ["readResource", {"uri": "shop:///handbook/service/returns/how-to"}],
    ["readResource", {"uri": "shop:///handbook/../etc"}],
    [
        "getPrompt",
        {
            "name": "complaint_reply",
            "arguments": {"complaint": "Broken.", "order_id": "7"},
        },
    ],
    ["getPrompt", {"name": "complaint_reply", "arguments": {"order_id": "x"}}],
    ["callTool", {"name": "nope", "arguments": {}}],
]


@pytest.fixture(scope="module")
def clients() -> Path:
    """The folder that holds ``node_modules`` with the pinned clients."""
    return installed(CLIENTS)


@pytest.fixture(scope="module", params=GENERATIONS)
def visit(
    request: pytest.FixtureRequest, clients: Path, tmp_path_factory: Any
) -> dict[str, Any]:
    """What one client saw: the revision that it negotiated, and the outcome of each step."""
    generation, mode, revision = request.param
    server = parameters(tmp_path_factory.mktemp("shop") / "shop.db")
    plan = {
        "server": {"command": server.command, "args": server.args},
        "steps": STEPS,
    }
    script = str(CLIENTS / "visit.mjs")
    run = subprocess.run(
        ["node", script, str(clients), generation, mode, json.dumps(plan)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert 0 == run.returncode, run.stderr
    seen: dict[str, Any] = json.loads(run.stdout)
    if revision is not None:
        assert revision == seen["revision"]
    return seen


def outcome(visit: dict[str, Any], step: int) -> Any:
    return visit["seen"][step]


def result(visit: dict[str, Any], step: int) -> Any:
    """The result of a step that must have one."""
    found = outcome(visit, step)
    assert "error" not in found, found
    return found["result"]


def test_it_lists_the_generated_objects(visit: dict[str, Any]) -> None:
    """The tools that can run in the demo; both clients compile every output schema by then."""
    generated = {
        each["name"]: each
        for each in json.loads(
            (ROOT / "out/python/shop/descriptors/mcp/tools.json").read_text()
        )["tools"]
    }
    tools = result(visit, 0)["tools"]
    assert {"get_orders", "calculator", "cancel_order"} <= {e["name"] for e in tools}
    assert [generated[each["name"]] for each in tools] == tools
    for step, file, key in (
        (1, "resource_templates", "resourceTemplates"),
        (2, "prompts", "prompts"),
    ):
        written = json.loads(
            (ROOT / f"out/python/shop/descriptors/mcp/{file}.json").read_text()
        )
        assert written[key] == result(visit, step)[key]


def test_a_typescript_client_accepts_the_answers_to_its_calls(
    visit: dict[str, Any],
) -> None:
    """The client holds the structure against the output schema itself."""
    orders = result(visit, 3)
    assert json.loads(orders["content"][0]["text"]) == orders["structuredContent"]
    assert [11, 10] == [
        each["order_id"] for each in orders["structuredContent"]["result"]
    ]
    assert {"changed": 1} == result(visit, 5)["structuredContent"]


def test_bad_calls_are_results(visit: dict[str, Any]) -> None:
    bad, absent = result(visit, 4), result(visit, 6)
    assert bad["isError"]
    assert absent["isError"]
    text = bad["content"][0]["text"]
    assert 'customer_id: expected integer, got "1"' in text
    assert "zz: unknown argument" in text
    assert "nothing was found" in absent["content"][0]["text"]


def test_a_typescript_client_gets_resources_and_prompts(visit: dict[str, Any]) -> None:
    [content] = result(visit, 7)["contents"]
    assert content["text"].startswith("# Returns")
    assert outcome(visit, 8)["error"]["code"] in (-32002, -32602)
    spoken = [each["content"]["text"] for each in result(visit, 9)["messages"]]
    assert ("You are Kim" in spoken[0], "about order 7" in spoken[1]) == (True, True)


def test_errors_of_the_protocol(visit: dict[str, Any]) -> None:
    prompt, tool = outcome(visit, 10)["error"], outcome(visit, 11)["error"]
    assert (-32602, -32602) == (prompt["code"], tool["code"])
    assert "order_id: expected integer" in prompt["message"]
    assert "Unknown tool: nope" in tool["message"]
