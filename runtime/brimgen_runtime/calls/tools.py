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

    ``package`` is the package's own name (``__name__``); ``modules`` maps tool names to modules
    relative to it (``{"geo_search": ".tools.geo_search"}``), each of which has a ``TOOL``.
    """

    def __init__(self, package: str, modules: Mapping[str, str]) -> None:
        self._package = package
        self._modules = modules
        self._loaded: dict[str, Tool[Any, Any]] = {}

    def __getitem__(self, name: str) -> Tool[Any, Any]:
        tool = self._loaded.get(name)
        if tool is None:
            module = import_module(self._modules[name], self._package)
            tool = self._loaded[name] = module.TOOL
        return tool

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __repr__(self) -> str:
        return f"Tools({', '.join(self._modules)})"


def attach(
    package: str, homes: Mapping[str, str], offered: Mapping[str, str]
) -> tuple[Any, Any]:
    """Return the ``__getattr__`` and ``__dir__`` of a package that loads names on first use:
    ``homes`` maps each to the module that it is, or that has it, relative to the package;
    ``offered`` maps names of the runtime to modules relative to the runtime.
    """

    def load(name: str) -> Any:
        if name in homes:
            home, module = homes[name], import_module(homes[name], package)
        elif name in offered:
            home, module = offered[name], import_module(offered[name], _RUNTIME)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = module if home.endswith(f".{name}") else getattr(module, name)
        setattr(sys.modules[package], name, found)
        return found

    return load, lambda: sys.modules[package].__all__
