"""Spellings of other systems, which are recognized only to say what is written here."""

from __future__ import annotations

from collections.abc import Mapping

SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "allowed_values": ("enum",),
    "annotations": ("mcp",),
    "callable": ("handler",),
    "choices": ("enum",),
    "code": ("handler",),
    "data": ("body",),
    "database": ("connection",),
    "datasource": ("connection",),
    "db": ("connection",),
    "desc": ("description",),
    "doc": ("description",),
    "domains": ("allowedHosts",),
    "endpoint": ("urlTemplate",),
    "entity": ("entity_ref",),
    "extends": ("entity_ref",),
    "fn": ("handler",),
    "func": ("handler",),
    "ge": ("minimum",),
    "gt": ("exclusiveMinimum",),
    "http": ("request",),
    "httpImpl": ("request",),
    "httpRequest": ("request",),
    "http_request": ("request",),
    "inherits": ("entity_ref",),
    "inputSchema": ("arguments",),
    "input_schema": ("arguments",),
    "json": ("body",),
    "label": ("title",),
    "le": ("maximum",),
    "lt": ("exclusiveMaximum",),
    "one_of": ("enum",),
    "optional": ("required",),
    "options": ("enum",),
    "output": ("returns",),
    "output_schema": ("returns",),
    "params": ("arguments",),
    "payload": ("body",),
    "prompt": ("template",),
    "query": ("sql",),
    "regex": ("pattern",),
    "result": ("returns",),
    "retries": ("retry",),
    "route": ("path",),
    "source": ("connection",),
    "statement": ("sql",),
    "status": ("successCodes",),
    "summary": ("description",),
    "text": ("content",),
    "uri": ("path", "urlTemplate"),
    "uriTemplate": ("path",),
    "url": ("urlTemplate", "path"),
    "values": ("enum",),
    "verb": ("method",),
}
"""Keys of other tools and the keys that they mean, the nearest first; none looks like a typo."""
FALSE_FRIENDS: Mapping[str, tuple[str, ...]] = {
    "in": (),
    "requestBody": ("arguments",),
    "request_body": ("arguments",),
    "responses": ("returns",),
    "returnType": ("returns",),
    "return_type": ("returns",),
}
"""Keys that look like a typo of one of our keys, but mean another one or none."""
DIFFERENT_VALUES = frozenset(
    {
        *("requestBody", "request_body", "responses"),
        *("httpImpl", "database", "datasource", "db", "source"),
        *("code", "ge", "gt", "inputSchema", "input_schema", "le", "lt", "optional"),
        *("retries", "route", "status", "uri", "uriTemplate"),
    }
)
"""Keys whose values differ from those of our key: bounds of lengths, or the opposite."""
FOREIGN_ROLES = (
    *(("human", "user"), ("developer", "system")),
    *((role, "assistant") for role in ("ai", "bot", "model")),
)
KEYWORDS_OF_OTHERS = {
    "min": ("minimum",),
    "max": ("maximum",),
    "enum_values": ("enum",),
    "fields": ("properties",),
    "nullable": (),
    "optional": ("required",),
}
"""Keywords of other schema languages, and those of JSON Schema that they mean."""
TYPE_OF_KEY = {
    "sql": "sql_function",
    "statement": "sql_function",
    "query": "sql_function",
    "template": "template_function",
    "messages": "template_function",
    "path": "resource",
    "request": "http_function",
    "url": "http_function",
    "urlTemplate": "http_function",
    "isEnabled": "bundle",
    "fields": "entity",
    "properties": "entity",
    "enum": "entity",
    "placeholder": "leaf",
    "handler": "python_function",
    **dict.fromkeys(("arguments", "args", "inputs"), "python_function"),
    "parameters": "python_function",
}
"""The type of a document without one, by a key that it has."""
WORDS_IN_TYPES = {
    "sql": "sql_function",
    "http": "http_function",
    "prompt": "template_function",
}
"""Words within a type of another system that identify it: ``postgres-sql``."""
TYPES_OF_OTHERS = {
    **dict.fromkeys(("function", "tool", "python_tool"), "python_function"),
    **dict.fromkeys(("query", "sql_tool", "sql_query"), "sql_function"),
    **dict.fromkeys(("prompt", "template"), "template_function"),
    **dict.fromkeys(("api", "rest", "http_tool", "request"), "http_function"),
    **dict.fromkeys(("enum", "object", "model", "schema", "class"), "entity"),
}
"""Types of documents of other systems, and those that they mean."""
NULLABLE = frozenset({"nullable", "null", "allow_null", "nullish"})
"""Keys of other languages that make a value nullable."""
KEYS_OF_TOOLS = {
    "tool_name": "name",
    "tool_type": "type",
    "tool_description": "description",
}
MCP_WORDS = frozenset(
    {
        *("read_only", "destructive", "idempotent", "open_world"),
        *("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"),
        *("mime_type", "mimeType", "uri_scheme", "uriScheme", "_meta"),
    }
)
"""Keys of ``mcp`` that no tool has."""
SYSTEMS = {
    "inputSchema": ("MCP", "mcp"),
    "input_schema": ("Anthropic", "anthropic"),
    "openapi": ("OpenAPI", "openapi"),
    "swagger": ("OpenAPI", "openapi"),
    "$schema": ("JSON Schema", "json_schema"),
}
"""Keys that identify documents of other systems, which have no ``type`` of ours."""
