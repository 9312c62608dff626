"""The schemas of the fixed routes of seed 002 (S2.29-43; row F10)."""

from __future__ import annotations

from brimgen.model.json import Json, JsonObject


def reference(name: str) -> JsonObject:
    """Return a schema that refers to one of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed_object(required: str, properties: JsonObject) -> JsonObject:
    """Return the schema of an object with no other ``properties``, of which some are
    ``required``, names with spaces between them.
    """
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


STRING: JsonObject = {"type": "string"}
SLUG: JsonObject = {"type": "string", "minLength": 1, "maxLength": 64}
ID: JsonObject = {"type": "string", "format": "uuid"}
_TIME: JsonObject = {"type": "string", "format": "date-time"}
_FLAG: JsonObject = {"type": "boolean"}
_OBJECT: JsonObject = {"type": "object"}
_SCHEMA: JsonObject = {"type": ["object", "boolean"]}
_STRINGS: JsonObject = {"type": "array", "items": STRING}
_DAMAGED: JsonObject = {
    "description": "The files of the store that are left out because they cannot be read.",
    **_STRINGS,
}
_ERROR: JsonObject = {
    "type": "object",
    "properties": {"code": STRING, "message": STRING, "status": {"type": "integer"}},
    "required": ["code", "message"],
}


def _page(key: str, item: str) -> JsonObject:
    items: JsonObject = {"type": "array", "items": reference(item)}
    page: JsonObject = {key: items, "nextPageToken": STRING, "damaged": _DAMAGED}
    return closed_object(key, page)


def success(value: Json) -> JsonObject:
    """Return the schema of an answer that holds a value of the schema ``value``."""
    return closed_object("ok value", {"ok": {"const": True}, "value": value})


COMPONENTS: JsonObject = {
    "BundlePut": closed_object(
        "slug displayName isEnabled",
        {
            "slug": SLUG,
            "displayName": STRING,
            "description": STRING,
            "isEnabled": _FLAG,
        },
    ),
    "Bundle": closed_object(
        "id slug isEnabled",
        {
            "id": ID,
            "slug": SLUG,
            "displayName": STRING,
            "description": STRING,
            "isEnabled": _FLAG,
            "isBuiltIn": _FLAG,
            "createdAt": _TIME,
            "modifiedAt": _TIME,
        },
    ),
    "ToolPut": closed_object(
        "displayName type argSchema",
        {
            "id": ID,
            "displayName": STRING,
            "description": STRING,
            "tags": _STRINGS,
            "type": {"enum": ["go", "http"]},
            "isEnabled": _FLAG,
            "argSchema": _OBJECT,
            "outputSchema": _OBJECT,
            "goImpl": _OBJECT,
            "httpImpl": _OBJECT,
        },
    ),
    "Tool": closed_object(
        "id slug version isEnabled argSchema",
        {
            "bundleID": ID,
            "id": ID,
            "slug": SLUG,
            "version": SLUG,
            "name": STRING,
            "displayName": STRING,
            "description": STRING,
            "tags": _STRINGS,
            "type": {"enum": ["go", "http", "python", "sql", "template", "resource"]},
            "isEnabled": _FLAG,
            "argSchema": _SCHEMA,
            "outputSchema": _SCHEMA,
            "goImpl": _OBJECT,
            "httpImpl": _OBJECT,
            "isBuiltIn": _FLAG,
            "createdAt": _TIME,
            "modifiedAt": _TIME,
            "callCount": {"type": "integer", "minimum": 0},
            "lastCalledAt": _TIME,
        },
    ),
    "EnabledPatch": closed_object("isEnabled", {"isEnabled": _FLAG}),
    "BundlePage": _page("bundles", "Bundle"),
    "ToolPage": _page("tools", "Tool"),
    "Invoke": closed_object("args", {"args": _OBJECT}),
    "Success": success(True),
    "Failure": closed_object("ok error", {"ok": {"const": False}, "error": _ERROR}),
    "Result": {"oneOf": [reference("Success"), reference("Failure")]},
}
