"""An async transport that runs each request of a sync one in a thread."""

from __future__ import annotations

import asyncio

from ._request import Request
from ._stdlib import StdlibTransport
from ._transport import Answer, Budget, Transport


class ThreadedTransport:
    """Sends requests through ``transport`` in a thread each; without one, as `invoke` does."""

    def __init__(self, transport: Transport | None = None) -> None:
        self._transport = transport or StdlibTransport()

    async def send_async(self, request: Request, budget: Budget, /) -> Answer:
        """Return the answer to one request. Raises TransportError."""
        return await asyncio.to_thread(self._transport.send, request, budget)
