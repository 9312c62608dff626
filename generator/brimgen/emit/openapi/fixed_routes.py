"""The fixed routes of seed 002 (S2.29-43; row F10), relative to ``/tools``, the server of the
document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brimgen.emit.openapi.components import ID, SLUG, STRING, reference
from brimgen.model.json import Json, JsonObject

_FLAG: JsonObject = {"type": "boolean", "default": False}
_QUERIES: Mapping[str, JsonObject] = {
    "bundleIDs": {"type": "array", "items": ID},
    "tags": {"type": "array", "items": STRING},
    "q": {"type": "string", "minLength": 1},
    "includeDisabled": _FLAG,
    "pageSize": {"type": "integer", "minimum": 1},
    "recommendedPageSize": {"type": "integer", "minimum": 1},
    "pageToken": STRING,
}
_PATHS: Mapping[str, JsonObject] = {
    "bundleID": ID,
    "toolSlug": SLUG,
    "version": SLUG,
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


def fixed_routes() -> dict[str, dict[str, JsonObject]]:
    """Return the operations of the table by path and method, in its order."""
    paths: dict[str, dict[str, JsonObject]] = {}
    for method, path, name, queries, body, answer in ROUTES:
        described: dict[str, Json] = {
            "operationId": name,
            "tags": ["tools" if "/tools" in path else "bundles"],
        }
        parameters = [
            *(
                parameter(variable, "path", schema)
                for variable, schema in _PATHS.items()
                if f"{{{variable}}}" in path
            ),
            *(
                parameter(query, "query", _QUERIES[query], is_required=query == "q")
                for query in queries
            ),
        ]
        if parameters:
            described["parameters"] = parameters
        if body:
            described["requestBody"] = {"required": True, **json_body(reference(body))}
        described["responses"] = {
            **(
                {"200": {"description": "Done", **json_body(reference(answer))}}
                if answer
                else {"204": {"description": "Done"}}
            ),
            **{status: failure("What is wrong") for status in _failures(name)},
        }
        paths.setdefault(path, {})[method] = described
    return paths


def parameter(
    name: str,
    place: str,
    schema: JsonObject,
    *,
    is_required: bool = True,
    is_rest: bool = False,
) -> JsonObject:
    """Return a parameter of an operation; ``place`` is ``path`` or ``query``."""
    rest = {"x-rest": True} if is_rest else {}
    return {
        "name": name,
        "in": place,
        "required": is_required,
        "schema": schema,
        **rest,
    }


def json_body(schema: JsonObject) -> JsonObject:
    """Return the content of a request or an answer in JSON."""
    return {"content": {"application/json": {"schema": schema}}}


def failure(text: str) -> JsonObject:
    """Return an answer that says what went wrong."""
    return {"description": text, **json_body(reference("Failure"))}


def _failures(operation: str) -> Sequence[str]:
    """Return the status codes of an operation that fails; those that only read have fewer."""
    if operation.startswith(("get", "list", "search")):
        return ("400", "404")
    if operation == "putTool":
        return ("400", "403", "409", "404")
    return ("400", "403", "404")
