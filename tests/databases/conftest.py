"""Real databases: a fixture each; they must start in CI, and are skipped elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from databases.mariadb import mariadb
from databases.server import NoServer, postgres


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
