"""Run statements on connections of the host program, typed both ways.

Nothing here commits or rolls back: transactions are the caller's.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import closing, contextmanager
from typing import Any, ClassVar, Final, Generic, Protocol, TypeAlias, TypeVar, cast

from . import _run_async
from ._cells import Row
from ._drivers import cursor_of, driver_of, streaming_cursor, text_for
from ._json import keep_digits

InputT = TypeVar("InputT")
BoundT = TypeVar("BoundT")
RowT = TypeVar("RowT")
ResultT = TypeVar("ResultT")

Values: TypeAlias = Mapping[str, object]
"""The arguments with ``llm: false``, by attribute."""
Binding: TypeAlias = tuple[str | None, Callable[[BoundT], Any]]
"""The text for a driver and what binds its arguments; or None, and what gives both."""


class Connection(Protocol):
    """A connection of a driver (PEP 249)."""

    def cursor(self) -> Any:
        """Return a cursor."""
        ...


AsyncConnection: TypeAlias = Any
"""A connection of asyncpg, psycopg or aiosqlite."""


class NoRow(LookupError):
    """A statement gave no row where there must be one."""


class Statement(Generic[InputT, BoundT]):
    """The statement of a tool: its input, its kind, and its text by driver."""

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: type[BoundT],
        kind: str,
        bindings: Mapping[str, Binding[BoundT]],
    ) -> None:
        self.input_type = input_type
        self.bound_type = bound_type
        self.kind = kind
        self.bindings = bindings

    def text(self, driver: str, bound: BoundT) -> tuple[str, Any]:
        """Return what a driver executes, text and arguments.

        Raises BindError, and LookupError for a driver that the statement has no text for.
        """
        text_driver = text_for(driver, self.bindings)
        if text_driver is None:
            drivers = ", ".join(self.bindings)
            raise LookupError(f"the statement has text for {drivers}, not for {driver}")
        text, bind = self.bindings[text_driver]
        return bind(bound) if text is None else (text, bind(bound))

    def bound(
        self, call: InputT | BoundT, context: object, values: Values | None
    ) -> BoundT:
        """Return a call joined with its context; one that is joined already as it is."""
        if isinstance(call, self.bound_type):
            return call
        bind: Any = cast("Any", self.bound_type).bind
        bound: BoundT = bind(call, context, **(values or {}))
        return bound

    @contextmanager
    def _executed(
        self, connection: Connection, bound: BoundT
    ) -> Generator[tuple[str, Any, str], None, None]:
        """Execute the statement; give its driver, the cursor and the text."""
        driver, cursor = cursor_of(connection, self.bindings)
        with closing(cursor):
            keep_digits(cursor)
            text = self.text(driver, bound)
            execute(cursor, text)
            yield driver, cursor, text[0]

    async def _fetched(
        self, connection: AsyncConnection, bound: BoundT
    ) -> _run_async.Fetched:
        driver = _known_driver(connection)
        return await _run_async.fetch(
            driver, connection, self.kind, self.text(driver, bound)
        )


class RowStatement(
    Statement[InputT, BoundT], ABC, Generic[InputT, BoundT, RowT, ResultT]
):
    """A statement that gives rows; ``decode`` reads one."""

    most: ClassVar[int | None] = None
    """How many rows are fetched; None for all."""

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: type[BoundT],
        kind: str,
        bindings: Mapping[str, Binding[BoundT]],
        decode: Callable[[Row, Sequence[str]], RowT],
    ) -> None:
        super().__init__(input_type, bound_type, kind, bindings)
        self.decode = decode

    def run(
        self,
        connection: Connection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> ResultT:
        """Execute the statement; return what its rows say."""
        bound = self.bound(call, context, values)
        with self._executed(connection, bound) as (_, cursor, _):
            columns = names_of(cursor)
            most = self.most
            rows = cursor.fetchall() if most is None else cursor.fetchmany(most)
            return self._result([plain(row) for row in rows], columns)

    async def run_async(
        self,
        connection: AsyncConnection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> ResultT:
        """Do what `run` does with an async driver."""
        fetched = await self._fetched(connection, self.bound(call, context, values))
        return self._result(fetched.rows, fetched.columns)

    @abstractmethod
    def _result(self, rows: list[Any], columns: list[str]) -> ResultT:
        """Return what the rows say."""


class Many(RowStatement[InputT, BoundT, RowT, list[RowT]]):
    """A statement that gives a list of rows."""

    def _result(self, rows: list[Any], columns: list[str]) -> list[RowT]:
        return [self.decode(row, columns) for row in rows]

    def iterate(
        self,
        connection: Connection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
        size: int = 500,
    ) -> Iterator[RowT]:
        """Execute the statement; yield its rows, of which ``size`` are in memory at once.

        Until the last row is read, the connection runs nothing else with most drivers.
        """
        bound = self.bound(call, context, values)
        driver, cursor = streaming_cursor(connection, self.bindings, size)
        with closing(cursor):
            keep_digits(cursor)
            execute(cursor, self.text(driver, bound))
            columns: list[str] = []
            while rows := cursor.fetchmany(size):
                columns = columns or names_of(cursor)
                yield from (self.decode(plain(row), columns) for row in rows)

    async def iterate_async(
        self,
        connection: AsyncConnection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
        size: int = 500,
    ) -> AsyncIterator[RowT]:
        """Do what `iterate` does with an async driver; with asyncpg inside a transaction."""
        driver = _known_driver(connection)
        text = self.text(driver, self.bound(call, context, values))
        async for columns, row in _run_async.stream(driver, connection, text, size):
            yield self.decode(row, columns)


class One(RowStatement[InputT, BoundT, RowT, RowT]):
    """A statement that gives one row; raises NoRow for none, and ValueError for several."""

    most = 2

    def _result(self, rows: list[Any], columns: list[str]) -> RowT:
        if not rows:
            raise NoRow("the statement gave no row, and one is wanted")
        return self.decode(single(rows)[0], columns)


class Maybe(RowStatement[InputT, BoundT, RowT, RowT | None]):
    """A statement that gives one row, or None where there is none; ValueError for several."""

    most = 2

    def _result(self, rows: list[Any], columns: list[str]) -> RowT | None:
        return self.decode(single(rows)[0], columns) if rows else None


class Change(Statement[InputT, BoundT]):
    """A statement without rows: it gives how many rows it changed, -1 where no driver tells."""

    def run(
        self,
        connection: Connection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Execute the statement; return how many rows it changed."""
        bound = self.bound(call, context, values)
        with self._executed(connection, bound) as (driver, cursor, statement):
            return changed(self.kind, driver, cursor, statement)

    async def run_async(
        self,
        connection: AsyncConnection,
        call: InputT | BoundT,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Do what `run` does with an async driver."""
        fetched = await self._fetched(connection, self.bound(call, context, values))
        return fetched.changed

    def run_many(
        self,
        connection: Connection,
        calls: Iterable[InputT | BoundT],
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Execute the statement for each call; return how many rows that changed.

        All calls are bound before the database is touched.
        """
        driver, cursor = cursor_of(connection, self.bindings)
        with closing(cursor):
            bound = [self.bound(call, context, values) for call in calls]
            texts = [self.text(driver, bound_call) for bound_call in bound]
            return execute_many(driver, cursor, texts)

    async def run_many_async(
        self,
        connection: AsyncConnection,
        calls: Iterable[InputT | BoundT],
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Do what `run_many` does with an async driver; asyncpg does not tell the number."""
        driver = _known_driver(connection)
        bound = [self.bound(call, context, values) for call in calls]
        texts = [self.text(driver, bound_call) for bound_call in bound]
        return await _run_async.execute_many(driver, connection, texts)


def execute(cursor: Any, text: tuple[str, Any]) -> None:
    """Execute a statement; with None for arguments it is executed without any."""
    statement, arguments = text
    if arguments is None:
        cursor.execute(statement)
    else:
        cursor.execute(statement, arguments)


def execute_many(driver: str, cursor: Any, texts: Sequence[tuple[str, Any]]) -> int:
    """Execute texts that differ in their arguments, at once if they are one text and the driver
    counts what all of them change.
    """
    if not texts:
        return 0
    statements = {text for text, _ in texts}
    arguments = [values for _, values in texts]
    if (
        len(statements) == 1
        and arguments[0] is not None
        and driver != "duckdb"
        and _counts_matched(driver, cursor, texts[0][0])
    ):
        cursor.executemany(statements.pop(), arguments)
        return int(cursor.rowcount)
    total = 0
    for text in texts:
        execute(cursor, text)
        count = changed("write", driver, cursor, text[0])
        total = -1 if count < 0 or total < 0 else total + count
    return total


def changed(kind: str, driver: str, cursor: Any, statement: str) -> int:
    """Return how many rows a statement has changed, those that had the new values already
    included; -1 where nobody counts them.

    DuckDB tells it in a row; what SQLite tells goes amiss behind a WITH, and while there are rows
    of RETURNING that nobody has fetched.
    """
    if kind in ("read", "lock"):
        return -1
    count = int(cursor.rowcount)
    if kind == "write" and driver in ("duckdb", "sqlite3"):
        names = names_of(cursor)
        rows: list[Any] = cursor.fetchall() if names else []
        if driver == "sqlite3":
            return int(cursor.execute("SELECT changes()").fetchone()[0])
        if count < 0:
            return int(rows[0][0]) if names == ["Count"] else len(rows)
    if _counts_matched(driver, cursor, statement):
        return count
    told = _MATCHED.search(_info(driver, cursor))
    return -1 if told is None else int(told[1])


_MYSQL: Final = ("pymysql", "mysqlclient", "mysql_connector", "mariadb")
_FOUND_ROWS: Final = 2
"""The flag of a connection (`CLIENT_FOUND_ROWS`) that makes MySQL count the rows that an UPDATE
matched, and not only those whose values it changed."""
_UPDATE: Final = re.compile(r"\bkey\s+update\b|\b(update)\b", re.IGNORECASE)
"""The word UPDATE, but for that of ON DUPLICATE KEY UPDATE, which matches no rows."""
_MATCHED: Final = re.compile(r"Rows matched: (\d+)")


def _counts_matched(driver: str, cursor: Any, statement: str) -> bool:
    """Return whether ``rowcount`` has the rows that a statement matched."""
    if driver not in _MYSQL or not any(
        found[1] for found in _UPDATE.finditer(statement)
    ):
        return True
    connection = getattr(cursor, "connection", None) or cursor._connection
    match driver:
        case "pymysql":
            flags = connection.client_flag
        case "mysql_connector":
            return bool(connection.isset_client_flag(_FOUND_ROWS))
        case "mariadb":
            flags = connection.client_capabilities
        case _:
            flags = 0
    return bool(flags & _FOUND_ROWS)


def _info(driver: str, cursor: Any) -> str:
    """Return what the server says of a statement: `Rows matched: 2  Changed: 1  Warnings: 0`."""
    if driver == "mysqlclient":
        return str(cursor.connection.info())
    return str(getattr(getattr(cursor, "_result", None), "message", ""))


def names_of(cursor: Any) -> list[str]:
    """Return the names of the columns that a statement gives."""
    return [str(column[0]) for column in cursor.description or ()]


def plain(row: Any) -> Any:
    """Return a row as `decode` takes it: a mapping, or a tuple."""
    return cast("Any", row) if isinstance(row, Mapping) else tuple(row)


def single(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the one row that there is, or none. Raises ValueError for several."""
    if len(rows) > 1:
        raise ValueError("the statement gave more than one row, and one is wanted")
    return rows


def _known_driver(connection: object) -> str:
    driver = driver_of(connection)
    if driver is None:
        raise TypeError(f"no driver is known for a {type(connection).__qualname__}")
    return driver
