"""Run the statements of tools on the databases of a service, and decode their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from ._package import ToolError
from ._sql import (
    Statement,
    begun,
    changed,
    cursor_of,
    execute,
    interrupter,
    is_alchemy,
    keep_digits,
    names_of,
    plain,
    refusal_of,
    single,
    text_for,
)
from .async_statements import DRIVERS, run_async
from .databases import Database, NoDatabase, database_of, is_bound_to_thread
from .errors import Abandoned, Refused, Unfit
from .plan import NOTHING, Changed, Plan
from .plan import Statement as Entry
from .transactions import GUARDED_GIVEN, READ_ONLY, joined, transaction
from .workers import Pool

_OTHERWISE = (
    "nothing was changed: it would be more or fewer rows than are allowed at once"
)
_NOT_FOUND = "nothing was found"


class Databases:
    """The databases that a host program gave, by connection, and why others cannot be used."""

    def __init__(
        self,
        plan: Plan,
        connections: Mapping[str, object],
        *,
        read_only: bool,
        is_async: bool,
    ) -> None:
        self._plan = plan
        self._read_only = read_only
        self._is_async = is_async
        self._known: dict[str, Database] = {}
        self._unfit: dict[str, str] = {}
        for name, given in connections.items():
            try:
                database = database_of(given, plan.drivers[name], read_only=read_only)
            except NoDatabase as problem:
                raise ValueError(f"connection {name}: {problem}") from problem
            reason = self._reason(name, database)
            if reason is None:
                self._known[name] = database
            else:
                self._unfit[name] = reason

    def lacks(self, run: Entry) -> str | None:
        """Return what a statement lacks to run; None where it lacks nothing."""
        if run.connection in self._known:
            return None
        return self._unfit.get(
            run.connection, f"there is no connection {run.connection}"
        )

    def is_given(self, run: Entry) -> bool:
        """Return whether a statement runs on a connection that the host program gave."""
        return self._known[run.connection].is_given

    def start(
        self, run: Entry, bound: Any, answer: Callable[[Any], Any]
    ) -> StatementJob:
        """Return a statement with its input, and what is made of its result."""
        module = import_module(run.module, self._plan.package)
        reads = self._read_only or run.reads
        database = self._known[run.connection]
        return StatementJob(module, run, database, bound, answer, reads=reads)

    def _reason(self, name: str, database: Database) -> str | None:
        """Return why statements cannot run on a database; None where they can."""
        driver, drivers = database.driver, self._plan.drivers[name]
        if database.is_async and not self._is_async:
            return f"the connection {name} is async: use AsyncService"
        if driver is None:
            return None
        if text_for(driver, drivers) is None:
            text = ", ".join(drivers)
            return f"its statement has text for {text}, and not for {driver}"
        if database.is_async and driver not in DRIVERS:
            return f"the async connections of {driver} are not known"
        is_guarded = driver in GUARDED_GIVEN or driver not in READ_ONLY
        if self._read_only and database.is_given and not is_guarded:
            return (
                f"a connection of {driver} that is given cannot be made to refuse"
                " writes: give a function that opens one"
            )
        return _thread_reason(name, database) if self._is_async else None


def _thread_reason(name: str, database: Database) -> str | None:
    """Return why a connection cannot be used in a thread of the service; None where it can."""
    if not database.is_given or database.driver != "sqlite3":
        return None
    probe = Pool(1, "brimgen probe")
    is_bound = probe.submit(lambda: is_bound_to_thread(database)).result()
    probe.close()
    if not is_bound:
        return None
    return (
        f"the connection {name} works in one thread only: make it with"
        " check_same_thread=False, or give a function that opens one"
    )


class StatementJob:
    """A statement that is to be run once.

    ``reads`` has the database refuse every write of it, also one of a function that it calls.
    ``answer`` is what is made of its rows, or of `Changed`: nothing is committed before that.
    """

    def __init__(
        self,
        module: Any,
        entry: Entry,
        database: Database,
        bound: Any,
        answer: Callable[[Any], Any],
        *,
        reads: bool,
    ) -> None:
        self.module = module
        self.entry = entry
        self.database = database
        self.bound = bound
        self.answer = answer
        self.reads = reads
        self._is_abandoned = False
        self._stop: Callable[[], object] | None = None

    @property
    def statement(self) -> Statement[Any, Any]:
        """The statement."""
        found: Statement[Any, Any] = self.module.STATEMENT
        return found

    @property
    def kind(self) -> str:
        """What the statement does: ``read``, ``write`` …"""
        return self.statement.kind

    @property
    def given(self) -> int | None:
        """The identity of the connection of the host program that it runs on, if it does."""
        return id(self.database) if self.database.is_given else None

    @property
    def is_async(self) -> bool:
        """Whether it must be awaited."""
        return self.database.is_async

    def abandon(self) -> None:
        """Stop it where its driver can; what it does is not committed in any case."""
        self._is_abandoned = True
        stop = self._stop
        if stop is not None:
            stop()

    def run(self) -> Any:
        """Return the answer to its result.

        Raises BindError for an argument that cannot be bound, Refused for a call that the database
        refuses, ToolError where one row is wanted and there is none, or where a number of changed
        rows does not fit, Abandoned, IsAsync, and whatever else the driver and the answer raise.
        """
        database = self.database
        # An argument that cannot be bound is told before the database is touched.
        text = None
        if database.driver is not None:
            text = self.statement.text(database.driver, self.bound)
        try:
            with (database.read if self.reads else database.write)() as connection:
                return self._ran(connection, text)
        except Exception as problem:
            if self._is_abandoned:
                raise Abandoned from problem
            refused = self._refused(problem)
            if refused is None:
                raise
            raise refused from problem

    async def run_async(self, opened: object = None) -> Any:
        """Return the answer to its result, by an async driver. Raises as `run` does."""
        try:
            return await run_async(self, opened)
        except Exception as problem:
            refused = self._refused(problem)
            if refused is None:
                raise
            raise refused from problem

    def _ran(self, connection: Any, text: tuple[str, Any] | None) -> Any:
        bindings = self.statement.bindings
        if is_alchemy(connection) and "sqlalchemy" not in bindings:
            connection = begun(connection)
        driver, cursor = cursor_of(connection, bindings)
        text = text or self.statement.text(driver, self.bound)
        self._stop = interrupter(connection)
        begin = joined if self.database.is_given else transaction
        try:
            if self._is_abandoned:
                raise Abandoned
            keep_digits(cursor)
            with begin(driver, self.kind, connection, cursor, reads=self.reads):
                execute(cursor, text)
                told = self.answered(self._result(driver, cursor))
                if self._is_abandoned:
                    raise Abandoned
                return told
        finally:
            self._stop = None
            cursor.close()

    def _result(self, driver: str, cursor: Any) -> Any:
        rows = self.entry.rows
        if rows in ("none", "count"):
            return self.counted(driver, changed(self.kind, driver, cursor))
        columns = names_of(cursor)
        fetched = cursor.fetchall() if rows == "many" else cursor.fetchmany(2)
        return self.decoded(fetched, columns)

    def counted(self, driver: str, count: int) -> int:
        """Return a number of changed rows as the result."""
        if self.entry.rows == "none":
            return Changed(count)
        if count < 0:
            raise ValueError(f"{driver} does not count the rows that were changed")
        return count

    def decoded(self, rows: Sequence[Any], columns: Sequence[str]) -> Any:
        """Return rows as the result. Raises ToolError where there is none and one is wanted."""
        if self.entry.rows == "many":
            return [self._row(each, columns) for each in rows]
        if single(rows):
            return self._row(rows[0], columns)
        if self.entry.rows == "maybe":
            return None
        raise ToolError(NOTHING if self.kind == "write" else _NOT_FOUND)

    def _row(self, row: Any, columns: Sequence[str]) -> Any:
        """Return what a row is; as JSON where the values in it do not tell how they are written."""
        found = self.module.decode(plain(row), columns)
        encode = getattr(self.module, "encode", None)
        return found if encode is None else encode(found)

    def answered(self, found: Any) -> Any:
        """Return the answer to the result. Raises ToolError for a number of rows that does not fit,
        Unfit for anything else that does not.
        """
        try:
            return self.answer(found)
        except Unfit as problem:
            if self.entry.rows != "count":
                raise
            raise ToolError(_OTHERWISE if found else NOTHING) from problem

    def _refused(self, problem: Exception) -> Refused | None:
        """Return what the exception of a driver says of the call; None where it says nothing."""
        refusal = refusal_of(problem)
        if refusal is None:
            return None
        params = self.module.PARAMS
        hidden = [param.name for param in params if param.origin != "caller"]
        told = partial(refusal.told, hidden=hidden)
        return Refused(told, changes=self.kind == "write")
