"""Lower a catalog to the module of its resources."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from brimgen.emit.code import Code, header, py
from brimgen.emit.imports import exported_names, import_sections
from brimgen.emit.lexical import lexical
from brimgen.emit.names import classes_of, module_name
from brimgen.emit.python_text import call, joined
from brimgen.emit.runtime_names import home_of
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog, ResourceBody, Tool
from brimgen.model.paths import PathLiteral
from brimgen.model.types import JsonType

_NEEDED = ("python", "resources")
_RESERVED = frozenset(["RESOURCES"])


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRow:
    """A resource: the arguments of its ``Resource``."""

    constant: Code
    name: Code
    input: Code
    path: Code
    segments: Code
    query: Code | None
    scheme: Code
    mime_type: Code | None
    description: Code | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourcesModule:
    """The view of ``<package>/resources.py``; ``enabled`` are constants."""

    header: Code
    imports: Sequence[Code]
    exported: Code
    resources: Sequence[ResourceRow]
    enabled: Code


def routed(catalog: Catalog) -> tuple[tuple[Tool, ResourceBody], ...]:
    """Return the resources, each with its body."""
    return tuple(
        (tool, tool.body)
        for tool in catalog.tools
        if isinstance(tool.body, ResourceBody) and tool.is_for(*_NEEDED)
    )


def constant(tool: Tool) -> Code:
    """Return the name of a tool's constant."""
    name = module_name(tool.name).upper()
    return Code(f"{name}_" if name in _RESERVED else name)


def lower(catalog: Catalog) -> ResourcesModule:
    """Return the view of ``<package>/resources.py``; its table has the resources that are
    enabled.
    """
    resources = routed(catalog)
    names = {"Match", "Resource", "Resources"}
    names |= {"Variable" for _, body in resources if body.segments != _literals(body)}
    names |= {"Query" for _, body in resources if body.query}
    enabled = [constant(tool) for tool, _ in resources if tool.enabled]
    names_of_all = [
        "RESOURCES",
        "Match",
        "Resource",
        *(constant(tool) for tool, _ in resources),
    ]
    return ResourcesModule(
        header=header(),
        imports=import_sections(
            [
                ("typing", "Final"),
                *((home_of(name), name) for name in names),
                *(
                    (f".tools.{module_name(tool.name)}", _input(tool))
                    for tool, _ in resources
                ),
            ]
        ),
        exported=exported_names(names_of_all),
        resources=[_resource(tool, body, catalog) for tool, body in resources],
        enabled=joined(enabled),
    )


def _literals(body: ResourceBody) -> tuple[PathLiteral, ...]:
    return tuple(
        segment for segment in body.segments if isinstance(segment, PathLiteral)
    )


def _input(tool: Tool) -> Code:
    return classes_of(tool.name)[0]


def _resource(tool: Tool, body: ResourceBody, catalog: Catalog) -> ResourceRow:
    fields = {field.name: field for field in tool.fields}
    segments: list[Code] = []
    for segment in body.segments:
        if isinstance(segment, PathLiteral):
            segments.append(py(unquote(segment.text)))
            continue
        field = fields[segment.name]
        read = lexical(field, catalog)
        read = read._replace(kind="string") if field.type == JsonType() else read
        arguments = read.arguments(segment.name)
        arguments += [Code("rest=True")] if segment.rest else []
        segments.append(call(Code("Variable"), *arguments))
    queries = [
        call(Code("Query"), *lexical(fields[name], catalog).arguments(name))
        for name in body.query
    ]
    scheme = tool.mcp.uri_scheme or catalog.project.package.replace("_", "-")
    mime_type = tool.mcp.mime_type or body.mime_type
    return ResourceRow(
        constant=constant(tool),
        name=py(tool.name),
        input=_input(tool),
        path=py(body.path),
        segments=joined(segments),
        query=joined(queries) if queries else None,
        scheme=py(scheme),
        mime_type=None if mime_type is None else py(mime_type),
        description=None if tool.description is None else py(tool.description),
    )
