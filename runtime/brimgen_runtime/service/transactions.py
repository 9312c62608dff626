"""Choose the statements that begin, end and undo the transaction of a call.

Where the service opens a connection, or a pool lends one, a call is a transaction: committed if all
goes well, and else rolled back. A connection that the host program gives keeps its transaction: the
statement joins it, nothing is committed, and what a failed call did is undone by a savepoint where
the database has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..sql._matched import MYSQL

SQLITE: Final = ("sqlite3", "aiosqlite")
POSTGRES: Final = ("psycopg", "psycopg2", "asyncpg", "pg8000")

METHOD: Final = "method"
"""Means ``commit()`` or ``rollback()`` of the connection instead of a statement."""
NESTED: Final = "nested"
"""Means ``begin_nested()`` of SQLAlchemy, and its ``commit()`` or ``rollback()``."""

GUARDED: Final = (*SQLITE, *POSTGRES, *MYSQL, "duckdb", "oracledb")
"""Drivers of databases that can be made to refuse writes."""
GUARDED_GIVEN: Final = (*SQLITE, *POSTGRES)
"""Those that can be made to refuse writes within a transaction."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The statements around that of a call.

    ``begin`` is executed before it, ``end`` after it, ``undo`` instead of ``end`` after an error,
    and ``last`` in any case. ``commits``: the changes are permanent after ``end``.
    """

    begin: tuple[str, ...] = ()
    end: str = ""
    undo: tuple[str, ...] = ()
    last: str = ""

    @property
    def commits(self) -> bool:
        """Whether the changes of the call are permanent after ``end``."""
        return self.end in ("COMMIT", METHOD)


class State(NamedTuple):
    """The state of a connection: in a transaction, in autocommit mode, refusing writes."""

    is_open: bool
    is_automatic: bool
    refuses_writes: bool = False


def state_of(driver: str, connection: Any) -> State:
    """Return the state of a connection, without whether it refuses writes."""
    automatic = getattr(connection, "autocommit", None)
    if driver in SQLITE:
        level = getattr(connection, "isolation_level", None)
        return State(
            connection.in_transaction, level is None and automatic in (None, -1)
        )
    if driver == "asyncpg":
        return State(connection.is_in_transaction(), True)
    if driver == "pg8000":
        return State(bool(connection._in_transaction), automatic is True)
    status = getattr(getattr(connection, "info", None), "transaction_status", None)
    return State(status is not None and int(status) != 0, automatic is True)


def bracket(
    driver: str, kind: str, state: State, *, is_given: bool, reads: bool
) -> Bracket:
    """Return the bracket of a statement; with ``reads`` the database refuses writes."""
    writes = kind == "write"
    if reads and driver in SQLITE:
        # `last` restores the connection.
        last = "" if state.refuses_writes else "PRAGMA query_only = OFF"
        end, undo = ("", ()) if is_given else (METHOD, (METHOD,))
        return Bracket(("PRAGMA query_only = ON",), end, undo, last)
    if driver in POSTGRES and state.is_automatic and not (is_given and state.is_open):
        if is_given or reads or kind in ("write", "lock"):
            begin = "BEGIN READ ONLY" if reads else "BEGIN"
            return Bracket((begin,), "COMMIT", ("ROLLBACK",))
        return Bracket()
    if is_given:
        return _joining_bracket(driver, state, writes=writes, reads=reads)
    if driver == "duckdb":
        if not (reads or writes):
            return Bracket()
        begin = "BEGIN TRANSACTION READ ONLY" if reads else "BEGIN"
        return Bracket((begin,), "COMMIT", ("ROLLBACK",))
    if writes and driver in SQLITE and not state.is_open:
        # The driver begins no transaction where WITH precedes the verb.
        return Bracket(("BEGIN",), "COMMIT", ("ROLLBACK",))
    begins: tuple[str, ...] = ()
    if reads and driver in MYSQL:
        begins = ("START TRANSACTION READ ONLY",)
    elif reads and driver in (*POSTGRES, "oracledb"):
        begins = ("SET TRANSACTION READ ONLY",)
    elif writes and driver in MYSQL:
        begins = ("BEGIN",)  # some connections commit each statement
    return Bracket(begins, METHOD, (METHOD,))


_SAVEPOINT = "SAVEPOINT brimgen_call"
_RELEASE = "RELEASE SAVEPOINT brimgen_call"
_BACK = ("ROLLBACK TO SAVEPOINT brimgen_call", _RELEASE)


def _joining_bracket(
    driver: str, state: State, *, writes: bool, reads: bool
) -> Bracket:
    """Return the bracket of a statement that joins a transaction of the host program."""
    if driver == "sqlalchemy":
        return Bracket((NESTED,), NESTED, (NESTED,))
    if driver in SQLITE and writes and not (state.is_open or state.is_automatic):
        # A savepoint outside of a transaction would be committed when it is released.
        return Bracket(("BEGIN",), "", (METHOD,))
    if driver in POSTGRES:
        guard = ("SET TRANSACTION READ ONLY",) if reads else ()
        return Bracket((_SAVEPOINT, *guard), _RELEASE, _BACK)
    if writes and driver in (*SQLITE, *MYSQL):
        return Bracket((_SAVEPOINT,), _RELEASE, _BACK)
    return Bracket()


def is_lost(driver: str, problem: Exception) -> bool:
    """Return whether a COMMIT that raised may have taken effect: the connection was lost."""
    problem = getattr(problem, "orig", None) or problem
    library = type(problem).__module__.partition(".")[0]  # the driver below SQLAlchemy
    if driver in _IN_PROCESS or library in _IN_PROCESS:
        return False
    first = problem.args[0] if problem.args else None
    states = [getattr(problem, name, None) for name in ("sqlstate", "pgcode")]
    state = next((code for code in (*states, first) if isinstance(code, str)), "")
    if len(state) == 5 and state.isalnum():
        return state.startswith(("08", "57P"))
    number = getattr(problem, "errno", first)
    return not isinstance(number, int) or number in _MYSQL_LOST


UNDONE: Final = ("read", "lock", "write")
"""The kinds of statements that a lost transaction undoes: others may commit on their own."""


def is_gone(driver: str, connection: Any, problem: BaseException) -> bool:
    """Return whether a connection to PostgreSQL or MySQL was lost.

    Within a transaction whose COMMIT has not begun, the database undoes what it did (`UNDONE`), so
    the same call may be repeated.
    """
    if driver == "asyncpg":
        return bool(connection.is_closed())
    if driver == "pg8000":
        return type(problem).__name__ == "InterfaceError"
    if driver in POSTGRES:
        return bool(connection.closed)
    first = problem.args[0] if problem.args else None
    return driver in MYSQL and getattr(problem, "errno", first) in _MYSQL_LOST


_IN_PROCESS = (*SQLITE, "duckdb", "_duckdb")
"""Drivers and modules of databases that run in this process."""
_MYSQL_LOST = (0, 2006, 2013, 2055)
"""The error numbers of MySQL clients for a lost connection."""
