"""Lower a catalog to its OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from brimgen.emit.openapi.fixed_routes import (
    COMPONENTS,
    closed,
    content,
    content_of,
    parameter,
    paths,
    ref,
)
from brimgen.model.catalog import Catalog, ResourceBody, TemplateBody, Tool
from brimgen.model.json import Json, JsonObject
from brimgen.model.paths import PathLiteral

_DATA = frozenset(["const", "default", "enum", "example", "examples"])
_NAMED = frozenset(
    ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"]
)


def document(catalog: Catalog) -> JsonObject:
    """Return the whole document; only tools that are offered have routes of their own."""
    tools = [tool for tool in catalog.tools if tool.enabled and tool.is_for("openapi")]
    schemas: dict[str, Json] = dict(COMPONENTS)
    routes: dict[str, Json] = dict(paths())
    shapes: set[str] = set()
    for tool in tools:
        if isinstance(tool.body, TemplateBody):
            continue
        key = f"{tool.name}.input"
        if isinstance(tool.body, ResourceBody):
            path, item = _resource(tool, tool.body)
            shape = re.sub(r"\{[^{}]*\}", "{}", path)
            if shape not in shapes and path not in routes:
                shapes.add(shape)
                routes[path] = item
            continue
        schemas[key] = as_component(tool.input_schema, key)
        if tool.returns is not None:
            out = f"{tool.name}.output"
            schemas[out] = as_component(tool.returns.schema, out)
        routes[_invoke_path(tool, catalog)] = {"post": _invoke(tool)}
    return {
        "openapi": "3.1.0",
        "info": {"title": catalog.project.package, "version": "1.0.0"},
        "servers": [{"url": "/tools"}],
        "paths": routes,
        "components": {"schemas": schemas},
    }


def _invoke_path(tool: Tool, catalog: Catalog) -> str:
    """Return the seed's route with the values of a tool; a tool of no bundle goes by its name."""
    for bundle in catalog.bundles:
        if bundle.name == tool.bundle:
            parts = (bundle.identity.id or bundle.slug, tool.slug, tool.version)
            owner, slug, version = (quote(each or "", safe="") for each in parts)
            return f"/bundles/{owner}/tools/{slug}/version/{version}/invoke"
    return f"/tools/{tool.name}/invoke"


def _invoke(tool: Tool) -> JsonObject:
    answer: JsonObject = {"type": "null"}
    if tool.returns is not None:
        answer = ref(f"{tool.name}.output")
    value = closed({"ok": {"const": True}, "value": answer}, "ok", "value")
    text = "\n\n".join(each for each in (tool.description, tool.when_to_use) if each)
    failure = content_of(ref("Failure"))
    return {
        "operationId": f"invoke_{tool.name}",
        "tags": list(tool.tags) or ["invoke"],
        **({"summary": tool.title} if tool.title else {}),
        **({"description": text} if text else {}),
        "requestBody": content(closed({"args": ref(f"{tool.name}.input")}, "args")),
        "responses": {
            "200": {"description": "The value", **content_of(value)},
            "400": {"description": "Arguments that are refused", **failure},
            "default": {"description": "Why there is no value", **failure},
        },
    }


def _resource(tool: Tool, body: ResourceBody) -> tuple[str, JsonObject]:
    """Return the path of a resource at the root of the server, not below ``/tools``."""
    fields = {each.name: each for each in tool.fields}
    path = "".join(
        f"/{each.text}" if isinstance(each, PathLiteral) else f"/{{{each.name}}}"
        for each in body.segments
    )
    given: list[Json] = []
    for segment in body.segments:
        if isinstance(segment, PathLiteral):
            continue
        schema = as_component(fields[segment.name].schema, "")
        made = parameter(segment.name, "path", schema)
        given.append({**made, **({"x-rest": True} if segment.rest else {})})
    for name in body.query:
        field = fields[name]
        made = parameter(
            name, "query", as_component(field.schema, ""), required=field.required
        )
        given.append(made)
    kind = body.mime_type or tool.mcp.mime_type or "text/plain"
    answer: Json = {"schema": {"type": "string"}}
    operation: JsonObject = {
        "operationId": f"read_{tool.name}",
        "tags": list(tool.tags) or ["resources"],
        **({"description": tool.description} if tool.description else {}),
        **({"parameters": given} if given else {}),
        "responses": {
            "200": {"description": "The resource", "content": {kind: answer}},
            "400": {"description": "Refused", **content_of(ref("Failure"))},
            "404": {"description": "Not there", **content_of(ref("Failure"))},
        },
    }
    return path, {"servers": [{"url": "/"}], "get": operation}


def as_component(schema: JsonObject, key: str) -> JsonObject:
    """Return a schema as a component: its references to itself lead to its new place."""
    place = f"#/components/schemas/{key}" if key else ""

    def move(value: Json, *, named: bool = False) -> Json:
        if isinstance(value, Mapping):
            return {
                name: _moved_member(name, each, named=named)
                for name, each in value.items()
                if named or name not in ("$id", "$schema")
            }
        if isinstance(value, Sequence) and not isinstance(value, str):
            return [move(each) for each in value]
        return value

    def _moved_member(name: str, value: Json, *, named: bool) -> Json:
        if named:
            return move(value)
        if name == "$ref" and isinstance(value, str) and place:
            inside = value == "#" or value.startswith("#/")
            return place + value.removeprefix("#") if inside else value
        if name in _DATA:
            return value
        return move(value, named=name in _NAMED)

    made = move(schema)
    assert isinstance(made, Mapping)
    return made
