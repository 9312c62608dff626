"""Real databases: a fixture each; they must start in CI, and are skipped elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from databases.server import NoServer, postgres


@pytest.fixture(scope="session")
def postgres_socket() -> Iterator[str]:
    """The socket folder of a PostgreSQL server whose time zone is not UTC."""
    try:
        manager = postgres()
        socket = manager.__enter__()
    except NoServer as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
    yield socket
    manager.__exit__(None, None, None)
