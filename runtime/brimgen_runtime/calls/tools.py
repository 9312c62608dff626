"""What the generated modules are built on: tools, their inputs, and packages that load lazily."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, Protocol, Self, TypeVar

from ..records.json_object import JsonObject
from ..schema.files import ToolSchemas


class Input(Protocol):
    """What every generated input class offers."""

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], /) -> Self:
        """Decode what the schema accepts. Raises InputError."""
        ...

    @classmethod
    def from_call(cls, raw: Mapping[str, Any] | str | bytes, /) -> Self:
        """Decode what a model sent: JSON text or an object. Raises InputError."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``from_dict`` reads to an equal input."""
        ...

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text; no digit of a decimal is lost."""
        ...


_RUNTIME = (__package__ or "").rpartition(".")[0]
"""The runtime itself, which a package may have a copy of."""

InputT = TypeVar("InputT", bound=Input)
BoundT = TypeVar("BoundT", bound="JsonObject")


class Tool(Generic[InputT, BoundT]):
    """One tool: its names and words, its types, its schemas."""

    def __init__(
        self,
        name: str,
        *,
        input_type: type[InputT],
        bound_type: type[BoundT],
        schemas: ToolSchemas,
        description: str | None = None,
        when_to_use: str | None = None,
        title: str | None = None,
        version: str | None = None,
        tags: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.input_type = input_type
        self.bound_type = bound_type
        self._schemas = schemas
        self.description = description
        self.when_to_use = when_to_use
        self.title = title
        self.version = version
        self.tags = tags

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """What a caller may send."""
        return self._schemas.input.read()

    @property
    def bound_schema(self) -> Mapping[str, Any]:
        """What the handler receives."""
        return self._schemas.bound.read()

    @property
    def output_schema(self) -> Mapping[str, Any] | None:
        """What the tool returns; None for void."""
        file = self._schemas.output
        return None if file is None else file.read()

    def __repr__(self) -> str:
        return f"<Tool {self.name}>"


class Tools(Mapping[str, Tool[Any, Any]]):
    """The tools of a package by name; a tool's module is imported when the tool is first read.

    ``package`` is the package's own name (``__name__``); ``homes`` maps the names of tools to
    their modules, relative to it, and to the beginning of the names of their classes
    (``{"geo_search": ".tools.geo_search:GeoSearch"}``). Each module has a ``TOOL``.
    """

    def __init__(self, package: str, homes: Mapping[str, str]) -> None:
        self._package = package
        self._homes = homes
        self._loaded: dict[str, Tool[Any, Any]] = {}

    def homes(self) -> Iterator[tuple[str, str]]:
        """Yield the module of each tool, and the beginning of the names of its classes."""
        for home in self._homes.values():
            module, _, classes = home.partition(":")
            yield module, classes

    def __getitem__(self, name: str) -> Tool[Any, Any]:
        tool = self._loaded.get(name)
        if tool is None:
            home = self._homes[name].partition(":")[0]
            tool = self._loaded[name] = import_module(home, self._package).TOOL
        return tool

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)

    def __contains__(self, name: object) -> bool:
        return name in self._homes

    def __repr__(self) -> str:
        return f"Tools({', '.join(self._homes)})"


def attach(
    package: str,
    homes: Mapping[str, str],
    offered: Mapping[str, str],
    tools: Tools | None = None,
) -> tuple[Any, Any]:
    """Return the ``__getattr__`` and ``__dir__`` of a package that loads names on first use.

    ``homes`` maps each to the module that it is, or that has it, relative to the package;
    ``offered`` maps names of the runtime to modules relative to the runtime. Names of the modules
    and the classes of ``tools`` need not be said; other names of ``__all__`` are of entities.
    """
    known: dict[str, str] = {}

    def load(name: str) -> Any:
        if not known:
            of_tools = [] if tools is None else [*tools.homes()]
            known.update({home.rpartition(".")[2]: home for home, _ in of_tools})
            for kind in ("Input", "Bound"):
                known.update({f"{classes}{kind}": home for home, classes in of_tools})
            known.update(homes)
        front = sys.modules[package]
        if name not in front.__all__:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        top, home = (
            (_RUNTIME, offered[name])
            if name in offered
            else (package, known.get(name, ".entities"))
        )
        module = import_module(home, top)
        found = module if home.endswith(f".{name}") else getattr(module, name)
        setattr(front, name, found)
        return found

    return load, lambda: sys.modules[package].__all__
