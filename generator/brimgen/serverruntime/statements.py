"""Run the statement of a tool with bound input, and decode its result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib import import_module
from typing import Any, TypeVar, cast

from ._package import ToolError
from .answers import Unfit
from .databases import Database
from .entries import Sql


class Unbound(ValueError):
    """An argument that the driver would not carry as it is; the text is the binding's own."""


class Refused(Exception):
    """A call that the database refused: ``told``, given the names of the caller's arguments, says
    why; ``changes`` whether the statement was to change something.
    """

    def __init__(
        self, told: Callable[[Collection[str]], str], *, changes: bool
    ) -> None:
        super().__init__()
        self.told = told
        self.changes = changes


class Changed(int):
    """How many rows a statement without a result has changed; -1 where nobody counts."""


NOTHING = "nothing was changed: with these arguments there is nothing to change"
_OTHERWISE = (
    "nothing was changed: it would be more or fewer rows than are allowed at once"
)


AnswerT = TypeVar("AnswerT")


def run_statement(
    package: str,
    entry: Sql,
    database: Database,
    bound: Any,
    answer: Callable[[Any], AnswerT],
    *,
    reads: bool = False,
) -> AnswerT:
    """Execute a statement and return the ``answer`` to what its rows are, or to `Changed`.

    ``reads`` has the database refuse every write of it, also one of a function that it calls.

    Raises Unbound for an argument that cannot be bound, Refused for a call that the database
    refuses, ToolError where one row is wanted and there is none, or where a number of changed rows
    does not fit, and whatever else the driver and ``answer`` raise. Nothing is committed unless all
    went well.
    """
    module = import_module(entry.module, package)
    text, arguments = _bound(module, database.driver, bound)
    prepare = import_module(".sql._json", package).keep_digits
    try:
        return _executed(
            module, entry, database, text, arguments, answer, prepare, reads=reads
        )
    except Exception as problem:
        refusal = import_module(".sql._refusals", package).refusal_of(problem)
        if refusal is None:
            raise
        hidden = [param.name for param in module.PARAMS if param.origin != "caller"]
        told = partial(refusal.told, hidden=hidden)
        raise Refused(told, changes=module.KIND == "write") from problem


def _executed(
    module: Any,
    entry: Sql,
    database: Database,
    text: str,
    arguments: Any,
    answer: Callable[[Any], AnswerT],
    prepare: Callable[[Any], None],
    *,
    reads: bool,
) -> AnswerT:
    driver = database.driver
    connect = database.read if reads else database.write
    with connect() as connection, closing(connection.cursor()) as cursor:
        prepare(cursor)
        with _transaction(driver, module.KIND, connection, cursor, reads=reads):
            if arguments is None:
                cursor.execute(text)
            else:
                cursor.execute(text, arguments)
            found = _result(module, entry, driver, cursor)
            try:
                return answer(found)
            except Unfit as problem:
                if entry.rows != "count":
                    raise
                raise ToolError(_OTHERWISE if found else NOTHING) from problem


_READ_ONLY = {
    "psycopg": "SET TRANSACTION READ ONLY",
    "psycopg2": "SET TRANSACTION READ ONLY",
    "duckdb": "BEGIN TRANSACTION READ ONLY",
    "oracledb": "SET TRANSACTION READ ONLY",
    "pymysql": "START TRANSACTION READ ONLY",
    "mysqlclient": "START TRANSACTION READ ONLY",
    "mysql_connector": "START TRANSACTION READ ONLY",
    "mariadb": "START TRANSACTION READ ONLY",
}
"""What makes the database refuse writes until the transaction ends, by driver."""


@contextmanager
def _transaction(
    driver: str, kind: str, connection: Any, cursor: Any, *, reads: bool
) -> Generator[None, None, None]:
    """Run a statement in a transaction that is committed if all goes well, and else rolled back;
    one that ``reads`` in a transaction in which the database refuses writes.
    """
    if reads and driver == "sqlite3":
        with _query_only(cursor), _rolled_back(connection.rollback):
            yield
            connection.commit()
        return
    is_automatic = getattr(connection, "autocommit", False) is True
    if reads and driver in ("psycopg", "psycopg2") and is_automatic:
        ending = "COMMIT"
        cursor.execute("BEGIN READ ONLY")
    elif reads and driver in _READ_ONLY:
        ending = "COMMIT" if driver == "duckdb" else ""
        cursor.execute(_READ_ONLY[driver])
    else:
        # The driver would commit by itself: DuckDB's always, SQLite's if WITH precedes the verb.
        begins = kind == "write" and (
            driver == "duckdb"
            or (driver == "sqlite3" and not connection.in_transaction)
        )
        ending = "COMMIT" if begins and driver == "duckdb" else ""
        if begins:
            cursor.execute("BEGIN")
    if ending:
        with _rolled_back(partial(cursor.execute, "ROLLBACK")):
            yield
            cursor.execute(ending)
    elif driver == "duckdb":
        yield
    else:
        with _rolled_back(connection.rollback):
            yield
            connection.commit()


@contextmanager
def _rolled_back(roll_back: Callable[[], object]) -> Generator[None, None, None]:
    """Leave no transaction open behind a statement that failed."""
    try:
        yield
    except BaseException:
        with suppress(
            Exception
        ):  # the connection may be lost, which the first error tells
            roll_back()
        raise


@contextmanager
def _query_only(cursor: Any) -> Generator[None, None, None]:
    """Have SQLite refuse writes, and put the connection back as it was."""
    (before,) = cursor.execute("PRAGMA query_only").fetchone()
    cursor.execute("PRAGMA query_only = ON")
    try:
        yield
    finally:
        if not before:
            cursor.execute("PRAGMA query_only = OFF")


def _bound(module: Any, driver: str, bound: Any) -> tuple[str, Any]:
    try:
        if hasattr(module, f"render_{driver}"):
            text, arguments = getattr(module, f"render_{driver}")(bound)
            return str(text), arguments
        arguments = getattr(module, f"bind_{driver}")(bound)
    except ValueError as problem:
        raise Unbound(str(problem)) from problem
    return str(getattr(module, f"SQL_{driver.upper()}")), arguments


def _result(module: Any, entry: Sql, driver: str, cursor: Any) -> Any:
    if entry.rows == "none":
        return Changed(_count(module.KIND, driver, cursor))
    if entry.rows == "count":
        count = _count(module.KIND, driver, cursor)
        if count < 0:
            raise ValueError(f"{driver} does not count the rows that were changed")
        return count
    columns = [str(each[0]) for each in cursor.description or ()]
    if entry.rows == "many":
        return [_decoded(module, each, columns) for each in cursor.fetchall()]
    found = cursor.fetchmany(2)
    if len(found) > 1:
        raise ValueError("the statement gave more than one row, and one is wanted")
    if found:
        return _decoded(module, found[0], columns)
    if entry.rows == "maybe":
        return None
    raise ToolError(NOTHING if module.KIND == "write" else "nothing was found")


def _count(kind: str, driver: str, cursor: Any) -> int:
    """Return how many rows a statement has changed; -1 where nobody counts them.

    DuckDB tells it in a row; what SQLite tells goes amiss behind a WITH, and while there are rows
    of RETURNING that nobody has fetched.
    """
    if kind in ("read", "lock"):
        return -1
    count = int(cursor.rowcount)
    if kind == "write" and driver in ("duckdb", "sqlite3"):
        names = [each[0] for each in cursor.description or ()]
        rows: list[Any] = cursor.fetchall() if names else []
        if driver == "sqlite3":
            return int(cursor.execute("SELECT changes()").fetchone()[0])
        if count < 0:
            return int(rows[0][0]) if names == ["Count"] else len(rows)
    return count


def _decoded(module: Any, row: Any, columns: Sequence[str]) -> Any:
    """Return what a row is; as JSON where the values in it do not tell how they are written."""
    plain = cast("Any", row) if isinstance(row, Mapping) else tuple(row)
    found = module.decode(plain, columns)
    return module.encode(found) if hasattr(module, "encode") else found
