"""One generated package with HTTP tools that speak to two servers on loopback."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.loopback import Loopback, answer, loopback
from support.project import Built, sound

SPECS = Path(__file__).with_name("specs.yaml")


@dataclass(frozen=True)
class World:
    """The package, and the servers ``here`` and ``there`` that its tools may speak to."""

    built: Built
    here: Loopback
    there: Loopback

    def tool(self, name: str) -> Any:
        """The module of an HTTP tool."""
        return self.built.load(f"http.{name}")

    @property
    def http(self) -> Any:
        """The package of HTTP tools."""
        return self.built.load("http")

    def module(self, name: str) -> ModuleType:
        """A module of the HTTP runtime."""
        return import_module(f"brimgen_runtime.http.{name}")

    def options(
        self, now: Callable[[], float] = time.monotonic, **given: Any
    ) -> tuple[Any, list[float]]:
        """Options whose pauses take no time, and the list in which they are kept."""
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        clock = self.http.Clock(
            now=now,
            sleep=pauses.append,
            sleep_async=sleep,
            random=lambda: 1.0,
            today=lambda: 1_800_000_000.0,
        )
        return self.http.Options(clock=clock, **given), pauses


@pytest.fixture(scope="session")
def _world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with loopback() as here, loopback() as there:
        text = SPECS.read_text("utf-8").replace("THERE", f"localhost:{there.port}")
        text = text.replace("HERE", f"127.0.0.1:{here.port}")
        folder = tmp_path_factory.mktemp("http_calls")
        yield World(sound(folder, text, ("python", "http")), here, there)


@pytest.fixture
def world(_world: World) -> World:
    """The package and its servers, which have heard nothing yet."""
    _world.here.says(answer(500))
    _world.there.says(answer(500))
    return _world
