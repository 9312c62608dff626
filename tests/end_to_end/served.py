"""The generated server of the shop, started over stdio, with the official Python client."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "docs" / "demo"
ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}
"""The newest revision of either era, and the mode of the client that ends up there."""

T = TypeVar("T")


def parameters(database: Path, *options: str) -> StdioServerParameters:
    """How a client starts the demo."""
    arguments = [str(DEMO / "serve.py"), str(database), *options]
    return StdioServerParameters(command=sys.executable, args=arguments)


def visit(
    server: StdioServerParameters, era: str, see: Callable[[Client], Awaitable[T]]
) -> T:
    """What ``see`` sees as a client of the revision ``era``."""

    async def connect() -> T:
        async with Client(server, mode=ERAS[era]) as client:
            assert era == client.protocol_version
            return await see(client)

    return asyncio.run(connect())


def plain(listed: Any) -> list[Any]:
    """Objects of the SDK as they came over the wire."""
    return [
        each.model_dump(mode="json", by_alias=True, exclude_none=True)
        for each in listed
    ]
