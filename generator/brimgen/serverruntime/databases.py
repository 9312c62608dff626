"""Databases: a connection's name and target in, something that opens it for one call out.

SQLite is opened with the standard library; the other drivers are imported when they are needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Sequence
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
    connection for a statement that only reads, ``write`` one for any other. A host program that
    keeps a pool hands in its own.
    """

    driver: str
    read: Connect
    write: Connect


class NoDatabase(Exception):
    """A target that cannot be opened; the text tells an operator why."""


_MODULES = ("psycopg", "psycopg2", "duckdb")
"""Drivers whose module has ``connect`` with one text: the name of a file or a DSN."""


def open_database(target: str, drivers: Sequence[str]) -> Database:
    """Return the database at a target: a file for SQLite and DuckDB, else a DSN.

    ``drivers`` are those that the statements have text for; the first that is installed is taken.
    Raises NoDatabase for a file that is not there, and where no driver can be used.
    """
    for driver in drivers:
        if driver == "sqlite3":
            return _sqlite(target)
        if driver in _MODULES:
            try:
                module = import_module(driver)
            except ImportError:
                continue
            connect = partial(_connected, module, target)
            return Database(driver, connect, connect)
    usable = [each for each in drivers if each in ("sqlite3", *_MODULES)]
    if usable:
        raise NoDatabase(f"it needs one of the packages {', '.join(usable)}")
    raise NoDatabase(f"none of its drivers ({', '.join(drivers)}) is one of a server's")


def _sqlite(target: str) -> Database:
    path = Path(target).resolve()
    if not path.is_file():
        raise NoDatabase(f"there is no file {target}")
    return Database(
        "sqlite3",
        partial(_file, path, reads=True),
        partial(_file, path, reads=False),
    )


@contextmanager
def _file(path: Path, *, reads: bool) -> Generator[sqlite3.Connection, None, None]:
    """A connection to a file that is there; one that reads refuses every write."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        if reads:
            connection.execute("PRAGMA query_only = ON")
        yield connection


@contextmanager
def _connected(module: Any, target: str) -> Generator[Any, None, None]:
    with closing(module.connect(target)) as connection:
        yield connection
