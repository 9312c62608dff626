"""HTTP tools by name; their modules are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from ._outcome import Result
from ._plan import Plan
from ._request import Request


class HttpTool(Protocol):
    """What the module of every HTTP tool offers."""

    PLAN: Plan
    SHOWN: str
    build: Callable[..., Request]
    invoke: Callable[..., Result[Any]]
    invoke_async: Callable[..., Coroutine[Any, Any, Result[Any]]]


class HttpTools(Mapping[str, HttpTool]):
    """The modules of HTTP tools by the tools' names, relative to ``package``."""

    __slots__ = ("_modules", "_package")

    def __init__(self, package: str, modules: Mapping[str, str]) -> None:
        self._package = package
        self._modules = modules

    def __getitem__(self, name: str) -> HttpTool:
        return cast("HttpTool", import_module(self._modules[name], self._package))

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __repr__(self) -> str:
        return f"HttpTools({', '.join(self._modules)})"
