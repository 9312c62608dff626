"""The generated server of the shop, started over stdio, with the official Python client."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "docs" / "demo"
ERAS = {"2025-11-25": "legacy", "2026-07-28": "auto"}
"""The newest revision of either era, and the mode of the client that ends up there."""
EACH_ERA = [pytest.param("2025-11-25", marks=pytest.mark.whole), "2026-07-28"]

See = Callable[[Client], Awaitable[Any]]
"""What a test does as a client."""


def parameters(database: Path, *options: str) -> StdioServerParameters:
    """How a client starts the demo."""
    arguments = [str(DEMO / "serve.py"), str(database), *options]
    return StdioServerParameters(command=sys.executable, args=arguments)


@contextmanager
def connected(
    server: StdioServerParameters, era: str
) -> Iterator[Callable[[See], Any]]:
    """A client of the revision ``era``: call it with what it is to see."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=ERAS[era])) as client,
    ):
        assert era == client.protocol_version
        yield lambda see: portal.call(see, client)


def plain(listed: Any) -> list[Any]:
    """Objects of the SDK as they came over the wire."""
    return [
        each.model_dump(mode="json", by_alias=True, exclude_none=True)
        for each in listed
    ]
