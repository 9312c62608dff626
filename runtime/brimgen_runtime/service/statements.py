"""Run the statements of tools on the databases of a service, and decode their results."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Lock
from typing import Any

from ..calls.results import NotFound, ToolError
from ..sql._drivers import begun, driver_of, interrupter, is_alchemy, text_for
from ..sql._query import Query
from ..sql._refusals import refusal_of
from ..sql._row_error import RowError
from ..sql._run import Statement, single
from .databases import Database, NoDatabase, database_of, is_bound_to_thread
from .errors import Abandoned, CommitUnknown, Lacking, Refused, Unfit
from .plan import NOTHING, Changed, Plan, ProjectTarget
from .plan import Statement as Entry
from .sessions import ASYNC_DRIVERS, AsyncSession, Session, open_connection
from .transactions import (
    GUARDED,
    GUARDED_GIVEN,
    UNDONE,
    Bracket,
    bracket,
    is_gone,
    is_lost,
)
from .workers import Pool, completed

_OTHERWISE = (
    "nothing was changed: it would be more or fewer rows than are allowed at once"
)
_NOT_FOUND = "nothing was found"
_UNCOUNTED = (
    "{} does not count the rows that the statement found; a connection of MySQL does if it is made"
    " with client_flag=2 (FOUND_ROWS), one of mysql.connector with client_flags=[2]"
)
_LOST = "the connection to the database was lost; the same call may go through now"


class Databases:
    """The databases of a host program by connection, and why some cannot be used.

    A mistake is added to ``mistakes`` for each value that is no database.
    """

    def __init__(
        self,
        plan: Plan,
        connections: Mapping[str, object],
        mistakes: list[str],
        *,
        read_only: bool,
        is_async: bool,
    ) -> None:
        self._plan = plan
        self._read_only = read_only
        self._is_async = is_async
        self._known: dict[str, Database] = {}
        self._unfit: dict[str, str] = {}
        for name, source in connections.items():
            if name not in plan.drivers:
                continue  # `wrong_settings` reports it
            try:
                self._open(name, source)
            except NoDatabase as problem:
                if isinstance(source, ProjectTarget):
                    self._unfit[name] = f"connection {name}: {problem}"
                else:
                    mistakes.append(f"connections: {name}: {problem}")

    def lacks(self, run: Entry) -> str | None:
        """Return why a statement cannot run; None if it can."""
        if run.connection in self._known:
            return None
        return self._unfit.get(
            run.connection, f"there is no connection {run.connection}"
        )

    def is_given(self, run: Entry) -> bool:
        """Return whether a statement runs on a connection of the host program."""
        return self._known[run.connection].is_given

    def start(
        self, run: Entry, bound: Any, answer: Callable[[Any], Any]
    ) -> StatementJob:
        """Return a job that runs a statement and passes its result to ``answer``."""
        module = import_module(run.module, self._plan.package)
        reads = self._read_only or run.reads
        database = self._known[run.connection]
        return StatementJob(module, run, database, bound, answer, reads=reads)

    def _open(self, name: str, source: object) -> None:
        """Add the database of a connection, or why its statements cannot run. Raises NoDatabase."""
        if isinstance(source, ProjectTarget):
            if source.problem:
                raise NoDatabase(source.problem)
            source = source.target
        drivers = self._plan.drivers[name]
        database = database_of(source, drivers, read_only=self._read_only)
        reason = self._unfit_reason(name, database)
        if reason is None:
            self._known[name] = database
        else:
            self._unfit[name] = reason

    def _unfit_reason(self, name: str, database: Database) -> str | None:
        """Return why statements cannot run on a database; None if they can."""
        driver, drivers = database.driver, self._plan.drivers[name]
        if database.is_async and not self._is_async:
            return f"the connection {name} is async: use AsyncService"
        if driver is None:
            return None
        if text_for(driver, drivers) is None:
            text = ", ".join(drivers)
            return f"its statement has text for {text}, and not for {driver}"
        if database.is_async and driver not in ASYNC_DRIVERS:
            return f"the async connections of {driver} are not known"
        is_guarded = driver in GUARDED_GIVEN or driver not in GUARDED
        if self._read_only and database.is_given and not is_guarded:
            return (
                f"a connection of {driver} that is given cannot be made to refuse"
                " writes: give a function that opens one"
            )
        return _thread_reason(name, database) if self._is_async else None


def _thread_reason(name: str, database: Database) -> str | None:
    """Return why a connection cannot be used in a thread of the service; None if it can."""
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


def _check_guard(statement: object, driver: str, *, is_given: bool) -> None:
    """Raise Lacking for a query of the caller where nothing would refuse its writes."""
    guarded = GUARDED_GIVEN if is_given else GUARDED
    if isinstance(statement, Query) and driver not in guarded:
        raise Lacking(f"{driver} cannot be made to refuse the writes of a query here")


class StatementJob:
    """One run of a statement.

    ``reads`` makes the database refuse every write, also by a function that the statement calls.
    ``answer`` turns the rows, or `Changed`, into the result, before anything is committed.
    ``late`` returns that result if the task was cancelled after the COMMIT had begun.
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
        self.late: Callable[[], Any] | None = None
        self._module = module
        self._entry = entry
        self._database = database
        self._bound = bound
        self._answer = answer
        self._reads = reads
        self._statement: Statement[Any, Any, ...] = module.STATEMENT
        self._kind = self._statement.kind
        self._lock = Lock()
        self._is_abandoned = False
        self._commits = False
        self._is_lost = False
        self._stop: Callable[[], object] | None = None

    @property
    def connection_id(self) -> int | None:
        """The identity of the host program's connection that it runs on; None for others."""
        return id(self._database) if self._database.is_given else None

    @property
    def is_async(self) -> bool:
        """Whether it must be awaited."""
        return self._database.is_async

    def abandon(self) -> bool:
        """Stop the statement if its driver can. Return True if its COMMIT has begun."""
        with self._lock:
            if self._commits:
                return True
            self._is_abandoned = True
            # Under the lock: the next statement on the connection must not be stopped instead.
            if self._stop is not None:
                with suppress(Exception):
                    self._stop()
        return False

    def run(self) -> Any:
        """Run the statement; return what ``answer`` makes of its result.

        Raises BindError for an argument that cannot be bound, Refused for a call that the database
        refuses, NotFound if a required row is missing, ToolError if the number of changed rows does
        not fit, Abandoned, CommitUnknown, IsAsync, and whatever else the driver and ``answer``
        raise.
        """
        database = self._database
        text = self._text(database.driver)
        try:
            opens = database.read if self._reads else database.write
            with opens() as connection:
                if is_alchemy(connection) and (
                    "sqlalchemy" not in self._statement.bindings
                ):
                    connection = begun(connection)
                session = Session(connection, self._statement.bindings)
                self._stop = interrupter(connection)
                try:
                    return completed(self._execute(session, text))
                finally:
                    with self._lock:
                        self._stop = None
                    completed(session.close())
        except Exception as problem:
            error = self._error_of(problem)
            if error is problem:
                raise
            raise error from problem

    async def run_async(self, opened_before: object = None) -> Any:
        """Run the statement by an async driver. Returns and raises as `run` does.

        ``opened_before`` is a connection, or what opens one, that the database opened already.
        """
        database = self._database
        text = self._text(database.driver)
        connect: Callable[[], Any] = (
            database.write if opened_before is None else lambda: opened_before
        )
        try:
            async with open_connection(connect) as connection:
                driver = database.driver or driver_of(connection)
                if driver is None:
                    kind = type(connection).__qualname__
                    raise TypeError(f"no driver is known for a {kind}")
                return await self._execute(AsyncSession(connection, driver), text)
        except Exception as problem:
            error = self._error_of(problem)
            if error is problem:
                raise
            raise error from problem

    def _text(self, driver: str | None) -> tuple[str, Any] | None:
        """Return the text and the arguments, before the database is touched; None if the driver is
        not known yet. Raises BindError.
        """
        return None if driver is None else self._statement.text(driver, self._bound)

    async def _execute(self, session: Session, text: tuple[str, Any] | None) -> Any:
        """Run the statement in its transaction, and return the answer."""
        driver = session.driver
        text = text or self._statement.text(driver, self._bound)
        if self._is_abandoned:
            raise Abandoned
        is_given = self._database.is_given
        around = Bracket()
        try:
            state = await session.state(reads=self._reads)
            _check_guard(self._statement, driver, is_given=is_given)
            around = bracket(
                driver, self._kind, state, is_given=is_given, reads=self._reads
            )
            for statement in around.begin:
                await session.execute(statement)
            fetched = await session.fetch(self._kind, self._entry.rows, text)
            answer = self._apply_answer(self._result(driver, fetched))
            await self._commit(session, around, answer)
        except BaseException as problem:
            undoes = around.commits and self._kind in UNDONE
            if undoes and not (is_given or self._commits):
                self._is_lost = is_gone(driver, session.connection, problem)
            if session.late is None:
                # If the connection is lost, the first error says so.
                with suppress(Exception):
                    for statement in around.undo:
                        await session.undo(statement)
            raise
        finally:
            if around.last:
                await session.execute(around.last)
        return answer

    async def _commit(self, session: Session, around: Bracket, answer: Any) -> None:
        """End the transaction, unless the caller has stopped waiting."""
        with self._lock:
            if self._is_abandoned:
                raise Abandoned
            self._commits = around.commits
        if not around.end:
            return
        try:
            await session.commit(around.end)
        except Exception as problem:
            raise self._commit_error(session.driver, around, problem) from problem
        except CancelledError:
            if session.late is not None:
                self.late = partial(self._late_answer, session, around, answer)
            raise

    def _late_answer(self, session: Session, around: Bracket, answer: Any) -> Any:
        """Return the answer of a call whose task was cancelled while its COMMIT ran."""
        problem = None if session.late is None else session.late.problem
        if problem is None:
            return answer
        if isinstance(problem, Exception):
            error = self._error_of(self._commit_error(session.driver, around, problem))
            raise error from problem
        raise CommitUnknown from problem

    def _commit_error(
        self, driver: str, around: Bracket, problem: Exception
    ) -> Exception:
        """Return CommitUnknown for a COMMIT without an answer, else the exception itself."""
        if around.commits and refusal_of(problem) is None and is_lost(driver, problem):
            return CommitUnknown()
        return problem

    def _result(self, driver: str, fetched: Any) -> Any:
        if self._entry.rows == "none":
            return Changed(fetched.changed)
        if self._entry.rows == "last_id":
            if not fetched.last_id:
                raise NotFound(NOTHING)
            return fetched.last_id
        if self._entry.rows == "count":
            if fetched.changed < 0:
                raise Lacking(_UNCOUNTED.format(driver))
            return fetched.changed
        if self._entry.rows == "many":
            return self._decoded(fetched.rows, fetched.columns)
        if single(fetched.rows):
            return self._decoded(fetched.rows, fetched.columns)[0]
        if self._entry.rows == "maybe":
            return None
        raise NotFound(NOTHING if self._kind == "write" else _NOT_FOUND)

    def _decoded(self, rows: Sequence[Any], columns: Sequence[str]) -> list[Any]:
        """Return rows as they are declared. Raises RowError with the number of the row."""
        decode: Any = self._module.decode
        decoded: list[Any] = []
        try:
            for row in rows:
                decoded.append(decode(row, columns))
        except RowError as problem:
            problem.row = len(decoded) + 1
            raise
        return decoded

    def _encoded(self, value: Any) -> Any:
        """Return rows as JSON if their module has an encoder."""
        encode = getattr(self._module, "encode", None)
        if encode is None or value is None:
            return value
        if self._entry.rows == "many":
            return [encode(row) for row in value]
        return encode(value) if self._entry.rows in ("one", "maybe") else value

    def _apply_answer(self, value: Any) -> Any:
        """Return the answer to a result. Raises ToolError for a number of rows that does not fit,
        Unfit for any other value that does not.
        """
        try:
            answer = self._answer(self._encoded(value))
            answer.python = value
            return answer
        except Unfit as problem:
            if self._entry.rows != "count":
                raise
            raise ToolError(_OTHERWISE if value else NOTHING) from problem

    def _error_of(self, problem: Exception) -> Exception:
        """Return the exception that the service raises for one of a driver."""
        if self._is_abandoned:
            return Abandoned()
        if self._is_lost:
            return Refused(lambda _: _LOST, changes=self._kind == "write")
        refusal = refusal_of(problem)
        if refusal is None:
            return problem
        params = self._module.PARAMS
        hidden = [param.name for param in params if param.origin != "caller"]
        reason_for = partial(refusal.told, hidden=hidden)
        return Refused(reason_for, changes=self._kind == "write")
