"""Database servers: a fixture each; they must start in CI, and are skipped elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from databases.mariadb import mariadb
from databases.server import NoServer, postgres

SERVED = {
    *("postgres", "psycopg", "psycopg2", "asyncpg", "pg8000"),
    *("mysql", "mysqlclient", "mysql_connector", "pymysql", "mariadb"),
    *("aiomysql", "asyncmy"),
}
"""The dialects and drivers that need a server; SQLite and DuckDB run in the process."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start a server as `whole`: `make test` starts none."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and isinstance(item, pytest.Function):
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            words = {word for each in parameters.values() for word in _words(each)}
            if words & SERVED or any(
                each.endswith("_socket") for each in item.fixturenames
            ):
                item.add_marker("whole")


def _words(parameter: object) -> list[str]:
    """What a parameter of a test names: ``("postgres", "psycopg2")``, ``psycopg-autocommit``."""
    several = parameter if isinstance(parameter, tuple) else (parameter,)
    return [each.partition("-")[0] for each in several if isinstance(each, str)]


def _started(manager: AbstractContextManager[str]) -> Iterator[str]:
    """What a server is reached by, while it runs."""
    try:
        socket = manager.__enter__()
    except NoServer as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
    yield socket
    manager.__exit__(None, None, None)


@pytest.fixture(scope="session")
def postgres_socket() -> Iterator[str]:
    """The socket folder of a PostgreSQL server whose time zone is not UTC."""
    yield from _started(postgres())


@pytest.fixture(scope="session")
def mariadb_socket() -> Iterator[str]:
    """The socket of a MariaDB server whose time zone is not UTC."""
    yield from _started(mariadb())
