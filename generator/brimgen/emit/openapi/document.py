"""Lower a catalog to its OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from brimgen.emit.openapi.components import (
    COMPONENTS,
    closed_object,
    reference,
    success,
)
from brimgen.emit.openapi.fixed_routes import (
    failure,
    fixed_routes,
    json_body,
    parameter,
)
from brimgen.emit.projection.tools import CONFIRMED
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.paths import PathLiteral

_DATA = frozenset(["const", "default", "enum", "example", "examples"])
_NAMED = frozenset(
    ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]
)


def document(catalog: Catalog) -> JsonObject:
    """Return the document; only tools that are offered have routes of their own."""
    tools = [tool for tool in catalog.tools if tool.enabled and tool.is_for("openapi")]
    paths: dict[str, JsonObject] = {**fixed_routes()}
    schemas: dict[str, Json] = {**COMPONENTS}
    shapes: set[str] = set()
    for tool in tools:
        if isinstance(tool.body, TemplateBody):
            continue
        if isinstance(tool.body, ResourceBody):
            path = _resource_path(tool.body)
            shape = re.sub(r"\{[^{}]*\}", "{}", path)
            if shape not in shapes and path not in paths:
                shapes.add(shape)
                paths[path] = _resource(tool, tool.body)
            continue
        paths[_invoke_path(tool, catalog)] = {"post": _call(tool)}
        schemas.update(_schemas(tool))
    return {
        "openapi": "3.1.0",
        "info": {"title": catalog.project.package, "version": "1.0.0"},
        "servers": [{"url": "/tools"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schemas(tool: Tool) -> Iterator[tuple[str, JsonObject]]:
    """Return the schemas of what a tool takes and returns, with their names."""
    name = f"{tool.name}.input"
    yield name, as_component(tool.input_schema, name)
    if tool.returns is not None:
        name = f"{tool.name}.output"
        yield name, as_component(tool.returns.schema, name)


def _invoke_path(tool: Tool, catalog: Catalog) -> str:
    """Return the seed's route with the values of a tool; a tool of no bundle goes by its name."""
    for bundle in catalog.bundles:
        if bundle.name == tool.bundle:
            parts = (bundle.id_or_slug, tool.slug, tool.version)
            owner, slug, version = (quote(part or "", safe="") for part in parts)
            return f"/bundles/{owner}/tools/{slug}/version/{version}/invoke"
    return f"/tools/{tool.name}/invoke"


def _call(tool: Tool) -> JsonObject:
    """Return the operation by which a tool is called."""
    parts = (tool.description, tool.when_to_use, CONFIRMED if tool.confirm else None)
    text = "\n\n".join(part for part in parts if part)
    output = f"{tool.name}.output"
    value = {"type": "null"} if tool.returns is None else reference(output)
    arguments = closed_object("args", {"args": reference(f"{tool.name}.input")})
    return {
        "operationId": f"invoke_{tool.name}",
        "tags": tool.tags or ("invoke",),
        **({"summary": tool.title} if tool.title else {}),
        **({"description": text} if text else {}),
        "requestBody": {"required": True, **json_body(arguments)},
        "responses": {
            "200": {"description": "The value", **json_body(success(value))},
            "400": failure("Arguments that are refused"),
            "default": failure("Why there is no value"),
        },
    }


def _resource_path(body: ResourceBody) -> str:
    return "".join(
        (
            f"/{segment.text}"
            if isinstance(segment, PathLiteral)
            else f"/{{{segment.name}}}"
        )
        for segment in body.segments
    )


def _resource(tool: Tool, body: ResourceBody) -> JsonObject:
    """Return the route of a resource, at the root of the server and not below ``/tools``."""
    fields = {field.name: field for field in tool.fields}
    schemas = {name: as_component(field.schema, "") for name, field in fields.items()}
    parameters = [
        *(
            parameter(segment.name, "path", schemas[segment.name], is_rest=segment.rest)
            for segment in body.segments
            if not isinstance(segment, PathLiteral)
        ),
        *(
            parameter(name, "query", schemas[name], is_required=fields[name].required)
            for name in body.query
        ),
    ]
    text, kind = tool.description, body.mime_type or tool.mcp.mime_type or "text/plain"
    content = {kind: {"schema": {"type": "string"}}}
    return {
        "servers": [{"url": "/"}],
        "get": {
            "operationId": f"read_{tool.name}",
            "tags": tool.tags or ("resources",),
            **({"description": text} if text else {}),
            **({"parameters": parameters} if parameters else {}),
            "responses": {
                "200": {"description": "The resource", "content": content},
                "400": failure("Refused"),
                "404": failure("Not there"),
            },
        },
    }


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
