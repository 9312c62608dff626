"""Run the statement of a tool with an async driver: asyncpg, psycopg, aiosqlite."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar, cast

from .drivers import driver_of
from .statements import Job, counted, decoded, one_row
from .transactions import POSTGRES

AnswerT = TypeVar("AnswerT")


async def run_statement_async(job: Job, answer: Callable[[Any], AnswerT]) -> AnswerT:
    """Do what `run_statement` does, on a database with an async driver.

    A statement whose task is cancelled is cancelled by its driver, and undone.
    """
    database = job.database
    known = None if database.driver is None else job.text(database.driver)
    try:
        async with _opened(database.write) as connection:
            driver = database.driver or driver_of(connection)
            if driver is None:
                raise LookupError(f"no driver is known for a {type(connection)!r}")
            text, arguments = known or job.text(driver)
            known_job = replace(job, database=replace(database, driver=driver))
            run = _RUNS[driver](connection, known_job, text, arguments)
            async with run as found:
                return job.answered(found, answer)
    except Exception as problem:
        refused = job.refused(problem)
        if refused is None:
            raise
        raise refused from problem


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
async def _asyncpg(
    connection: Any, job: Job, text: str, arguments: Sequence[object] | None
) -> AsyncGenerator[Any, None]:
    # Inside a transaction of the host program this is a savepoint.
    is_nested = connection.is_in_transaction()
    transaction = connection.transaction(readonly=job.reads and not is_nested)
    await transaction.start()
    try:
        if job.reads and is_nested:
            await connection.execute("SET TRANSACTION READ ONLY")
        prepared = await connection.prepare(text)
        records = await prepared.fetch(*(arguments or ()))
        columns = [each.name for each in prepared.get_attributes()]
        yield _result(
            job, [tuple(each) for each in records], columns, _tagged(prepared)
        )
    except BaseException:
        with suppress(Exception):
            await transaction.rollback()
        raise
    await transaction.commit()


def _tagged(prepared: Any) -> int:
    """Return the number of rows in the tag of a command (``UPDATE 3``); -1 without one."""
    last = str(prepared.get_statusmsg()).rpartition(" ")[2]
    return int(last) if last.isdigit() else -1


@asynccontextmanager
async def _psycopg(
    connection: Any, job: Job, text: str, arguments: object
) -> AsyncGenerator[Any, None]:
    async with connection.cursor() as cursor:
        import_module(".sql._json", job.package).keep_digits(cursor)
        async with _psycopg_transaction(connection, cursor, job):
            await _executed(cursor, text, arguments)
            yield await _fetched(job, cursor)


@asynccontextmanager
async def _psycopg_transaction(
    connection: Any, cursor: Any, job: Job
) -> AsyncGenerator[None, None]:
    is_given = job.database.is_given
    is_idle = int(connection.info.transaction_status) == 0
    if connection.autocommit and is_idle:
        begin, end, undo = "BEGIN", "COMMIT", "ROLLBACK"
    elif is_given:
        name = "SAVEPOINT brimgen_call"
        begin, end, undo = name, f"RELEASE {name}", f"ROLLBACK TO {name}"
    else:
        begin, end, undo = "", "COMMIT", "ROLLBACK"
    async with _bracketed(cursor, begin, end, undo):
        if job.reads:
            await cursor.execute("SET TRANSACTION READ ONLY")
        yield


@asynccontextmanager
async def _aiosqlite(
    connection: Any, job: Job, text: str, arguments: object
) -> AsyncGenerator[Any, None]:
    kind, is_given = job.module.KIND, job.database.is_given
    async with connection.cursor() as cursor:
        if job.reads:
            async with _query_only(cursor):
                await _executed(cursor, text, arguments)
                yield await _fetched(job, cursor)
            return
        if kind != "write":
            await _executed(cursor, text, arguments)
            yield await _fetched(job, cursor)
            return
        if not connection.in_transaction:
            begin, undo = "BEGIN", "ROLLBACK"
            is_kept = is_given and connection.isolation_level is not None
            end = "" if is_kept else "COMMIT"
        else:
            name = "SAVEPOINT brimgen_call"
            begin, end, undo = name, f"RELEASE {name}", f"ROLLBACK TO {name}"
        async with _bracketed(cursor, begin, end, undo):
            await _executed(cursor, text, arguments)
            yield await _fetched(job, cursor)


@asynccontextmanager
async def _bracketed(
    cursor: Any, begin: str, end: str, undo: str
) -> AsyncGenerator[None, None]:
    """Execute a statement before a block, and another one after it or where it failed."""
    if begin:
        await cursor.execute(begin)
    try:
        yield
        if end:
            await cursor.execute(end)
    except BaseException:
        with suppress(Exception):
            await cursor.execute(undo)
        raise


@asynccontextmanager
async def _query_only(cursor: Any) -> AsyncGenerator[None, None]:
    """Have SQLite refuse writes, and put the connection back as it was."""
    await cursor.execute("PRAGMA query_only")
    (before,) = await cursor.fetchone()
    await cursor.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        if not before:
            await cursor.execute("PRAGMA query_only = OFF")


async def _executed(cursor: Any, text: str, arguments: object) -> None:
    if arguments is None:
        await cursor.execute(text)
    else:
        await cursor.execute(text, arguments)


async def _fetched(job: Job, cursor: Any) -> Any:
    """Return what a statement gave."""
    description = cursor.description or ()
    columns = [str(each[0]) for each in description]
    rows: list[Any] = [*await cursor.fetchall()] if description else []
    count = int(cursor.rowcount)
    kind = job.module.KIND
    if job.database.driver not in POSTGRES and kind == "write":
        await cursor.execute("SELECT changes()")
        (count,) = await cursor.fetchone()
    return _result(job, rows, columns, count)


def _result(job: Job, rows: Sequence[Any], columns: Sequence[str], count: int) -> Any:
    entry = job.entry
    if entry.rows in ("none", "count"):
        if job.module.KIND in ("read", "lock"):
            count = -1
        return counted(entry.rows, job.database.driver or "the driver", count)
    if entry.rows == "many":
        return [decoded(job.module, each, columns) for each in rows]
    return one_row(job, rows[:2], columns)


_RUNS = {"asyncpg": _asyncpg, "psycopg": _psycopg, "aiosqlite": _aiosqlite}
"""What runs a statement, by async driver."""

ASYNC_DRIVERS = tuple(_RUNS)
"""The drivers that a service can await."""
