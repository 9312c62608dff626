"""Execute statements with async drivers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple, cast

from ._drivers import AlchemyCursor
from ._json import keep_digits
from ._matched import counts_matched, matched

_BY_CURSOR = ("aiomysql", "asyncmy")
DRIVERS: Final = ("asyncpg", "psycopg", "aiosqlite", "sqlalchemy", *_BY_CURSOR)
"""The drivers that can be awaited."""


class Fetched(NamedTuple):
    """What a statement gave: its columns and rows, how many rows it changed (-1: unknown), and the
    id of the row that it added (0: none).
    """

    columns: list[str]
    rows: list[Any]
    changed: int
    last_id: int = 0


async def fetch(
    driver: str, connection: Any, kind: str, text: tuple[str, Any]
) -> Fetched:
    """Execute a statement and fetch all that it gives."""
    if driver == "asyncpg":
        fetched = await _fetch_asyncpg(connection, text)
    elif driver == "sqlalchemy":
        fetched = await connection.run_sync(_fetch_alchemy, text)
    else:
        async with connection.cursor() as cursor:
            keep_digits(cursor)
            fetched = await _fetch_from(cursor, text)
            if driver == "aiosqlite" and kind == "write":
                await cursor.execute("SELECT changes()")
                (count,) = await cursor.fetchone()
                known_id = fetched.last_id if count else 0
                fetched = fetched._replace(changed=int(count), last_id=known_id)
            elif not counts_matched(driver, cursor, text[0]):
                fetched = fetched._replace(changed=matched(driver, cursor))
    return fetched._replace(changed=-1) if kind in ("read", "lock") else fetched


async def _fetch_asyncpg(connection: Any, text: tuple[str, Any]) -> Fetched:
    statement, arguments = text
    prepared = await connection.prepare(statement)
    records = await prepared.fetch(*(arguments or ()))
    last = str(prepared.get_statusmsg()).rpartition(" ")[2]  # UPDATE 3
    return Fetched(
        [attribute.name for attribute in prepared.get_attributes()],
        [tuple(record) for record in records],
        int(last) if last.isdigit() else -1,
    )


def _fetch_alchemy(connection: Any, text: tuple[str, Any]) -> Fetched:
    cursor = AlchemyCursor(connection)
    cursor.execute(*text)
    names = names_of(cursor)
    if names:
        rows = [tuple(row) for row in cursor.fetchall()]
        return Fetched(names, rows, cursor.rowcount)
    last_id = int(cursor.lastrowid or 0) if cursor.rowcount else 0
    return Fetched([], [], cursor.rowcount, last_id)


async def run(driver: str, connection: Any, statement: str) -> None:
    """Execute a statement without arguments, whose rows nobody wants."""
    if driver in _BY_CURSOR:
        async with connection.cursor() as cursor:
            await cursor.execute(statement)
    else:
        await connection.execute(statement)


async def _fetch_from(cursor: Any, text: tuple[str, Any]) -> Fetched:
    await _execute(cursor, text)
    columns = names_of(cursor)
    rows = [plain(row) for row in await cursor.fetchall()] if columns else []
    last_id = int(getattr(cursor, "lastrowid", None) or 0)
    return Fetched(columns, rows, int(cursor.rowcount), last_id)


async def _execute(cursor: Any, text: tuple[str, Any]) -> None:
    statement, arguments = text
    if arguments is None:
        await cursor.execute(statement)
    else:
        await cursor.execute(statement, arguments)


def names_of(cursor: Any) -> list[str]:
    """Return the names of the columns that a statement gives."""
    return [str(column[0]) for column in cursor.description or ()]


def plain(row: Any) -> Any:
    """Return a row as `decode` takes it: a mapping, or a tuple."""
    return cast("Any", row) if isinstance(row, Mapping) else tuple(row)


async def stream(
    driver: str, connection: Any, text: tuple[str, Any], size: int
) -> AsyncIterator[tuple[list[str], Any]]:
    """Yield the columns and one row after the other, of which ``size`` are in memory at once."""
    statement, arguments = text
    if driver == "asyncpg":
        prepared = await connection.prepare(statement)
        columns = [attribute.name for attribute in prepared.get_attributes()]
        async for record in prepared.cursor(*(arguments or ()), prefetch=size):
            yield columns, tuple(record)
        return
    if driver == "sqlalchemy":
        text_of = import_module("sqlalchemy").text
        result = await connection.stream(text_of(statement), arguments or {})
        columns = [str(name) for name in result.keys()]  # noqa: SIM118
        async for batch in result.partitions(size):
            for row in batch:
                yield columns, tuple(row)
        return
    async with connection.cursor() as cursor:
        keep_digits(cursor)
        if driver == "psycopg":
            rows = cursor.stream(statement, arguments)
            async for row in rows:
                yield names_of(cursor), plain(row)
            return
        await _execute(cursor, text)
        columns = names_of(cursor)
        while batch := await cursor.fetchmany(size):
            for row in batch:
                yield columns, plain(row)


async def execute_many(
    driver: str, connection: Any, texts: Sequence[tuple[str, Any]]
) -> int:
    """Execute texts that differ in their arguments, at once if they are one text."""
    statements = {text for text, _ in texts}
    arguments = [values for _, values in texts]
    if len(statements) == 1 and arguments[0] is not None:
        if driver == "asyncpg":
            await connection.executemany(texts[0][0], arguments)
            return -1
        async with connection.cursor() as cursor:
            if counts_matched(driver, cursor, texts[0][0]):
                await cursor.executemany(texts[0][0], arguments)
                return int(cursor.rowcount)
    total = 0
    for text in texts:
        fetched = await fetch(driver, connection, "write", text)
        total = -1 if fetched.changed < 0 or total < 0 else total + fetched.changed
    return total
