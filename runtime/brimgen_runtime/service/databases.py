"""Open the databases that a host program configures for its connections.

SQLite is opened with the standard library; other drivers are imported when they are needed.
"""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import (
    AsyncGenerator,
    Callable,
    Generator,
    Mapping,
    Sequence,
)
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

from ..sql._drivers import (
    driver_of,
    driver_of_engine,
    is_alchemy,
    is_async_alchemy,
    is_session,
    text_for,
)
from ..sql._matched import FOUND_ROWS
from .errors import IsAsync, Lacking

Connect: TypeAlias = Callable[[], AbstractContextManager[Any]]
"""Opens a connection (PEP 249) for one call; closes it or returns it to its pool."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database that statements run on.

    ``driver`` names the binding (``sqlite3``, ``psycopg``); if it is None, the first connection
    determines it. ``read`` opens a connection for a read-only tool, ``write`` for any other.
    ``is_given``: it is a single connection of the host program; the service neither begins nor ends
    its transactions. ``is_async``: ``write`` opens connections of an async driver.
    """

    driver: str | None
    read: Connect
    write: Connect
    is_given: bool = False
    is_async: bool = False


class NoDatabase(Lacking):
    """A target cannot be opened, or an object is no database; the message says why."""


def database_of(
    source: object, drivers: Sequence[str], *, read_only: bool = False
) -> Database:
    """Return the database that a host program configures for a connection.

    ``source`` is a connection, a pool, an engine or session of SQLAlchemy, a function that opens a
    connection, a `Database`, or a target as `open_database` takes it. Raises NoDatabase.
    """
    if isinstance(source, Database):
        return source
    if isinstance(source, str | Path):
        return open_database(str(source), drivers, read_only=read_only)
    database = (
        _alchemy_database(source, drivers)
        or _pool_database(source, drivers)
        or _connection_database(source, drivers)
    )
    if database is not None:
        return database
    if callable(source):
        opens = partial(_open_block, source)
        if inspect.iscoroutinefunction(source):
            awaited: Any = source
            return Database(None, awaited, awaited, is_async=True)
        return Database(None, opens, opens)
    kind = type(source).__name__
    raise NoDatabase(f"expected a connection, pool, function or file, got {kind}")


def check_opened(opened: object, *, is_awaited: bool = False) -> None:
    """Raise NoDatabase for what a function opened, if it is no connection that can be used.

    ``is_awaited``: an async function gave it, whose connections must be async.
    """
    is_connection = hasattr(opened, "cursor") or driver_of(opened) in _ASYNC
    is_block = hasattr(opened, "__enter__") or hasattr(opened, "__aenter__")
    is_opened = is_connection or is_block or inspect.isawaitable(opened)
    if isinstance(opened, type) or not is_opened:
        kind = type(opened).__name__
        raise NoDatabase(f"what opens the connection gave no connection, but {kind}")
    if is_awaited and is_connection and not _is_async(opened):
        kind = f"{type(opened).__module__}.{type(opened).__qualname__}"
        raise NoDatabase(f"an async function gave a {kind}, which is not async")


def _alchemy_database(source: Any, drivers: Sequence[str]) -> Database | None:
    """Return the database of a session of SQLAlchemy, or of something async of it; else None.

    A session stands for its connection, in whose transaction statements take part.
    """
    opens: Any
    if is_async_alchemy(source):
        held = _connection_of if is_session(source) else nullcontext
        opens = partial(held, source)
        return Database("sqlalchemy", opens, opens, is_given=True, is_async=True)
    if is_session(source):
        opens = partial(_open_session, source)
        driver = "sqlalchemy" if "sqlalchemy" in drivers else None
        return Database(driver, opens, opens, is_given=True)
    if hasattr(source, "sync_engine"):
        opens = source.connect
        return Database("sqlalchemy", opens, opens, is_async=True)
    return None


def _open_session(session: Any) -> AbstractContextManager[Any]:
    return nullcontext(session.connection())


@asynccontextmanager
async def _connection_of(session: Any) -> AsyncGenerator[Any, None]:
    yield await session.connection()


_ASYNC = ("asyncpg", "aiosqlite", "aiomysql", "asyncmy")


def _is_async(source: object) -> bool:
    return driver_of(source) in _ASYNC or type(source).__name__.startswith("Async")


def _connection_database(connection: Any, drivers: Sequence[str]) -> Database | None:
    """Return the database of one connection; None for anything else."""
    opens = partial(nullcontext, connection)
    if is_alchemy(connection):
        underlying = (
            None if "sqlalchemy" in drivers else driver_of(connection.connection)
        )
        return Database(underlying or "sqlalchemy", opens, opens, is_given=True)
    driver = driver_of(connection)
    is_connection = hasattr(connection, "cursor") or driver in _ASYNC
    if driver is None or not is_connection or isinstance(connection, type):
        return None
    return Database(driver, opens, opens, is_given=True, is_async=_is_async(connection))


_METHODS = ("connection", "raw_connection", "acquire", "get_connection")
"""Names of the method by which a pool lends a connection."""


def _pool_database(pool: Any, drivers: Sequence[str]) -> Database | None:
    """Return the database of a pool; None for anything else."""
    home = type(pool).__module__.partition(".")[0]
    if isinstance(pool, type) or inspect.isroutine(pool) or is_alchemy(pool):
        return None
    if home == "sqlalchemy" and hasattr(pool, "raw_connection"):
        underlying = driver_of_engine(pool)
        if underlying is None or text_for(underlying, drivers) is None:
            opens = partial(_open_block, pool.connect)
            return Database("sqlalchemy", opens, opens)
        opens = partial(_open_block, pool.raw_connection)
        return Database(underlying, opens, opens)
    if hasattr(pool, "getconn") and hasattr(pool, "putconn"):
        if hasattr(pool, "connection"):  # psycopg_pool
            opens = pool.connection
            return Database("psycopg", opens, opens, is_async=_is_async(pool))
        lends = partial(_borrow, pool)
        return Database(driver_of(pool) or "psycopg2", lends, lends)
    if hasattr(pool, "cursor") or driver_of(pool) == "aiosqlite":
        return None
    name = next((method for method in _METHODS if hasattr(pool, method)), None)
    if name is None:
        return None
    lend = getattr(pool, name)
    if _is_async(pool):
        return Database(driver_of(pool), lend, lend, is_async=True)
    opens = partial(_open_block, lend)
    return Database(driver_of(pool), opens, opens)


@contextmanager
def _borrow(pool: Any) -> Generator[Any, None, None]:
    connection = pool.getconn()
    try:
        yield connection
    finally:
        pool.putconn(connection)


def _open_block(connect: Callable[[], Any]) -> AbstractContextManager[Any]:
    """Call a function that opens a connection; return a context manager that closes it.

    Many connections are context managers that end a transaction and do not close. An object with
    ``cursor`` is therefore closed; any other object is entered. Raises IsAsync and NoDatabase.
    """
    connection = connect()
    check_opened(connection)
    if inspect.isawaitable(connection) or (
        hasattr(connection, "__aenter__") and not hasattr(connection, "__enter__")
    ):
        raise IsAsync(connection)
    if hasattr(connection, "cursor") and hasattr(connection, "close"):
        return closing(connection)
    return connection  # type: ignore[no-any-return]


def open_database(
    target: str, drivers: Sequence[str], *, read_only: bool = False
) -> Database:
    """Return the database at a target: a file for SQLite and DuckDB, a URL for MySQL
    (``mysql://USER:PASSWORD@HOST/DATABASE``), else a DSN.

    ``drivers`` are those that the statements support; the first installed one is used. With
    ``read_only`` the database refuses writes on every connection. Raises NoDatabase for a missing
    file, or if no driver can be used.
    """
    for driver in drivers:
        if driver in _SQLITE:
            return _sqlite_database(target, read_only=read_only)
        if driver in _CONNECTED:
            name, connected = _CONNECTED[driver]
            try:
                module = import_module(name)
            except ImportError:
                continue
            if driver == "asyncpg":
                opens = partial(module.connect, target)
                return Database(driver, opens, opens, is_async=True)
            opens = partial(
                _open_connection, driver, connected(module, target, read_only)
            )
            return Database(
                driver, partial(opens, reads=True), partial(opens, reads=read_only)
            )
    usable = [driver for driver in drivers if driver in (*_SQLITE, *_CONNECTED)]
    if usable:
        raise NoDatabase(f"it needs one of the packages {', '.join(usable)}")
    named = ", ".join(drivers)
    raise NoDatabase(f"no target can be opened with its drivers ({named})")


def _sqlite_database(target: str, *, read_only: bool) -> Database:
    path = Path(target).resolve()
    if not path.is_file():
        raise NoDatabase(f"there is no file {path.name} in {path.parent}")
    return Database(
        "sqlite3",
        partial(_open_file, path, reads=True),
        partial(_open_file, path, reads=read_only),
    )


@contextmanager
def _open_file(path: Path, *, reads: bool) -> Generator[sqlite3.Connection, None, None]:
    """Open an existing SQLite file; a connection that ``reads`` refuses every write."""
    target = f"{path.as_uri()}?mode={'ro' if reads else 'rw'}"
    connection = sqlite3.connect(target, uri=True, check_same_thread=False)
    with closing(connection):
        connection.execute("PRAGMA foreign_keys = ON")
        if reads:
            connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def _open_connection(
    driver: str, connect: Callable[[], Any], *, reads: bool
) -> Generator[Any, None, None]:
    """Open a connection and close it after the block.

    One to PostgreSQL that ``reads`` refuses writes; elsewhere the transaction of the call does.
    """
    with closing(connect()) as connection:
        if reads and driver == "psycopg":
            connection.read_only = True
        elif reads and driver == "psycopg2":
            connection.set_session(readonly=True)
        yield connection


def _by_target(module: Any, target: str, _read_only: bool) -> Callable[[], Any]:
    return partial(module.connect, target)


def _duckdb(module: Any, target: str, read_only: bool) -> Callable[[], Any]:
    """Connect to a DuckDB file; a process opens each file in one mode only."""
    return partial(module.connect, target, read_only=read_only)


def _mysql(module: Any, target: str, _read_only: bool) -> Callable[[], Any]:
    """Connect by any MySQL driver, which then counts matched rows. Raises NoDatabase."""
    is_list = module.__name__ == "mysql.connector"
    flags = {"client_flags": [FOUND_ROWS]} if is_list else {"client_flag": FOUND_ROWS}
    return partial(module.connect, **{**flags, **target_options(target)})


def target_options(target: str) -> dict[str, Any]:
    """Return the connection options in the URL of a MySQL database.

    The query may hold more options (``?unix_socket=/run/mysqld/mysqld.sock``). Raises NoDatabase.
    """
    parts = urlsplit(target)
    database = unquote(parts.path.lstrip("/"))
    if parts.scheme not in ("mysql", "mariadb") or not database:
        # The message leaves the target out: it may hold a password.
        raise NoDatabase("expected mysql://USER:PASSWORD@HOST/DATABASE")
    try:
        named = {"host": parts.hostname, "port": parts.port}
    except ValueError as problem:
        raise NoDatabase(str(problem)) from problem
    for name, value in (("user", parts.username), ("password", parts.password)):
        named[name] = None if value is None else unquote(value)
    options = {name: value for name, value in named.items() if value is not None}
    return {**options, "database": database, **dict(parse_qsl(parts.query))}


_SQLITE = ("sqlite3", "aiosqlite", "apsw")
"""Drivers whose statements the standard library's sqlite3 can run."""

_CONNECTED: Mapping[str, tuple[str, Callable[[Any, str, bool], Callable[[], Any]]]] = {
    "psycopg": ("psycopg", _by_target),
    "psycopg2": ("psycopg2", _by_target),
    "asyncpg": ("asyncpg", _by_target),
    "duckdb": ("duckdb", _duckdb),
    "pymysql": ("pymysql", _mysql),
    "mysqlclient": ("MySQLdb", _mysql),
    "mysql_connector": ("mysql.connector", _mysql),
    "mariadb": ("mariadb", _mysql),
    "oracledb": ("oracledb", _by_target),
    "pyodbc": ("pyodbc", _by_target),
}
"""The module of each driver, imported when needed, and the function that connects with it."""


def is_bound_to_thread(database: Database) -> bool:
    """Return whether a SQLite connection may be used only in the thread that created it.

    Must be called from another thread.
    """
    if database.driver != "sqlite3" or not database.is_given:
        return False
    with database.write() as connection:
        try:
            with suppress(sqlite3.OperationalError):
                connection.cursor().close()
        except sqlite3.ProgrammingError:
            return True
    return False
