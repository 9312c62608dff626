"""Which tools of MCP say the schema of their result: what a client refuses, and what it pays."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from support.loopback import answer, loopback
from support.project import build

WIDE = ", ".join(f"column_{number:03}_of_the_wide_row: string" for number in range(150))
SPECS = f"""\
type: http_function
name: lenient
description: Ask.
allowedHosts: [HERE]
request: {{ urlTemplate: "http://HERE/" }}
returns: {{ inline: {{ state: {{ type: string, enum: [up, down] }} }} }}
---
type: http_function
name: strict
description: Ask.
allowedHosts: [HERE]
request: {{ urlTemplate: "http://HERE/" }}
response: {{ strict_results: true }}
returns: {{ inline: {{ state: {{ type: string, enum: [up, down] }} }} }}
---
type: python_function
name: small
description: A few values.
arguments: {{ inline: {{ id: int }} }}
returns: {{ inline: {{ name: string }} }}
---
type: python_function
name: wide
description: Many values.
arguments: {{ inline: {{ id: int }} }}
returns: {{ description: All columns., inline: {{ {WIDE} }} }}
---
type: python_function
name: as_wide
description: As many arguments.
arguments: {{ inline: {{ more: string, {WIDE} }} }}
returns: {{ inline: {{ {WIDE} }} }}
"""


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, ["as_wide", "small", "strict"]),
        ({"strict_results": True}, ["as_wide", "lenient", "small", "strict"]),
    ],
)
def test_a_model_pays_for_the_schemas_of_results_that_help_it(
    options: dict[str, Any], said: list[str], tmp_path: Path
) -> None:
    specs = {"a.yaml": SPECS.replace("HERE", "api.example")}
    built = build(tmp_path, specs, targets=("mcp",), **options)
    tools = {each["name"]: each for each in built.sent("mcp/tools.json")["tools"]}
    assert said == sorted(name for name in tools if "outputSchema" in tools[name])
    assert "Many values. Returns: All columns." == tools["wide"]["description"]
    unsaid = {row["tool"] for row in built.ledger if row["keyword"] == "returns"}
    assert {*tools} - {*said} == unsaid


@pytest.mark.parametrize(("name", "is_error"), [("lenient", False), ("strict", True)])
def test_a_client_takes_what_the_server_tolerated(
    name: str, is_error: bool, tmp_path: Path
) -> None:
    """The official client refuses a result that the ``outputSchema`` does not accept."""
    with loopback() as here:
        spec = SPECS.replace("HERE", f"127.0.0.1:{here.port}")
        targets = ("python", "http", "handlers", "mcp", "service", "server")
        built = build(tmp_path, {"a.yaml": spec}, targets=targets)
        built.load()
        sent = {"state": "standby", "since": 7}
        here.says(answer(200, json.dumps(sent)))
        server = built.load("mcp_server")
        handlers = dict.fromkeys(("small", "wide", "as_wide"), lambda bound: bound)
        service = server.AsyncService(handlers=handlers)

        async def visit() -> Any:
            async with Client(server.make_server(service)) as client:
                await client.list_tools()
                return await client.call_tool(name, {})

        result = asyncio.run(visit())
        assert is_error == result.is_error
        assert (None if is_error else sent) == result.structured_content
