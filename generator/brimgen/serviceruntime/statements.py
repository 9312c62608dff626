"""Run the statement of a tool with bound input, and decode its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, TypeVar, cast

from ._package import ToolError
from .databases import Database
from .drivers import driver_of, interrupter, text_for
from .errors import Abandoned, Refused, Unfit
from .plan import Statement
from .transactions import joined, transaction


class Changed(int):
    """How many rows a statement without a result has changed; -1 where nobody counts."""


NOTHING = "nothing was changed: with these arguments there is nothing to change"
_OTHERWISE = (
    "nothing was changed: it would be more or fewer rows than are allowed at once"
)
_NOT_FOUND = "nothing was found"

AnswerT = TypeVar("AnswerT")


class Running:
    """A statement that runs, for those who wait for it: they may stop it."""

    def __init__(self) -> None:
        self.is_abandoned = False
        self._stop: Callable[[], object] | None = None

    def started(self, connection: Any) -> None:
        """Note the connection that the statement runs on. Raises Abandoned."""
        self._stop = interrupter(connection)
        self.check()

    def ended(self) -> None:
        """Note that nothing runs on the connection any more."""
        self._stop = None

    def check(self) -> None:
        """Raise Abandoned if nobody waits any longer."""
        if self.is_abandoned:
            raise Abandoned

    def abandon(self) -> None:
        """Stop the statement where its driver can; what it does is not committed in any case."""
        self.is_abandoned = True
        stop = self._stop
        if stop is not None:
            stop()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A statement to be run: its module, its database, its input, and what is made of its result.

    ``reads`` has the database refuse every write of it, also one of a function that it calls.
    """

    package: str
    entry: Statement
    database: Database
    drivers: Sequence[str]
    bound: Any
    reads: bool

    @property
    def module(self) -> Any:
        """The module of the statement."""
        return import_module(self.entry.module, self.package)

    def text(self, driver: str) -> tuple[str, Any]:
        """Return the text and the arguments that a driver takes. Raises BindError."""
        found = text_for(driver, self.drivers)
        if found is None:
            raise LookupError(f"the statement has no text for {driver}")
        module = self.module
        if hasattr(module, f"render_{found}"):
            text, arguments = getattr(module, f"render_{found}")(self.bound)
            return str(text), arguments
        arguments = getattr(module, f"bind_{found}")(self.bound)
        return str(getattr(module, f"SQL_{found.upper()}")), arguments

    def refused(self, problem: Exception) -> Refused | None:
        """Return what the exception of a driver says of the call; None where it says nothing."""
        refusals = import_module(".sql._refusals", self.package)
        refusal = refusals.refusal_of(problem)
        if refusal is None:
            return None
        module = self.module
        hidden = [param.name for param in module.PARAMS if param.origin != "caller"]
        told = partial(refusal.told, hidden=hidden)
        return Refused(told, changes=module.KIND == "write")

    def answered(self, found: Any, answer: Callable[[Any], AnswerT]) -> AnswerT:
        """Return the answer to what a statement gave. Raises ToolError for a number of rows that
        does not fit, Unfit for anything else that does not.
        """
        try:
            return answer(found)
        except Unfit as problem:
            if self.entry.rows != "count":
                raise
            raise ToolError(_OTHERWISE if found else NOTHING) from problem


def run_statement(
    job: Job, answer: Callable[[Any], AnswerT], running: Running
) -> AnswerT:
    """Execute a statement and return the ``answer`` to what its rows are, or to `Changed`.

    Raises BindError for an argument that cannot be bound, Refused for a call that the database
    refuses, ToolError where one row is wanted and there is none, or where a number of changed rows
    does not fit, Abandoned, and whatever else the driver and ``answer`` raise. Nothing is committed
    unless all went well.
    """
    database = job.database
    # An argument that cannot be bound is told before the database is touched.
    known = None if database.driver is None else job.text(database.driver)
    try:
        with (database.read if job.reads else database.write)() as connection:
            driver = database.driver or _driver(connection)
            text = known or job.text(driver)
            with closing(connection.cursor()) as cursor:
                running.started(connection)
                try:
                    return _executed(
                        job, driver, connection, cursor, text, answer, running
                    )
                finally:
                    running.ended()
    except Exception as problem:
        if running.is_abandoned:
            raise Abandoned from problem
        refused = job.refused(problem)
        if refused is None:
            raise
        raise refused from problem


def _driver(connection: Any) -> str:
    found = driver_of(connection)
    if found is None:
        kind = f"{type(connection).__module__}.{type(connection).__qualname__}"
        raise LookupError(
            f"no driver is known for a {kind}: give a Database with its name"
        )
    return found


def _executed(
    job: Job,
    driver: str,
    connection: Any,
    cursor: Any,
    text: tuple[str, Any],
    answer: Callable[[Any], AnswerT],
    running: Running,
) -> AnswerT:
    import_module(".sql._json", job.package).keep_digits(cursor)
    kind = job.module.KIND
    begun = joined if job.database.is_given else transaction
    with begun(driver, kind, connection, cursor, reads=job.reads):
        statement, arguments = text
        if arguments is None:
            cursor.execute(statement)
        else:
            cursor.execute(statement, arguments)
        found = _result(job, driver, cursor)
        told = job.answered(found, answer)
        running.check()
        return told


def _result(job: Job, driver: str, cursor: Any) -> Any:
    rows = job.entry.rows
    if rows in ("none", "count"):
        count = changed(job.module.KIND, driver, cursor)
        return counted(rows, driver, count)
    columns = [str(each[0]) for each in cursor.description or ()]
    if rows == "many":
        return [decoded(job.module, each, columns) for each in cursor.fetchall()]
    return one_row(job, cursor.fetchmany(2), columns)


def counted(rows: str, driver: str, count: int) -> int:
    """Return a number of changed rows as a statement without rows gives it."""
    if rows == "none":
        return Changed(count)
    if count < 0:
        raise ValueError(f"{driver} does not count the rows that were changed")
    return count


def one_row(job: Job, found: Sequence[Any], columns: Sequence[str]) -> Any:
    """Return the one row that there is, or None where there may be none. Raises ToolError."""
    if len(found) > 1:
        raise ValueError("the statement gave more than one row, and one is wanted")
    if found:
        return decoded(job.module, found[0], columns)
    if job.entry.rows == "maybe":
        return None
    raise ToolError(NOTHING if job.module.KIND == "write" else _NOT_FOUND)


def changed(kind: str, driver: str, cursor: Any) -> int:
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


def decoded(module: Any, row: Any, columns: Sequence[str]) -> Any:
    """Return what a row is; as JSON where the values in it do not tell how they are written."""
    plain = cast("Any", row) if isinstance(row, Mapping) else tuple(row)
    found = module.decode(plain, columns)
    return module.encode(found) if hasattr(module, "encode") else found
