"""Open databases: from a connection's name and target to a function that opens it for one call.

SQLite is opened with the standard library; the other drivers are imported when they are needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

Connect: TypeAlias = Callable[[], AbstractContextManager[Any]]
"""Opens a connection (PEP 249) for one call, and closes it."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database that statements run on.

    ``driver`` names the binding that is used (``sqlite3``, ``psycopg``); ``read`` opens a
    connection for a tool that promises to change nothing, ``write`` one for any other. A host
    program that keeps a pool hands in its own.
    """

    driver: str
    read: Connect
    write: Connect


class NoDatabase(Exception):
    """A target that cannot be opened; the text tells an operator why."""


def open_database(
    target: str, drivers: Sequence[str], *, read_only: bool = False
) -> Database:
    """Return the database at a target: a file for SQLite and DuckDB, else a DSN.

    ``drivers`` are those that the statements have text for; the first that is installed is taken.
    With ``read_only`` every connection is one in which the database refuses writes.
    Raises NoDatabase for a file that is not there, and where no driver can be used.
    """
    for driver in drivers:
        if driver == "sqlite3":
            return _sqlite(target, read_only=read_only)
        if driver in _CONNECTED:
            try:
                module = import_module(driver)
            except ImportError:
                continue
            return Database(
                driver,
                partial(_CONNECTED[driver], module, target, read_only, reads=True),
                partial(_CONNECTED[driver], module, target, read_only, reads=read_only),
            )
    usable = [each for each in drivers if each in ("sqlite3", *_CONNECTED)]
    if usable:
        raise NoDatabase(f"it needs one of the packages {', '.join(usable)}")
    raise NoDatabase(f"none of its drivers ({', '.join(drivers)}) is one of a server's")


def _sqlite(target: str, *, read_only: bool) -> Database:
    path = Path(target).resolve()
    if not path.is_file():
        raise NoDatabase(f"there is no file {target}")
    return Database(
        "sqlite3",
        partial(_file, path, reads=True),
        partial(_file, path, reads=read_only),
    )


@contextmanager
def _file(path: Path, *, reads: bool) -> Generator[sqlite3.Connection, None, None]:
    """A connection to a file that is there; one that reads refuses every write."""
    target = f"{path.as_uri()}?mode={'ro' if reads else 'rw'}"
    with closing(sqlite3.connect(target, uri=True)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        if reads:
            connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def _psycopg(
    module: Any, target: str, _read_only: bool, *, reads: bool
) -> Generator[Any, None, None]:
    with closing(module.connect(target)) as connection:
        if reads:  # else the settings of the database decide
            connection.read_only = True
        yield connection


@contextmanager
def _psycopg2(
    module: Any, target: str, _read_only: bool, *, reads: bool
) -> Generator[Any, None, None]:
    with closing(module.connect(target)) as connection:
        if reads:
            connection.set_session(readonly=True)
        yield connection


@contextmanager
def _duckdb(
    module: Any, target: str, read_only: bool, *, reads: bool
) -> Generator[Any, None, None]:
    """A connection to a file, which DuckDB opens in one way for all of a process."""
    del reads
    with closing(module.connect(target, read_only=read_only)) as connection:
        yield connection


_CONNECTED: Mapping[str, Callable[..., AbstractContextManager[Any]]] = {
    "psycopg": _psycopg,
    "psycopg2": _psycopg2,
    "duckdb": _duckdb,
}
"""What connects by each driver that is imported when it is needed, by the name of its module."""
