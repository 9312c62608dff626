"""Run statements on connections of the host program, typed both ways.

Nothing here commits or rolls back: transactions are the caller's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import closing
from typing import (
    Any,
    ClassVar,
    Generic,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

from . import _run_async
from ._cells import Row
from ._drivers import (
    cursor_of,
    driver_of,
    is_async_alchemy,
    streaming_cursor,
    text_for,
)
from ._json import keep_digits
from ._matched import counts_matched, matched
from ._row_error import RowError
from ._run_async import Fetched, names_of, plain

P = ParamSpec("P")
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
"""A connection of an async driver, or an async connection or session of SQLAlchemy."""


class NoRow(LookupError):
    """A statement gave no row where there must be one."""


class Statement(Generic[InputT, BoundT, P]):
    """The statement of a tool: its input, its kind, and its text by driver.

    ``P`` are its arguments, hidden ones too, as ``bound_type`` takes them.
    """

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: Callable[P, BoundT],
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
        bound_type: Any = self.bound_type
        if isinstance(call, bound_type):
            return cast("BoundT", call)
        bind: Any = bound_type.bind
        bound: BoundT = bind(call, context, **(values or {}))
        return bound


class Runnable(Statement[InputT, BoundT, P], ABC, Generic[InputT, BoundT, P, ResultT]):
    """A statement that a program runs for what its spec says it returns.

    ``run`` takes a call, with the context of its hidden arguments, or all arguments as keywords.
    """

    wants: ClassVar[str]
    """What is fetched: ``many``, ``one`` or ``maybe`` of its rows, their ``count``, ``last_id``."""

    @overload
    def run(
        self,
        connection: Connection,
        call: InputT | BoundT,
        /,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> ResultT: ...
    @overload
    def run(
        self, connection: Connection, /, *args: P.args, **kwargs: P.kwargs
    ) -> ResultT: ...
    def run(self, connection: Connection, /, *args: Any, **kwargs: Any) -> ResultT:
        """Execute the statement; return what it gives."""
        return self._run(connection, self._called(args, kwargs))

    @overload
    async def run_async(
        self,
        connection: AsyncConnection,
        call: InputT | BoundT,
        /,
        *,
        context: object = None,
        values: Values | None = None,
    ) -> ResultT: ...
    @overload
    async def run_async(
        self, connection: AsyncConnection, /, *args: P.args, **kwargs: P.kwargs
    ) -> ResultT: ...
    async def run_async(
        self, connection: AsyncConnection, /, *args: Any, **kwargs: Any
    ) -> ResultT:
        """Do what `run` does with an async driver."""
        bound = self._called(args, kwargs)
        if is_async_alchemy(connection):
            result: ResultT = await connection.run_sync(self._run, bound)
            return result
        driver = _known_driver(connection)
        text = self.text(driver, bound)
        return self._told(await _run_async.fetch(driver, connection, self.kind, text))

    def _called(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> BoundT:
        """Return the arguments of a statement: those of a call, or those that are given."""
        kinds = cast("tuple[Any, Any]", (self.input_type, self.bound_type))
        if len(args) == 1 and isinstance(args[0], kinds):
            values: Any = {"context": None, "values": None, **kwargs}
            return self.bound(args[0], **values)
        make: Any = self.bound_type
        return cast("BoundT", make(*args, **kwargs))

    def _run(self, connection: Connection, bound: BoundT) -> ResultT:
        driver, cursor = cursor_of(connection, self.bindings)
        with closing(cursor):
            text = self.text(driver, bound)
            return self._told(fetch(driver, cursor, self.kind, self.wants, text))

    @abstractmethod
    def _told(self, fetched: Fetched) -> ResultT:
        """Return what is told of what a driver has fetched."""


class RowStatement(
    Runnable[InputT, BoundT, P, ResultT], ABC, Generic[InputT, BoundT, P, RowT, ResultT]
):
    """A statement that gives rows; ``decode`` reads one."""

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: Callable[P, BoundT],
        kind: str,
        bindings: Mapping[str, Binding[BoundT]],
        decode: Callable[[Row, Sequence[str]], RowT],
    ) -> None:
        super().__init__(input_type, bound_type, kind, bindings)
        self.decode = decode


class Many(RowStatement[InputT, BoundT, P, RowT, list[RowT]]):
    """A statement that gives a list of rows."""

    wants = "many"

    def _told(self, fetched: Fetched) -> list[RowT]:
        return [self.decode(row, fetched.columns) for row in fetched.rows]

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
            _execute(cursor, self.text(driver, bound))
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


class One(RowStatement[InputT, BoundT, P, RowT, RowT]):
    """A statement that gives one row; raises NoRow for none, and ValueError for several."""

    wants = "one"

    def _told(self, fetched: Fetched) -> RowT:
        if not fetched.rows:
            raise NoRow("the statement gave no row, and one is wanted")
        return self.decode(single(fetched.rows)[0], fetched.columns)


class Maybe(RowStatement[InputT, BoundT, P, RowT, RowT | None]):
    """A statement that gives one row, or None where there is none; ValueError for several."""

    wants = "maybe"

    def _told(self, fetched: Fetched) -> RowT | None:
        rows = single(fetched.rows)
        return self.decode(rows[0], fetched.columns) if rows else None


class Change(Runnable[InputT, BoundT, P, int]):
    """A statement without rows: it gives how many rows it changed, -1 where no driver tells."""

    wants = "count"

    def _told(self, fetched: Fetched) -> int:
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
        if is_async_alchemy(connection):
            run_many: Any = connection.run_sync
            return int(
                await run_many(self.run_many, calls, context=context, values=values)
            )
        driver = _known_driver(connection)
        bound = [self.bound(call, context, values) for call in calls]
        texts = [self.text(driver, bound_call) for bound_call in bound]
        return await _run_async.execute_many(driver, connection, texts)


class Copied(Change[InputT, BoundT, P]):
    """An INSERT of one row, of which PostgreSQL stores many at once by COPY.

    ``table`` and ``columns`` are where the arguments are stored, in their order.
    """

    def __init__(
        self,
        input_type: type[InputT],
        bound_type: Callable[P, BoundT],
        kind: str,
        bindings: Mapping[str, Binding[BoundT]],
        table: Sequence[str],
        columns: Sequence[str],
    ) -> None:
        super().__init__(input_type, bound_type, kind, bindings)
        self.table = table
        self.columns = columns

    def copy(
        self,
        connection: Connection,
        calls: Iterable[InputT | BoundT],
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Store the row of each call by COPY, with psycopg; return how many there are.

        All calls are bound before the database is touched.
        """
        driver, cursor = cursor_of(connection, self.bindings)
        with closing(cursor):
            rows = self._rows(driver, calls, context, values)
            with cursor.copy(self._target) as copy:
                for row in rows:
                    copy.write_row(row)
        return len(rows)

    async def copy_async(
        self,
        connection: AsyncConnection,
        calls: Iterable[InputT | BoundT],
        *,
        context: object = None,
        values: Values | None = None,
    ) -> int:
        """Do what `copy` does, with asyncpg or psycopg."""
        driver = _known_driver(connection)
        rows = self._rows(driver, calls, context, values)
        if driver == "asyncpg":
            await connection.copy_records_to_table(
                self.table[-1],
                schema_name=self.table[0] if len(self.table) > 1 else None,
                columns=self.columns,
                records=rows,
            )
            return len(rows)
        async with (
            connection.cursor() as cursor,
            cursor.copy(self._target) as copy,
        ):
            for row in rows:
                await copy.write_row(row)
        return len(rows)

    @property
    def _target(self) -> str:
        table = ".".join(map(_quoted, self.table))
        return f"COPY {table} ({', '.join(map(_quoted, self.columns))}) FROM STDIN"

    def _rows(
        self,
        driver: str,
        calls: Iterable[InputT | BoundT],
        context: object,
        values: Values | None,
    ) -> list[tuple[Any, ...]]:
        """Return the rows in the order of the columns. Raises LookupError for other drivers."""
        if driver not in ("psycopg", "asyncpg"):
            raise LookupError(
                f"rows are copied by psycopg and asyncpg, not by {driver}"
            )
        bound = [self.bound(call, context, values) for call in calls]
        arguments = [self.text(driver, bound_call)[1] for bound_call in bound]
        if driver == "psycopg":
            return [tuple(by_name.values()) for by_name in arguments]
        return arguments


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


class LastId(Runnable[InputT, BoundT, P, int]):
    """An INSERT that gives the id of its row; NoRow where it adds none.

    Of several rows, SQLite tells the id of the last one, and MySQL that of the first.
    """

    wants = "last_id"

    def _told(self, fetched: Fetched) -> int:
        if not fetched.last_id:
            raise NoRow("the statement added no row, and the id of one is wanted")
        return fetched.last_id


def fetch(
    driver: str, cursor: Any, kind: str, wants: str, text: tuple[str, Any]
) -> Fetched:
    """Execute a statement and fetch what is wanted of it (`Runnable.wants`); of the rows of which
    one is wanted, at most two.
    """
    keep_digits(cursor)
    _execute(cursor, text)
    if wants == "last_id":
        return Fetched([], [], -1, _last_id(driver, cursor))
    if wants not in ("many", "one", "maybe"):
        return Fetched([], [], _changed(kind, driver, cursor, text[0]))
    columns = names_of(cursor)
    rows = cursor.fetchall() if wants == "many" else cursor.fetchmany(2)
    return Fetched(columns, [plain(row) for row in rows], -1)


def _last_id(driver: str, cursor: Any) -> int:
    """Return the id of the row that an INSERT has added; 0 where it has added none."""
    if driver == "sqlite3":
        cursor.execute("SELECT last_insert_rowid() * (changes() > 0)")
        return int(cursor.fetchone()[0])
    has_row = driver != "sqlalchemy" or cursor.rowcount != 0
    return int(cursor.lastrowid or 0) if has_row else 0


def _execute(cursor: Any, text: tuple[str, Any]) -> None:
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
        and counts_matched(driver, cursor, texts[0][0])
    ):
        cursor.executemany(statements.pop(), arguments)
        return int(cursor.rowcount)
    total = 0
    for text in texts:
        _execute(cursor, text)
        count = _changed("write", driver, cursor, text[0])
        total = -1 if count < 0 or total < 0 else total + count
    return total


def _changed(kind: str, driver: str, cursor: Any, statement: str) -> int:
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
    if counts_matched(driver, cursor, statement):
        return count
    return matched(driver, cursor)


def single(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the one row that there is, or none. Raises RowError for several."""
    if len(rows) > 1:
        raise RowError("the statement gave more than one row, and one is wanted")
    return rows


def _known_driver(connection: object) -> str:
    driver = driver_of(connection)
    if driver is None:
        raise TypeError(f"no driver is known for a {type(connection).__qualname__}")
    return driver
