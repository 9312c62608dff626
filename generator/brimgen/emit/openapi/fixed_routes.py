"""The fixed routes of seed 002 (S2.29-43; row F10); `openapi/components.json.j2` has their schemas.

They are relative to ``/tools``, which is the server of the document.
"""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.emit.openapi.view import Operation, Parameter, Route
from brimgen.model.json import JsonObject

_STRING: JsonObject = {"type": "string"}
_FLAG: JsonObject = {"type": "boolean", "default": False}
_ID: JsonObject = {"type": "string", "format": "uuid"}
_SLUG: JsonObject = {"type": "string", "minLength": 1, "maxLength": 64}
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


def fixed_routes() -> tuple[Route, ...]:
    """Return the routes of the table, in its order."""
    by_path: dict[str, list[Operation]] = {}
    for method, path, operation, queries, body, answer in ROUTES:
        in_path = [
            Parameter(name=name, place="path", is_required=True, schema=schema)
            for name, schema in _PATHS.items()
            if f"{{{name}}}" in path
        ]
        in_query = [
            Parameter(
                name=name,
                place="query",
                is_required=name == "q",
                schema=_QUERIES[name],
            )
            for name in queries
        ]
        described_operation = Operation(
            method=method,
            id=operation,
            tag=_tag(path),
            parameters=(*in_path, *in_query),
            body=body and reference(body),
            answer=answer and reference(answer),
            failures=_failures(operation),
        )
        by_path.setdefault(path, []).append(described_operation)
    return tuple(Route(path, tuple(operations)) for path, operations in by_path.items())


def _tag(path: str) -> str:
    return "tools" if "/tools" in path else "bundles"


def _failures(operation: str) -> tuple[str, ...]:
    """Return the status codes of an operation that fails; those that only read have fewer."""
    if operation.startswith(("get", "list", "search")):
        return ("400", "404")
    if operation == "putTool":
        return ("400", "403", "409", "404")
    return ("400", "403", "404")


def reference(name: str) -> str:
    """Return the reference to a schema of the document."""
    return f"#/components/schemas/{name}"
