"""The generated server, run over stdio and driven by the official client in both eras."""

from __future__ import annotations

import importlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from end_to_end.served import DEMO, EACH_ERA, ROOT, See, connected, parameters, plain
from running.packages import imported

OUT = ROOT / "out"


@dataclass(frozen=True)
class Shop:
    """A running server of the shop, its database, and a client of it."""

    era: str
    database: Path
    see: Any

    def called(self, name: str, arguments: Any) -> Any:
        """What comes back from one call."""

        async def call(client: Client) -> Any:
            return await client.call_tool(name, arguments)

        return self.see(call)

    def refused(self, see: See) -> MCPError:
        """The error of the protocol that ``see`` meets."""
        with pytest.raises(MCPError) as caught:
            self.see(see)
        return caught.value


@pytest.fixture(scope="module", params=EACH_ERA)
def era(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def shop(era: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    """The demo, which makes its database."""
    database = tmp_path_factory.mktemp("shop") / "shop.db"
    with connected(parameters(database), era) as see:
        yield Shop(era, database, see)


def generated(name: str, key: str) -> list[Any]:
    """One of the lists that the MCP target writes."""
    listed = json.loads(
        (OUT / "python/shop/descriptors/mcp" / f"{name}.json").read_text("utf-8")
    )
    return list(listed[key])


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

    with connected(server, era) as ask:
        tools, templates, prompts = ask(see)
    assert generated("tools", "tools") == tools
    assert generated("resource_templates", "resourceTemplates") == templates
    assert generated("prompts", "prompts") == prompts


def test_rows_come_back_as_structure_and_as_its_very_text(shop: Shop) -> None:
    result = shop.called("get_orders", {"customer_id": 1, "limit": None})
    [text] = result.content
    assert not result.is_error
    assert result.structured_content == json.loads(text.text)
    assert [(11, 99.99), (10, 12.5)] == [
        (each["order_id"], each["total"])
        for each in result.structured_content["result"]
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "key", "values"),
    [
        ("search_customers", {}, "name", ["Ada Lovelace", "Alan Turing"]),
        ("search_customers", {"query": "Love"}, "name", ["Ada Lovelace"]),
        ("search_customers", {"tier": "gold"}, "name", ["Ada Lovelace"]),
        (
            "search_customers",
            {"active_only": False, "tier": "silver"},
            "name",
            ["Grace Hopper"],
        ),
        ("search_customers", {"limit": 1, "offset": 1}, "name", ["Alan Turing"]),
        ("get_orders_by_id", {"order_ids": [13, 10, 4711]}, "order_id", [10, 13]),
    ],
)
def test_a_filter_counts_only_when_given(
    shop: Shop, name: str, arguments: Any, key: str, values: list[Any]
) -> None:
    rows = shop.called(name, arguments).structured_content["result"]
    assert values == [each[key] for each in rows]


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
    shop: Shop, name: str, arguments: Any, said: list[str]
) -> None:
    result = shop.called(name, arguments)
    assert result.is_error
    assert result.structured_content is None
    for each in said:
        assert each in result.content[0].text


def test_a_write_takes_its_actor_from_the_context(shop: Shop) -> None:
    result = shop.called("cancel_order", {"order_id": 12, "reason": "too late"})
    assert {"changed": 1} == result.structured_content
    with closing(sqlite3.connect(shop.database)) as connection:
        [row] = connection.execute(
            "SELECT status, note, changed_by FROM orders WHERE order_id = 12"
        )
        assert ("cancelled", "too late", "u-7") == row
        note = {"order_id": 10, "note": "call ' back", "follow_up_on": "2026-04-01"}
        shop.called("add_order_note", note)
        [row] = connection.execute("SELECT * FROM order_notes WHERE order_id = 10")
    assert (10, "call ' back", "2026-04-01", "u-7") == row


def test_a_function_answers_a_client(shop: Shop) -> None:
    result = shop.called("calculator", {"operation": "add", "a": 1, "b": 2})
    assert ({"result": 3}, {"result": 3}) == (
        result.structured_content,
        json.loads(result.content[0].text),
    )


def test_a_context_that_lacks_something_is_not_told(era: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text("{}")
    server = parameters(tmp_path / "shop.db", f"--context={empty}")

    async def cancel(client: Client) -> Any:
        return await client.call_tool("cancel_order", {"order_id": 12, "reason": "x"})

    with connected(server, era) as ask:
        result = ask(cancel)
    assert (True, "cancel_order is not available to you.") == (
        result.is_error,
        result.content[0].text,
    )


def test_read_only_leaves_what_only_reads(era: str, tmp_path: Path) -> None:
    async def see(client: Client) -> list[Any]:
        return plain((await client.list_tools()).tools)

    with connected(parameters(tmp_path / "shop.db", "--read-only"), era) as ask:
        tools = ask(see)
    expected = {"get_customer", "get_orders", "get_orders_by_id", "list_products"}
    assert expected <= {each["name"] for each in tools}
    assert [True] == [*{each["annotations"]["readOnlyHint"] for each in tools}]


def test_a_client_reads_a_resource(shop: Shop) -> None:
    async def see(client: Client) -> Any:
        return await client.read_resource("shop:///handbook/service/returns/how-to")

    [content] = shop.see(see).contents
    assert ("text/markdown", True) == (
        content.mime_type,
        content.text.startswith("# Returns"),
    )


@pytest.mark.parametrize(
    "uri",
    [
        *("shop:///nothing", "shop:///invoices/x/1", "other:///handbook/a/b"),
        "shop:///handbook/service/lost",
    ],
)
def test_an_unknown_resource_is_an_error_of_the_revision(shop: Shop, uri: str) -> None:
    error = shop.refused(lambda client: client.read_resource(uri))
    code = -32002 if shop.era == "2025-11-25" else -32602
    assert (code, True) == (error.code, error.message.startswith("Resource not found"))


def test_unknown_tools_and_prompts_are_errors(shop: Shop) -> None:
    tool = shop.refused(lambda client: client.call_tool("nope", {}))
    prompt = shop.refused(lambda client: client.get_prompt("nope", {}))
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
        (["--handlers", "json"], "has no attribute 'HANDLERS'"),
    ],
)
def test_a_wrong_command_line_is_told(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with imported(OUT / "python", "shop"), pytest.raises(SystemExit) as ended:
        importlib.import_module("shop.mcp_server").main(options)
    assert (2, True) == (ended.value.code, said in capsys.readouterr().err)


def test_a_prompt_is_rendered_with_its_context(shop: Shop) -> None:
    async def see(client: Client) -> Any:
        return await client.get_prompt(
            "complaint_reply", {"complaint": "Broken.", "order_id": "7"}
        )

    result = shop.see(see)
    assert ["user", "user"] == [each.role for each in result.messages]
    assert "You are Kim" in result.messages[0].content.text
    assert "about order 7" in result.messages[1].content.text


def test_a_bad_argument_of_a_prompt_is_an_error(shop: Shop) -> None:
    error = shop.refused(
        lambda client: client.get_prompt("complaint_reply", {"order_id": "x"})
    )
    assert -32602 == error.code
    assert "order_id: expected integer" in error.message
    assert "complaint: missing" in error.message
