"""The generated server, run over stdio and driven by the official client in both eras."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from end_to_end.served import DEMO, ERAS, ROOT, parameters, plain, visit

OUT = ROOT / "out"
pytestmark = pytest.mark.parametrize("era", ERAS)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Where the demo makes its database."""
    return tmp_path / "shop.db"


def generated(name: str, key: str) -> list[Any]:
    """One of the lists that the MCP target writes."""
    listed = json.loads((OUT / "mcp" / f"{name}.json").read_text("utf-8"))
    return list(listed[key])


def called(database: Path, era: str, name: str, arguments: Any, *options: str) -> Any:
    """What comes back from one call."""

    async def see(client: Client) -> Any:
        return await client.call_tool(name, arguments)

    return visit(parameters(database, *options), era, see)


def refused(era: str, database: Path, see: Any) -> MCPError:
    """The error of the protocol that ``see`` meets."""

    async def catch(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await see(client)
        return caught.value

    return visit(parameters(database), era, catch)


def test_it_lists_what_was_generated(era: str, tmp_path: Path) -> None:
    """Law C11: a listed tool is the generated object, key by key."""
    server = parameters(tmp_path / "shop.db")
    server.args = ["-m", "shop.mcp_server"]
    server.env = {"PYTHONPATH": str(OUT / "python")}

    async def see(client: Client) -> list[Any]:
        return [
            plain((await client.list_tools()).tools),
            plain((await client.list_resource_templates()).resource_templates),
            plain((await client.list_prompts()).prompts),
        ]

    tools, templates, prompts = visit(server, era, see)
    assert generated("tools", "tools") == tools
    assert generated("resource_templates", "resourceTemplates") == templates
    assert generated("prompts", "prompts") == prompts


def test_rows_come_back_as_structure_and_as_its_very_text(
    era: str, database: Path
) -> None:
    result = called(database, era, "get_orders", {"customer_id": 1, "limit": None})
    [text] = result.content
    assert not result.is_error
    assert result.structured_content == json.loads(text.text)
    assert [(11, 99.99), (10, 12.5)] == [
        (each["order_id"], each["total"])
        for each in result.structured_content["result"]
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        (
            "get_orders",
            {"customer_id": True, "zz": 1},
            ["customer_id: expected integer, got true", "zz: unknown argument"],
        ),
        ("get_orders", {"limit": 101}, ["limit: ", "customer_id: missing"]),
        ("get_orders", None, ["customer_id: missing"]),
        (
            "cancel_order",
            {"order_id": 12, "reason": "x", "actor_id": "root"},
            ["actor_id: unknown argument"],
        ),
        ("calculator", {"operation": "div", "a": 1, "b": 0}, ["b must not be 0"]),
        ("get_customer", {"customer_id": 99}, ["nothing was found"]),
        ("get_orders", {"customer_id": 2**63}, ["customer_id"]),
    ],
)
def test_a_bad_call_is_told_as_a_result(
    era: str, database: Path, name: str, arguments: Any, said: list[str]
) -> None:
    result = called(database, era, name, arguments)
    assert result.is_error
    assert result.structured_content is None
    for each in said:
        assert each in result.content[0].text


def test_a_write_takes_its_actor_from_the_context(era: str, database: Path) -> None:
    result = called(
        database, era, "cancel_order", {"order_id": 12, "reason": "too late"}
    )
    assert {"changed": 1} == result.structured_content
    with closing(sqlite3.connect(database)) as connection:
        [row] = connection.execute(
            "SELECT status, note, changed_by FROM orders WHERE order_id = 12"
        )
    assert ("cancelled", "too late", "u-7") == row


def test_functions_run(era: str, database: Path) -> None:
    result = called(database, era, "calculator", {"operation": "add", "a": 1, "b": 2})
    assert ({"result": 3}, {"result": 3}) == (
        result.structured_content,
        json.loads(result.content[0].text),
    )


def test_a_context_that_lacks_something_is_not_told(
    era: str, database: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    result = called(
        database,
        era,
        "cancel_order",
        {"order_id": 12, "reason": "x"},
        f"--context={empty}",
    )
    assert (True, "cancel_order is not available to you on this server.") == (
        result.is_error,
        result.content[0].text,
    )


def test_read_only_leaves_what_only_reads(era: str, database: Path) -> None:
    async def see(client: Client) -> list[Any]:
        return plain((await client.list_tools()).tools)

    tools = visit(parameters(database, "--read-only"), era, see)
    expected = {"get_customer", "get_orders", "get_orders_by_id", "list_products"}
    assert expected <= {each["name"] for each in tools}
    assert [True] == [*{each["annotations"]["readOnlyHint"] for each in tools}]


def test_resources_are_read(era: str, database: Path) -> None:
    async def see(client: Client) -> Any:
        return await client.read_resource("shop:///handbook/service/returns/how-to")

    [content] = visit(parameters(database), era, see).contents
    assert ("text/markdown", True) == (
        content.mime_type,
        content.text.startswith("# Returns"),
    )


@pytest.mark.parametrize(
    "uri", ["shop:///nothing", "shop:///invoices/x/1", "other:///handbook/a/b"]
)
def test_an_unknown_resource_is_an_error_of_the_revision(
    era: str, database: Path, uri: str
) -> None:
    error = refused(era, database, lambda client: client.read_resource(uri))
    code = -32002 if era == "2025-11-25" else -32602
    assert (code, True) == (error.code, error.message.startswith("Resource not found"))


def test_unknown_tools_and_prompts_are_errors(era: str, database: Path) -> None:
    tool = refused(era, database, lambda client: client.call_tool("nope", {}))
    prompt = refused(era, database, lambda client: client.get_prompt("nope", {}))
    assert (-32602, "Unknown tool: nope") == (tool.code, tool.message)
    assert (-32602, "Unknown prompt: nope") == (prompt.code, prompt.message)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--connection", "default"], "expected NAME=TARGET"),
        (["--connection", "nope=x"], "the connections are analytics, default"),
        (["--connection", "default=/nowhere.db"], "there is no file"),
        (["--context", str(DEMO / "shop.sql")], "is not JSON"),
        (["--tools", "nope"], "there is no tool nope"),
        (["--handlers", "json"], "these are no handlers"),
    ],
)
def test_a_wrong_command_line_is_told(era: str, options: list[str], said: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "shop.mcp_server", *options],
        env={"PYTHONPATH": str(OUT / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (2, True) == (run.returncode, said in run.stderr), era


def test_a_prompt_is_rendered_with_its_context(era: str, database: Path) -> None:
    async def see(client: Client) -> Any:
        return await client.get_prompt(
            "complaint_reply", {"complaint": "Broken.", "order_id": "7"}
        )

    result = visit(parameters(database), era, see)
    assert ["user", "user"] == [each.role for each in result.messages]
    assert "You are Kim" in result.messages[0].content.text
    assert "about order 7" in result.messages[1].content.text


def test_a_bad_argument_of_a_prompt_is_an_error(era: str, database: Path) -> None:
    error = refused(
        era,
        database,
        lambda client: client.get_prompt("complaint_reply", {"order_id": "x"}),
    )
    assert -32602 == error.code
    assert "order_id: expected integer" in error.message
    assert "complaint: missing" in error.message
