"""``brimgen import app.py``: functions, and those of a FastMCP server, are handlers of tools."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from brimgen_runtime.schema.errors import InputError
from cli.conftest import Run
from importers.documents import imported
from support.project import build

SERVER = '''\
from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, Optional
from uuid import UUID

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel, ConfigDict, Field, field_validator

mcp = MCPServer("shop")
OrderId = Annotated[int, Field(ge=1, description="Number of an order")]


class Status(Enum):
    OPEN = "open"
    SHIPPED = "shipped"


class Item(BaseModel):
    """One line of an order."""

    sku: str = Field(min_length=2, description="What is bought")
    count: int = 1
    note: str | None = None

    @field_validator("sku")
    @classmethod
    def known(cls, sku: str) -> str:
        if sku == "??":
            raise ValueError("no such thing")
        return sku


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    size: Annotated[float, Field(gt=0)]


@dataclass
class Order:
    """An order."""

    id: int
    status: Status
    items: list[Item]
    placed: date | None = None


@mcp.tool(annotations={"readOnlyHint": True})
async def get_order(order_id: OrderId, ctx: Context, status: Status = Status.OPEN) -> Order:
    """Get one order.

    Args:
        status: The status that it is to have

    Returns:
        The order.
    """
    await ctx.info("looking")
    return Order(order_id, status, [Item(sku="ab")], date(2026, 1, 2))


@mcp.tool(name="place-order", title="Place an order", description="Order things.")
def place(
    items: Annotated[list[Item], Field(min_length=1)],
    at: datetime | None = None,
    labels: dict[str, int] = {},
    pair: tuple[int, str] = (1, "a"),
    key: UUID | None = None,
) -> dict[str, Any]:
    assert all(type(item) is Item for item in items)
    assert at is None or type(at) is datetime
    assert type(pair) is tuple
    return {"items": items, "at": at, "labels": labels, "pair": pair, "key": key}


@mcp.tool()
def everything(
    needed: int,
    nullable: str | None,
    kind: Literal["a", "b"] = "a",
    level: Literal[1, 2, None] = None,
    either: int | list[str] = 3,
    bounded: Annotated[float, Field(gt=0, le=9)] = 1,
    grid: list[list[int]] = [],
    some: tuple[int, ...] = (),
    unique: set[str] = set(),
    text: str = Field("x", max_length=3, pattern="^[a-z]*$"),
    item: Optional[Item] = None,
    closed: Closed | None = None,
    day: date | None = None,
    anything: Any = None,
    flag: bool = False,
    table: dict[str, list[float]] = {},
    loose: dict = {},
) -> list[int]:
    """Take everything."""
    return [needed]


@mcp.resource("orders://{order_id}")
def order_page(order_id: str) -> str:
    return order_id


def helper() -> None:
    """Not marked."""
'''


@pytest.fixture
def server(project: Path) -> Path:
    (project / "specs").rmdir()
    (project / "app.py").write_text(SERVER)
    return project


Call = Callable[..., Any]


@pytest.fixture
def call(project: Path) -> Call:
    """Call a tool of the generated package by its command line; its result, or what it says."""

    def call(tool: str, **arguments: Any) -> Any:
        ran = subprocess.run(
            [sys.executable, "-m", "app_tools", "call", tool, json.dumps(arguments)],
            cwd=project,
            env={**os.environ, "PYTHONPATH": "out/python"},
            capture_output=True,
            text=True,
        )
        if ran.returncode:
            return ran.stderr
        return json.loads(ran.stdout.splitlines()[-1])  # the module may print, too

    return call


@pytest.mark.whole
def test_functions_of_a_server_answer_their_first_call(
    server: Path, run: Run, call: Call
) -> None:
    ran = run("init", "--from", "app.py")
    assert 0 == ran.code
    assert "`ctx` of `get_order` is not imported: the program gives it" in ran.err
    assert "function `order_page` is not imported" in ran.err
    assert "helper" not in ran.err
    assert "python -m app_tools list" in ran.err
    assert 0 == run("generate").code
    items = [{"sku": "ab", "count": 1, "note": None}]
    assert {
        "id": 3,
        "status": "shipped",
        "items": items,
        "placed": "2026-01-02",
    } == call("get_order", order_id=3, status="shipped")
    answered = call("place-order", items=[{"sku": "ab"}], at="2026-01-02T03:04:05Z")
    assert items == answered["items"]
    assert "2026-01-02T03:04:05Z" == answered["at"]
    assert [1, "a"] == answered["pair"]
    assert "no such thing" in call("place-order", items=[{"sku": "??"}])
    assert "order_id" in call("get_order", order_id=0)


VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, 2, 3, -1, 0.5, 9, 9.5, "", "a", "b", "abcd", "A", "open"),
    *([], [1], ["a"], ["a", "a"], [1, "a"], [[1]], [["a"]], [None]),
    *(
        {},
        {"a": 1},
        {"a": [1.5]},
        {"sku": "ab"},
        {"sku": "a"},
        {"size": 1},
        {"size": 0},
    ),
    *({"sku": "ab", "note": None}, {"sku": "ab", "count": "2"}, {"size": 1, "x": 1}),
    *("2026-01-02", "2026-01-02T03:04:05Z", "0b6f8c1e-97a1-4f0b-9a54-4d0c3c7f7a10"),
    *([{"sku": "ab"}], [{"sku": "a"}], {"count": 2}),
)


def _listed(module: Path) -> Iterator[tuple[str, Any]]:
    """The tools that the server itself lists, with their schemas."""
    spec = importlib.util.spec_from_file_location("listed_app", module)
    assert spec is not None and spec.loader is not None
    app = sys.modules["listed_app"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(app)
    for tool in asyncio.run(app.mcp.list_tools()):
        yield tool.name, tool.input_schema


@pytest.mark.whole
def test_the_same_calls_are_taken_as_by_the_schema_that_the_server_lists(
    server: Path, tmp_path: Path
) -> None:
    documents, _ = imported("app.py", SERVER)
    package = build(tmp_path, {"a.yaml": "---\n".join(documents)})
    compared = 0
    for name, schema in _listed(server / "app.py"):
        theirs = Draft202012Validator(schema, format_checker=FormatChecker())
        tool = package.tool(name)
        needed = {
            "get_order": {"order_id": 1},
            "place-order": {"items": [{"sku": "ab"}]},
            "everything": {"needed": 1, "nullable": None},
        }[name]
        calls: list[Any] = [{}, needed]
        calls += [
            {key: needed[key] for key in needed if key != left} for left in needed
        ]
        names = schema["properties"]
        calls += [{**needed, each: value} for each in names for value in VALUES]
        for arguments in calls:
            try:
                tool.input_type.from_dict(arguments)
                is_taken = True
            except InputError:
                is_taken = False
            assert theirs.is_valid(arguments) == is_taken, (name, arguments)
            compared += 1
    assert compared > 900


LIVE = '''\
from mcp.server.mcpserver import MCPServer

from elsewhere import Order

mcp = MCPServer("live")
open("was_run", "w").close()
print("the module runs")


@mcp.tool(structured_output=True)
def count(order: Order) -> int:
    """Count things."""
    assert type(order) is Order
    return order.number


def add() -> None:
    @mcp.tool()
    def hidden() -> str:
        """Of a closure."""
        return ""


add()
'''
ELSEWHERE = """\
from dataclasses import dataclass


@dataclass
class Order:
    number: int
"""


@pytest.mark.whole
def test_a_server_runs_only_where_it_is_named_and_its_functions_answer(
    server: Path, call: Call
) -> None:
    (server / "app.py").write_text(LIVE)
    (server / "elsewhere.py").write_text(ELSEWHERE)
    (server / "brimgen.yaml").write_text("package: app_tools\n")

    def brimgen(*arguments: str) -> Any:
        command = [sys.executable, "-m", "brimgen", *arguments]
        return subprocess.run(command, cwd=server, capture_output=True, text=True)

    read = brimgen("import", "app.py")
    assert "the type of `order` of `count` is not imported" in read.stderr
    assert not (server / "was_run").exists()
    ran = brimgen("import", "app:mcp", "--into", "specs")
    assert (0, True) == (ran.returncode, (server / "was_run").exists())
    assert "" == ran.stdout
    assert "handler" not in (server / "specs" / "hidden.yaml").read_text()
    assert 0 == brimgen("generate").returncode
    assert 3 == call("count", order={"number": 3})
    assert (
        "0 specs to specs, 2 unchanged"
        in brimgen("import", "app:mcp", "--into", "specs").stderr
    )
    wrong = brimgen("import", "app:nothing")
    assert 2 == wrong.returncode
    assert "app:nothing is no server whose tools can be listed" in wrong.stderr
