"""Sessions: one interface for connections of blocking and of async drivers."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple, cast

from ..sql import _run_async
from ..sql._drivers import begin_nested, cursor_of, driver_of
from ..sql._run import fetch
from ..sql._run_async import Fetched
from .databases import check_opened
from .errors import CommitUnknown
from .transactions import METHOD, NESTED, SQLITE, State, state_of
from .workers import COMMIT_GRACE

ASYNC_DRIVERS: Final = _run_async.DRIVERS
"""The async drivers that a service supports."""


class Late(NamedTuple):
    """How a COMMIT ended whose task was cancelled while it ran; None: it succeeded."""

    problem: BaseException | None


class Session:
    """A connection of a blocking driver (PEP 249); its coroutines never suspend."""

    late: Late | None = None

    def __init__(self, connection: Any, drivers: Collection[str]) -> None:
        self.connection = connection
        self.driver, self._cursor = cursor_of(connection, drivers)
        self._nested: Any = None

    async def state(self, *, reads: bool) -> State:
        """Return the state of the connection before the call."""
        state = state_of(self.driver, self.connection)
        if reads and self.driver in SQLITE:
            (refuses,) = self._cursor.execute("PRAGMA query_only").fetchone()
            return state._replace(refuses_writes=bool(refuses))
        return state

    async def execute(self, text: str) -> None:
        """Execute a statement that begins or ends a transaction."""
        if text == NESTED:
            self._nested = begin_nested(self.connection)
        else:
            self._cursor.execute(text)

    async def commit(self, text: str) -> None:
        """Commit a transaction or savepoint."""
        await self._end(text, "commit")

    async def undo(self, text: str) -> None:
        """Roll back a transaction or savepoint."""
        await self._end(text, "rollback")

    async def _end(self, text: str, method: str) -> None:
        if text == METHOD:
            getattr(self.connection, method)()
        elif text == NESTED:
            getattr(self._nested, method)()
        else:
            self._cursor.execute(text)

    async def fetch(self, kind: str, rows: str, text: tuple[str, Any]) -> Fetched:
        """Execute the statement of a tool and fetch its rows: at most two if it wants one."""
        return fetch(self.driver, self._cursor, kind, rows, text)

    async def close(self) -> None:
        """Close the cursor."""
        self._cursor.close()


class AsyncSession(Session):
    """A connection of an async driver, or an async one of SQLAlchemy."""

    def __init__(self, connection: Any, driver: str) -> None:
        self.connection = connection
        self.driver = driver
        self._nested: Any = None

    async def state(self, *, reads: bool) -> State:
        """Return the state of the connection before the call."""
        state = state_of(self.driver, self.connection)
        if reads and self.driver in SQLITE:
            async with self.connection.execute("PRAGMA query_only") as cursor:
                (refuses,) = await cursor.fetchone()
            return state._replace(refuses_writes=bool(refuses))
        return state

    async def execute(self, text: str) -> None:
        """Execute a statement that begins or ends a transaction."""
        if text == NESTED:
            self._nested = await self.connection.run_sync(begin_nested)
        else:
            await _run_async.run(self.driver, self.connection, text)

    async def commit(self, text: str) -> None:
        """Commit a transaction; a COMMIT is awaited even if the task is cancelled."""
        task = asyncio.ensure_future(self._end(text, "commit"))
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            await asyncio.wait({task}, timeout=COMMIT_GRACE)
            if task.done():
                self.late = Late(task.exception())
            else:
                task.cancel()
                task.add_done_callback(
                    lambda ended: ended.cancelled() or ended.exception()
                )
                self.late = Late(CommitUnknown())
            raise
        task.result()

    async def _end(self, text: str, method: str) -> None:
        if text == METHOD:
            await getattr(self.connection, method)()
        elif text == NESTED:
            await self.connection.run_sync(_end_nested, self._nested, method)
        else:
            await _run_async.run(self.driver, self.connection, text)

    async def fetch(self, kind: str, rows: str, text: tuple[str, Any]) -> Fetched:
        """Execute the statement of a tool and fetch its rows."""
        return await _run_async.fetch(self.driver, self.connection, kind, text)

    async def close(self) -> None:
        """Do nothing: there is no cursor."""


def _end_nested(_: Any, nested: Any, method: str) -> None:
    getattr(nested, method)()


@asynccontextmanager
async def open_connection(connect: Callable[[], Any]) -> AsyncGenerator[Any, None]:
    """Open a source of connections: a context manager, sync or async, or an awaitable.

    Raises NoDatabase for a source that is none of them, or not async.
    """
    source: Any = connect()
    check_opened(source)
    is_block = hasattr(source, "__aenter__")
    if inspect.isawaitable(cast("object", source)) and not is_block:
        source = await source
        check_opened(source, is_awaited=True)
        if driver_of(source) is not None:
            try:
                yield source
            finally:
                closing = source.close()
                if inspect.isawaitable(closing):
                    await closing
            return
        is_block = hasattr(source, "__aenter__")
    if is_block:
        async with source as connection:
            yield connection
    else:
        with source as connection:
            yield connection
