"""Keys as other tools call them in, ours out: words that are not near each other in letters."""

from __future__ import annotations

from collections.abc import Mapping

ELSEWHERE: Mapping[str, tuple[str, ...]] = {
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
"""What other tools call a key of ours, the nearest first; none is near it in letters."""
FALSE_FRIENDS: Mapping[str, tuple[str, ...]] = {
    "in": (),
    "requestBody": ("arguments",),
    "request_body": ("arguments",),
    "responses": ("returns",),
    "returnType": ("returns",),
    "return_type": ("returns",),
}
"""Those that are near a key of ours in letters, and mean another one or none."""
NOT_QUITE = frozenset(
    {
        *("requestBody", "request_body", "responses"),
        *("httpImpl", "database", "datasource", "db", "source"),
        *("code", "ge", "gt", "inputSchema", "input_schema", "le", "lt", "optional"),
        *("retries", "route", "status", "uri", "uriTemplate"),
    }
)
"""Those whose values cannot be read as ours: bounds of lengths, too, and the opposite."""
