"""Tools as objects: one descriptor for each, in a mapping that imports them on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from .tool_spec import ToolSpec


class Input(Protocol):
    """What every generated input class offers."""

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], /) -> Self:
        """Return the input of exactly what the schema accepts; raises InputError."""
        ...

    @classmethod
    def from_call(cls, raw: Mapping[str, Any] | str | bytes, /) -> Self:
        """Return the input of what a model sent (null rule, JSON text); raises InputError."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object that ``from_dict`` reads to an equal input."""
        ...

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text; no digit of a decimal is lost."""
        ...


class Bound(Protocol):
    """What every generated bound class offers: the input plus its hidden values."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the bound values."""
        ...


InputT = TypeVar("InputT", bound=Input)
BoundT = TypeVar("BoundT", bound=Bound)


class Tool(Generic[InputT, BoundT]):
    """One tool: its names and words, its types, its schemas.

    ``input_schema`` is what a caller may send, ``bound_schema`` what the handler receives,
    ``output_schema`` what it returns (None for void).
    """

    __slots__ = (
        "_spec",
        "bound_schema",
        "bound_type",
        "description",
        "input_schema",
        "input_type",
        "name",
        "output_schema",
        "tags",
        "title",
        "version",
        "when_to_use",
    )

    def __init__(
        self,
        name: str,
        *,
        input_type: type[InputT],
        bound_type: type[BoundT],
        input_schema: Mapping[str, Any],
        bound_schema: Mapping[str, Any],
        output_schema: Mapping[str, Any] | None = None,
        description: str | None = None,
        when_to_use: str | None = None,
        title: str | None = None,
        version: str | None = None,
        tags: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.input_type = input_type
        self.bound_type = bound_type
        self.input_schema = input_schema
        self.bound_schema = bound_schema
        self.output_schema = output_schema
        self.description = description
        self.when_to_use = when_to_use
        self.title = title
        self.version = version
        self.tags = tags
        self._spec: ToolSpec | None = None

    @property
    def spec(self) -> ToolSpec:
        """The tool as a `ToolSpec`. Raises ValueError with what its six types cannot say."""
        if self._spec is None:
            from .spec_of import spec_of

            self._spec = spec_of(
                self.name,
                description=self.description,
                when_to_use=self.when_to_use,
                input_schema=self.input_schema,
                output_schema=self.output_schema,
            )
        return self._spec

    def __repr__(self) -> str:
        return f"<Tool {self.name}>"


class Tools(Mapping[str, Tool[Any, Any]]):
    """The tools of a package by name; a tool's module is imported when the tool is first read.

    ``package`` is the package's own name (``__name__``); ``modules`` maps tool names to modules
    relative to it (``{"geo_search": ".tools.geo_search"}``), each of which has a ``TOOL``.
    """

    __slots__ = ("_loaded", "_modules", "_package")

    def __init__(self, package: str, modules: Mapping[str, str]) -> None:
        self._package = package
        self._modules = modules
        self._loaded: dict[str, Tool[Any, Any]] = {}

    def __getitem__(self, name: str) -> Tool[Any, Any]:
        found = self._loaded.get(name)
        if found is None:
            module = import_module(self._modules[name], self._package)
            found = self._loaded[name] = module.TOOL
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def __repr__(self) -> str:
        return f"Tools({', '.join(self._modules)})"
