"""Keys of other tools, with the keys of this language that they stand for."""

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
