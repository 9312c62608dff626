"""Send the progress and the log messages that a handler reports while it runs."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from ..calls.call_context import LEVELS, CallContext, Caller, Level
from ..records.encode import to_json_value
from ..service.endings import log_problem
from .sdk import sdk

_LOG = logging.getLogger(__name__)
_MOST_WAITING = 1000
"""The number of notices that may wait to be sent; the oldest of more are dropped."""

_MOST_SESSIONS = 10_000


class _Notice(NamedTuple):
    is_progress: bool
    send: Callable[[], Awaitable[None]]


class LogLevels:
    """The least severe level of log messages that each session has asked for."""

    def __init__(self) -> None:
        self._by_session: dict[str | None, Level] = {}

    def choose(self, session: str | None, level: Level) -> None:
        """Send a session only messages at least as severe as ``level``."""
        self._by_session.pop(session, None)
        self._by_session[session] = level
        while len(self._by_session) > _MOST_SESSIONS:
            del self._by_session[next(iter(self._by_session))]

    def wants(self, session: str | None, level: Level) -> bool:
        """Return whether a session wants messages of a level; the default is ``info``."""
        least = self._by_session.get(session, "info")
        return LEVELS.index(level) >= LEVELS.index(least)


Wants: TypeAlias = Callable[[Level], bool]


class ServedCall(CallContext):
    """A call whose progress and log messages are sent to the client.

    Handlers may report from any thread. One task of the event loop sends the notices in order, and
    before the result (`finish`). New progress replaces progress that still waits.
    """

    def __init__(
        self,
        tool: str,
        caller: Caller,
        context: Any,
        wants: Wants,
    ) -> None:
        super().__init__(tool, caller)
        self._context = context
        self._wants = wants
        self._loop = asyncio.get_running_loop()
        self._lock = Lock()
        self._waiting: deque[_Notice] = deque(maxlen=_MOST_WAITING)
        self._sender: asyncio.Task[None] | None = None
        self._most: float | None = None
        self._is_over = False

    def progress(
        self, done: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Report progress; it is sent only if ``done`` has grown."""

        async def send() -> None:
            await self._context.session.report_progress(done, total, message)

        with self._lock:
            if self._most is not None and done <= self._most:
                return
            self._most = done
            if self._waiting and self._waiting[-1].is_progress:
                self._waiting.pop()
        self._post(_Notice(True, send))

    def log(self, level: Level, message: str, /, **data: Any) -> None:
        """Send a log message, if the client wants messages of its level."""
        if not self._wants(level):
            return
        payload = {"message": message, **_as_json(data)} if data else message

        async def send() -> None:
            kind, parameters = sdk(
                "mcp_types",
                "LoggingMessageNotification",
                "LoggingMessageNotificationParams",
            )
            notification = kind(
                params=parameters(level=level, data=payload, logger=self.tool)
            )
            await self._context.session.send_notification(
                notification, related_request_id=self._context.request_id
            )

        self._post(_Notice(False, send))

    async def finish(self) -> None:
        """Send all waiting notices; later ones are dropped."""
        self._start()
        if self._sender is not None:
            await self._sender
        with self._lock:
            self._is_over = True
            self._waiting.clear()

    def _post(self, notice: _Notice) -> None:
        with self._lock:
            if self._is_over or self.cancelled:
                return
            self._waiting.append(notice)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._start)

    def _start(self) -> None:
        if self._waiting and (self._sender is None or self._sender.done()):
            self._sender = self._loop.create_task(self._send_all())

    async def _send_all(self) -> None:
        while self._waiting and not self.cancelled:
            try:
                await self._waiting.popleft().send()
            except Exception as problem:  # noqa: BLE001
                # What a handler reports must not end its call.
                text = f"{self.tool}: a notice was not sent"
                log_problem(_LOG, text, problem, logging.WARNING)


def _as_json(data: dict[str, Any]) -> dict[str, Any]:
    """Return values as JSON; a value that has no JSON as its text."""
    plain: dict[str, Any] = {}
    for name, value in data.items():
        try:
            plain[name] = to_json_value(value)
        except (ValueError, RecursionError):
            plain[name] = str(value)
    return plain
