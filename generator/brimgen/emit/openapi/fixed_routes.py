"""Write the fixed routes of seed 002 as OpenAPI paths (S2.29-43; row F10).

They are relative to ``/tools``, which is the server of the document.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.model.json import Json, JsonObject

_STRING: JsonObject = {"type": "string"}
_FLAG: JsonObject = {"type": "boolean", "default": False}
_ID: JsonObject = {"type": "string", "format": "uuid"}
_SLUG: JsonObject = {"type": "string", "minLength": 1, "maxLength": 64}
_TIME: JsonObject = {"type": "string", "format": "date-time"}
_QUERIES: Mapping[str, JsonObject] = {
    "bundleIDs": {"type": "array", "items": _ID},
    "tags": {"type": "array", "items": _STRING},
    "q": {"type": "string", "minLength": 1},
    "includeDisabled": _FLAG,
    "pageSize": {"type": "integer", "minimum": 1},
    "recommendedPageSize": {"type": "integer", "minimum": 1},
    "pageToken": _STRING,
}
_PATHS: Mapping[str, JsonObject] = {
    "bundleID": _ID,
    "toolSlug": _SLUG,
    "version": _SLUG,
}
_TOOL = "/bundles/{bundleID}/tools/{toolSlug}/version/{version}"
_SWITCH = "EnabledPatch"

ROUTES: tuple[tuple[str, str, str, tuple[str, ...], str | None, str | None], ...] = (
    ("put", "/bundles/{bundleID}", "putBundle", (), "BundlePut", "Bundle"),
    ("patch", "/bundles/{bundleID}", "patchBundle", (), _SWITCH, "Bundle"),
    ("delete", "/bundles/{bundleID}", "deleteBundle", (), None, None),
    (
        "get",
        "/bundles",
        "listBundles",
        ("bundleIDs", "includeDisabled", "pageSize", "pageToken"),
        None,
        "BundlePage",
    ),
    ("put", _TOOL, "putTool", (), "ToolPut", "Tool"),
    ("patch", _TOOL, "patchTool", (), _SWITCH, "Tool"),
    ("delete", _TOOL, "deleteTool", (), None, None),
    ("get", _TOOL, "getTool", (), None, "Tool"),
    ("post", f"{_TOOL}/invoke", "invokeTool", (), "Invoke", "Result"),
    (
        "get",
        "/tools",
        "listTools",
        ("tags", "bundleIDs", "includeDisabled", "recommendedPageSize", "pageToken"),
        None,
        "ToolPage",
    ),
    (
        "get",
        "/tools/search",
        "searchTools",
        ("q", "includeDisabled", "pageSize", "pageToken"),
        None,
        "ToolPage",
    ),
)
"""Method, path, operation, the names of its query, its body and its answer."""


def paths() -> dict[str, dict[str, Json]]:
    """Return the path items of the table, in its order."""
    found: dict[str, dict[str, Json]] = {}
    for method, path, operation, queries, body, answer in ROUTES:
        given = [
            parameter(name, "path", schema)
            for name, schema in _PATHS.items()
            if f"{{{name}}}" in path
        ]
        asked = [
            parameter(name, "query", _QUERIES[name], required=name == "q")
            for name in queries
        ]
        made: dict[str, Json] = {"operationId": operation, "tags": [_tag(path)]}
        made.update({"parameters": [*given, *asked]} if given or asked else {})
        made.update({} if body is None else {"requestBody": content(ref(body))})
        made["responses"] = _responses(operation, answer)
        found.setdefault(path, {})[method] = made
    return found


def _tag(path: str) -> str:
    return "tools" if "/tools" in path else "bundles"


def _responses(operation: str, answer: str | None) -> JsonObject:
    error = {"description": "What is wrong", **content_of(ref("Failure"))}
    good: Json = {"description": "Done"}
    if answer is not None:
        good = {"description": "Done", **content_of(ref(answer))}
    found: dict[str, Json] = {"204" if answer is None else "200": good, "400": error}
    if not operation.startswith(("get", "list", "search")):
        found["403"] = error
    if operation == "putTool":
        found["409"] = error
    return {**found, "404": error}


def parameter(
    name: str, place: str, schema: JsonObject, *, required: bool = False
) -> dict[str, Json]:
    """Return a parameter; one in a path is always required."""
    needed = required or place == "path"
    return {"name": name, "in": place, "required": needed, "schema": schema}


def ref(name: str) -> JsonObject:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def content_of(schema: JsonObject) -> dict[str, Json]:
    """Return the ``content`` of JSON with a schema."""
    return {"content": {"application/json": {"schema": schema}}}


def content(schema: JsonObject) -> JsonObject:
    """Return a request body that is required."""
    return {"required": True, **content_of(schema)}


def closed(properties: Mapping[str, Json], *required: str) -> JsonObject:
    """Return the schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }


_TEXTS = {"displayName": _STRING, "description": _STRING}
_OBJECT: JsonObject = {"type": "object"}
_BACK_ENDS: Mapping[str, Json] = {"goImpl": _OBJECT, "httpImpl": _OBJECT}
_TOOL_BODY: Mapping[str, Json] = {
    **_TEXTS,
    "tags": {"type": "array", "items": _STRING},
    "type": {"enum": ["go", "http", "python", "sql", "template", "resource"]},
    "isEnabled": {"type": "boolean"},
    "argSchema": {"type": ["object", "boolean"]},
    "outputSchema": {"type": ["object", "boolean"]},
}
_BUNDLE: Mapping[str, Json] = {
    "slug": _SLUG,
    **_TEXTS,
    "isEnabled": {"type": "boolean"},
}
_KEPT: Mapping[str, Json] = {
    "isBuiltIn": {"type": "boolean"},
    "createdAt": _TIME,
    "modifiedAt": _TIME,
}
_USED: Mapping[str, Json] = {
    "callCount": {"type": "integer", "minimum": 0},
    "lastCalledAt": _TIME,
}
_FAILURE: JsonObject = {
    "type": "object",
    "properties": {
        "ok": {"const": False},
        "error": {
            "type": "object",
            "properties": {
                "code": _STRING,
                "message": _STRING,
                "status": {"type": "integer"},
            },
            "required": ["code", "message"],
        },
    },
    "required": ["ok", "error"],
    "additionalProperties": False,
}

COMPONENTS: Mapping[str, JsonObject] = {
    "BundlePut": closed(_BUNDLE, "slug", "displayName", "isEnabled"),
    "Bundle": closed({"id": _ID, **_BUNDLE, **_KEPT}, "id", "slug", "isEnabled"),
    "ToolPut": closed(
        {"id": _ID, **_TOOL_BODY, **_BACK_ENDS, "type": {"enum": ["go", "http"]}}
        | {"argSchema": _OBJECT, "outputSchema": _OBJECT},
        *("displayName", "type", "argSchema"),
    ),
    "Tool": closed(
        {"bundleID": _ID, "id": _ID, "slug": _SLUG, "version": _SLUG, "name": _STRING}
        | {**_TOOL_BODY, **_BACK_ENDS, **_KEPT, **_USED},
        *("id", "slug", "version", "isEnabled", "argSchema"),
    ),
    "EnabledPatch": closed({"isEnabled": {"type": "boolean"}}, "isEnabled"),
    "BundlePage": closed(
        {
            "bundles": {"type": "array", "items": ref("Bundle")},
            "nextPageToken": _STRING,
        },
        "bundles",
    ),
    "ToolPage": closed(
        {"tools": {"type": "array", "items": ref("Tool")}, "nextPageToken": _STRING},
        "tools",
    ),
    "Invoke": closed({"args": {"type": "object"}}, "args"),
    "Success": closed({"ok": {"const": True}, "value": True}, "ok", "value"),
    "Failure": _FAILURE,
    "Result": {"oneOf": [ref("Success"), ref("Failure")]},
}
"""The schemas that the routes of the table are told with."""
