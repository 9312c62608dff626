"""A stdio MCP server over the shop's generated package and a made SQLite database.

Usage: python shop_server.py OUT_FOLDER. Lists exactly the generated descriptors, reads calls with
the generated decoders, and runs the SQLite tools.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

OUT = Path(sys.argv[1])
sys.path.insert(0, str(OUT / "python"))
shop = importlib.import_module("shop")
CONTEXT = {"app": {"user": {"id": "u-7", "name": "Kim"}}}


def database() -> sqlite3.Connection:
    """A fresh shop."""
    connection = (
        sqlite3.connect(":memory:", autocommit=True)
        if sys.version_info
        >= (
            3,
            12,
        )
        else sqlite3.connect(":memory:", isolation_level=None)
    )
    connection.executescript((Path(__file__).parent / "shop.sql").read_text("utf-8"))
    return connection


def descriptors(name: str) -> dict[str, Any]:
    """One of the generated MCP files."""
    return json.loads((OUT / "mcp" / f"{name}.json").read_text("utf-8"))


def run_sql(connection: sqlite3.Connection, name: str, arguments: Any) -> Any:
    """Call a SQL tool: from what the client sent to JSON values."""
    tool = shop.TOOLS[name]
    binding = importlib.import_module(f"shop.sql.{name}")
    bound = tool.bound_type.bind(tool.input_type.from_call(arguments), CONTEXT)
    cursor = connection.execute(binding.SQL_SQLITE3, binding.bind_sqlite3(bound))
    if tool.output_schema is None:
        return {"changed": cursor.rowcount}
    columns = [each[0] for each in cursor.description]
    rows = [
        binding.decode_sqlite3(dict(zip(columns, row, strict=True))).to_dict()
        for row in cursor
    ]
    return {"result": rows} if tool.output_schema["type"] == "array" else rows[0]


async def main() -> None:
    connection = database()

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate(descriptors("tools"))

    async def list_templates(
        _context: Any, _params: Any
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult.model_validate(
            descriptors("resource_templates")
        )

    async def list_prompts(_context: Any, _params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate(descriptors("prompts"))

    async def call_tool(_context: Any, params: Any) -> types.CallToolResult:
        try:
            value = run_sql(connection, params.name, params.arguments or {})
        except shop.InputError as error:
            text = types.TextContent(type="text", text=error.retry_message())
            return types.CallToolResult(content=[text], is_error=True)
        text = types.TextContent(type="text", text=json.dumps(value))
        return types.CallToolResult(content=[text], structured_content=value)

    server: Server[Any] = Server(
        "shop",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resource_templates=list_templates,
        on_list_prompts=list_prompts,
    )
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
