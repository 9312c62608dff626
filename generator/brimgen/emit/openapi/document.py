"""Lower a catalog to its OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from brimgen.emit.openapi.fixed_routes import fixed_routes, reference
from brimgen.emit.openapi.view import (
    CallRoute,
    Component,
    Document,
    Parameter,
    ResourceRoute,
)
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.paths import PathLiteral

_DATA = frozenset(["const", "default", "enum", "example", "examples"])
_NAMED = frozenset(
    ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]
)


def document(catalog: Catalog) -> Document:
    """Return the view of the document; only tools that are offered have routes of their own."""
    tools = [tool for tool in catalog.tools if tool.enabled and tool.is_for("openapi")]
    fixed = fixed_routes()
    taken = {route.path for route in fixed}
    shapes: set[str] = set()
    routes: list[CallRoute | ResourceRoute] = []
    schemas: list[Component] = []
    for tool in tools:
        if isinstance(tool.body, TemplateBody):
            continue
        if isinstance(tool.body, ResourceBody):
            resource = _resource(tool, tool.body)
            shape = re.sub(r"\{[^{}]*\}", "{}", resource.path)
            if shape not in shapes and resource.path not in taken:
                shapes.add(shape)
                routes.append(resource)
            continue
        routes.append(_call(tool, catalog))
        schemas += _schemas(tool)
    return Document(
        package=catalog.project.package,
        routes=fixed,
        tools=tuple(routes),
        schemas=tuple(schemas),
    )


def _schemas(tool: Tool) -> Iterator[Component]:
    """Return the schemas of what a tool takes and returns."""
    name = f"{tool.name}.input"
    yield Component(name, as_component(tool.input_schema, name))
    if tool.returns is not None:
        name = f"{tool.name}.output"
        yield Component(name, as_component(tool.returns.schema, name))


def _invoke_path(tool: Tool, catalog: Catalog) -> str:
    """Return the seed's route with the values of a tool; a tool of no bundle goes by its name."""
    for bundle in catalog.bundles:
        if bundle.name == tool.bundle:
            parts = (bundle.id_or_slug, tool.slug, tool.version)
            owner, slug, version = (quote(part or "", safe="") for part in parts)
            return f"/bundles/{owner}/tools/{slug}/version/{version}/invoke"
    return f"/tools/{tool.name}/invoke"


def _call(tool: Tool, catalog: Catalog) -> CallRoute:
    """Return the route by which a tool is called."""
    text = "\n\n".join(part for part in (tool.description, tool.when_to_use) if part)
    returns = None if tool.returns is None else reference(f"{tool.name}.output")
    return CallRoute(
        path=_invoke_path(tool, catalog),
        operation=f"invoke_{tool.name}",
        tags=tool.tags or ("invoke",),
        title=tool.title,
        description=text,
        input=reference(f"{tool.name}.input"),
        output=returns,
    )


def _resource(tool: Tool, body: ResourceBody) -> ResourceRoute:
    """Return the route of a resource."""
    fields = {field.name: field for field in tool.fields}
    path = "".join(
        (
            f"/{segment.text}"
            if isinstance(segment, PathLiteral)
            else f"/{{{segment.name}}}"
        )
        for segment in body.segments
    )
    in_path = [
        Parameter(
            name=segment.name,
            place="path",
            is_required=True,
            schema=as_component(fields[segment.name].schema, ""),
            is_rest=segment.rest,
        )
        for segment in body.segments
        if not isinstance(segment, PathLiteral)
    ]
    in_query = [
        Parameter(
            name=name,
            place="query",
            is_required=fields[name].required,
            schema=as_component(fields[name].schema, ""),
        )
        for name in body.query
    ]
    return ResourceRoute(
        path=path,
        operation=f"read_{tool.name}",
        tags=tool.tags or ("resources",),
        description=tool.description,
        parameters=(*in_path, *in_query),
        mime_type=body.mime_type or tool.mcp.mime_type or "text/plain",
    )


def as_component(schema: JsonObject, key: str) -> JsonObject:
    """Return a schema as a component: its references to itself lead to its new place."""
    place = f"#/components/schemas/{key}" if key else ""

    def move(value: Json, *, named: bool = False) -> Json:
        if isinstance(value, Mapping):
            return {
                name: _moved_member(name, member, named=named)
                for name, member in value.items()
                if named or name not in ("$id", "$schema")
            }
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [move(item) for item in value]
        return value

    def _moved_member(name: str, value: Json, *, named: bool) -> Json:
        if named:
            return move(value)
        if name == "$ref" and isinstance(value, str) and place:
            is_local = value == "#" or value.startswith("#/")
            return place + value.removeprefix("#") if is_local else value
        if name in _DATA:
            return value
        return move(value, named=name in _NAMED)

    moved = move(schema)
    assert isinstance(moved, Mapping)
    return moved
