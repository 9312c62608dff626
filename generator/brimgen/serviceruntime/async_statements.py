"""Run the statement of a tool with an async driver: asyncpg, psycopg, aiosqlite."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Final, Protocol, cast

from . import _sql
from ._sql import driver_of
from .databases import Database

DRIVERS: Final = _sql.run_async.DRIVERS
"""The drivers that a service can await."""


class Job(Protocol):
    """A statement that is to be run once."""

    @property
    def statement(self) -> Any:
        """The statement."""
        ...

    @property
    def kind(self) -> str:
        """What the statement does: ``read``, ``write`` …"""
        ...

    @property
    def database(self) -> Database:
        """The database that it runs on."""
        ...

    @property
    def bound(self) -> Any:
        """Its input."""
        ...

    @property
    def reads(self) -> bool:
        """Whether the database is to refuse writes."""
        ...

    @property
    def entry(self) -> Any:
        """What becomes of its rows."""
        ...

    def counted(self, driver: str, count: int) -> Any:
        """Return a number of changed rows as the result."""
        ...

    def decoded(self, rows: Sequence[Any], columns: Sequence[str]) -> Any:
        """Return rows as the result."""
        ...

    def answered(self, found: Any) -> Any:
        """Return the answer to the result."""
        ...


async def run_async(job: Job, opened: object = None) -> Any:
    """Return the answer to the result of a statement.

    ``opened`` is a connection, or what opens one, where it is not opened here. A statement whose
    task is cancelled is cancelled by its driver, and undone.
    """
    database = job.database
    text = None
    if database.driver is not None:
        text = job.statement.text(database.driver, job.bound)
    given: Callable[[], Any] = database.write if opened is None else lambda: opened
    async with _opened(given) as connection:
        driver = database.driver or driver_of(connection)
        if driver is None:
            raise TypeError(f"no driver is known for a {type(connection).__qualname__}")
        text = text or job.statement.text(driver, job.bound)
        async with _TRANSACTIONS[driver](connection, job):
            found = await _sql.run_async.fetch(driver, connection, job.kind, text)
            if job.entry.rows in ("none", "count"):
                result = job.counted(driver, found.changed)
            else:
                result = job.decoded(found.rows, found.columns)
            return job.answered(result)


@asynccontextmanager
async def _opened(open_: Callable[[], Any]) -> AsyncGenerator[Any, None]:
    """Open what a host program gave: a connection, a block of one, or something to await."""
    found: Any = open_()
    is_block = hasattr(found, "__aenter__")
    if inspect.isawaitable(cast("object", found)) and not is_block:
        found = await found
        if driver_of(found) is not None:
            try:
                yield found
            finally:
                await found.close()
            return
        is_block = hasattr(found, "__aenter__")
    if is_block:
        async with found as connection:
            yield connection
    else:
        with found as connection:
            yield connection


@asynccontextmanager
async def _asyncpg(connection: Any, job: Job) -> AsyncGenerator[None, None]:
    # Inside a transaction of the host program this is a savepoint.
    is_nested = connection.is_in_transaction()
    async with connection.transaction(readonly=job.reads and not is_nested):
        if job.reads and is_nested:
            await connection.execute("SET TRANSACTION READ ONLY")
        yield


@asynccontextmanager
async def _psycopg(connection: Any, job: Job) -> AsyncGenerator[None, None]:
    is_idle = int(connection.info.transaction_status) == 0
    if connection.autocommit and is_idle:
        begin, end, undo = "BEGIN", "COMMIT", "ROLLBACK"
    elif job.database.is_given:
        begin, end, undo = _SAVEPOINT
    else:
        begin, end, undo = "", "COMMIT", "ROLLBACK"
    async with _bracketed(connection, begin, end, undo):
        if job.reads:
            await connection.execute("SET TRANSACTION READ ONLY")
        yield


@asynccontextmanager
async def _aiosqlite(connection: Any, job: Job) -> AsyncGenerator[None, None]:
    if job.reads:
        async with _query_only(connection):
            yield
    elif job.kind != "write":
        yield
    elif connection.in_transaction:
        async with _bracketed(connection, *_SAVEPOINT):
            yield
    else:
        # The transaction of a connection that is given is left open, unless it commits by itself.
        is_kept = job.database.is_given and connection.isolation_level is not None
        end = "" if is_kept else "COMMIT"
        async with _bracketed(connection, "BEGIN", end, "ROLLBACK"):
            yield


_SAVEPOINT = (
    "SAVEPOINT brimgen_call",
    "RELEASE SAVEPOINT brimgen_call",
    "ROLLBACK TO SAVEPOINT brimgen_call",
)
"""What begins, ends and undoes a part of a transaction."""


@asynccontextmanager
async def _bracketed(
    connection: Any, begin: str, end: str, undo: str
) -> AsyncGenerator[None, None]:
    """Execute a statement before a block, and another one after it or where it failed."""
    if begin:
        await connection.execute(begin)
    try:
        yield
        if end:
            await connection.execute(end)
    except BaseException:
        with suppress(Exception):
            await connection.execute(undo)
        raise


@asynccontextmanager
async def _query_only(connection: Any) -> AsyncGenerator[None, None]:
    """Have SQLite refuse writes, and put the connection back as it was."""
    async with connection.execute("PRAGMA query_only") as cursor:
        (before,) = await cursor.fetchone()
    await connection.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        if not before:
            await connection.execute("PRAGMA query_only = OFF")


_TRANSACTIONS: dict[str, Callable[[Any, Job], AbstractAsyncContextManager[None]]] = {
    "asyncpg": _asyncpg,
    "psycopg": _psycopg,
    "aiosqlite": _aiosqlite,
}
"""The transaction of a call, by async driver."""
