"""One package with a store of tools, a clock that is set by hand, and services on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from support.loopback import Loopback, answer, loopback
from support.project import Built, sound

SPEC = """\
type: bundle
name: files
id: 0190b7c4-0000-7000-8000-000000000001
createdAt: 2026-01-01T00:00:00Z
modifiedAt: 2026-01-01T00:00:00Z
displayName: Files
---
type: python_function
name: read_file
id: 0190b7c4-0000-7000-8000-000000000002
createdAt: 2026-01-01T00:00:00Z
modifiedAt: 2026-01-01T00:00:00Z
description: Read a file.
bundle: files
tags: [disk]
arguments: { inline: { path: string } }
returns: string
---
type: python_function
name: read_hidden
id: 0190b7c4-0000-7000-8000-000000000003
createdAt: 2026-01-01T00:00:00Z
modifiedAt: 2026-01-01T00:00:00Z
bundle: files
arguments: { inline: { tenant: { type: string, from_context: app.tenant, pattern: "^[a-z]+$" } } }
"""


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 18, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_by(self, **span: float) -> None:
        """Let some time pass."""
        self.time += timedelta(**span)


@pytest.fixture(scope="session")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The package, which has a function of its own and no HTTP tool."""
    targets = ("python", "bundles", "store", "openapi", "service", "http")
    folder = tmp_path_factory.mktemp("store")
    return sound(folder, SPEC, targets, package="stored")


@pytest.fixture
def clock() -> Clock:
    """The clock of ``store``."""
    return Clock()


@pytest.fixture
def store(stored: Built, tmp_path: Path, clock: Clock) -> Any:
    """A store without tools of users."""
    return stored.load("store").open_store(tmp_path / "tools", now=clock)


@pytest.fixture
def here() -> Iterator[Loopback]:
    """A service that tools may call."""
    with loopback() as server:
        server.says(answer(200, '{"name": "Rex"}'))
        yield server


@pytest.fixture
def there() -> Iterator[Loopback]:
    """Another one that they may not."""
    with loopback() as server:
        server.says(answer(200, '{"name": "Evil"}'))
        yield server
