"""A generated server, asked without a protocol."""

from __future__ import annotations

import asyncio
from typing import Any


def answered(server: Any, name: str, arguments: Any = None, **given: Any) -> Any:
    """What the ``mcp_server`` of a package answers to a call, with what its service is given."""
    return asyncio.run(
        offered(server, **given).call(name, arguments, _call(server, name))
    )


def offered(server: Any, **given: Any) -> Any:
    """What a server offers whose service is given so much; tools may lack what they need."""
    return server.make_offer(server.AsyncService(partial=True, **given))


def _call(server: Any, name: str) -> Any:
    return server.CallContext(name)
