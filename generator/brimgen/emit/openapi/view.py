"""The views that the templates of the OpenAPI document print."""

from __future__ import annotations

from brimgen.frozen import dataclass
from brimgen.model.json import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of an operation; ``place`` is ``path`` or ``query``."""

    name: str
    place: str
    is_required: bool
    schema: JsonObject
    is_rest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """An operation of a fixed route.

    ``body`` and ``answer`` are references to the schemas of what is sent and of what comes back;
    ``failures`` are status codes.
    """

    method: str
    id: str
    tag: str
    parameters: tuple[Parameter, ...]
    body: str | None
    answer: str | None
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Route:
    """A fixed route."""

    path: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRoute:
    """The route of a tool that is called; ``input`` and ``output`` refer to its schemas."""

    path: str
    operation: str
    tags: tuple[str, ...]
    title: str | None
    description: str
    input: str
    output: str | None
    is_resource: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRoute:
    """The route of a resource, at the root of the server and not below ``/tools``."""

    path: str
    operation: str
    tags: tuple[str, ...]
    description: str | None
    parameters: tuple[Parameter, ...]
    mime_type: str
    is_resource: bool = True


@dataclass(frozen=True, slots=True)
class Component:
    """A schema of a tool, by the name that references have for it."""

    name: str
    schema: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The document: the routes that every package has, those of its tools, and their schemas."""

    package: str
    routes: tuple[Route, ...]
    tools: tuple[CallRoute | ResourceRoute, ...]
    schemas: tuple[Component, ...]
