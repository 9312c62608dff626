"""The built-in entities: MCP's content block and prompt message."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics import Span
from brimgen.model.json import Json
from brimgen.source.document import SourceFile
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax.decls import ArgumentsDecl, EntityDecl, Text

BUILTIN_FILE = "brimgen"
_SPAN = Span.at_file(BUILTIN_FILE)

_TEXT: Json = {"type": "string"}
_CONTENT_BLOCK: Json = {
    "type": "object",
    "properties": {
        "type": {
            "type": "string",
            "enum": ["text", "image", "audio", "resource_link", "resource"],
        },
        "text": _TEXT,
        "data": {"type": "string", "contentEncoding": "base64"},
        "mimeType": _TEXT,
        "uri": _TEXT,
        "name": _TEXT,
        "title": _TEXT,
        "description": _TEXT,
        "size": {"type": "integer", "minimum": 0},
        "resource": {
            "type": "object",
            "properties": {
                "uri": _TEXT,
                "mimeType": _TEXT,
                "text": _TEXT,
                "blob": {"type": "string", "contentEncoding": "base64"},
            },
            "required": ["uri"],
            "additionalProperties": False,
        },
        "annotations": {"type": "object"},
        "_meta": {"type": "object"},
    },
    "required": ["type"],
    "additionalProperties": False,
    "oneOf": [
        {"properties": {"type": {"const": "text"}}, "required": ["text"]},
        {"properties": {"type": {"const": "image"}}, "required": ["data", "mimeType"]},
        {"properties": {"type": {"const": "audio"}}, "required": ["data", "mimeType"]},
        {
            "properties": {"type": {"const": "resource_link"}},
            "required": ["uri", "name"],
        },
        {"properties": {"type": {"const": "resource"}}, "required": ["resource"]},
    ],
}
_PROMPT_MESSAGE: Json = {
    "type": "object",
    "properties": {
        "role": {"type": "string", "enum": ["user", "assistant", "system"]},
        "content": {"entity_ref": "ContentBlock"},
    },
    "required": ["role", "content"],
    "additionalProperties": False,
}


def to_node(value: Json, span: Span) -> Node:
    """Return ``value`` as nodes that all stand at ``span``."""
    if isinstance(value, Mapping):
        return _to_map(value, span)
    if isinstance(value, list | tuple):
        return ListNode(span, tuple(to_node(item, span) for item in value))
    if isinstance(value, str):
        return ScalarNode(span, value, value, quoted=True)
    if value is None or isinstance(value, bool | int | float):
        return ScalarNode(span, "null" if value is None else str(value).lower(), value)
    raise TypeError(f"no JSON value: {value!r}")


def _to_map(value: Mapping[str, Json], span: Span) -> MapNode:
    return MapNode(
        span,
        tuple(
            Entry(ScalarNode(span, key, key, quoted=True), to_node(member, span))
            for key, member in value.items()
        ),
    )


def _entity(name: str, description: str, schema: Json) -> EntityDecl:
    assert isinstance(schema, Mapping)
    root = _to_map(schema, _SPAN)
    return EntityDecl(
        file=SourceFile(BUILTIN_FILE, BUILTIN_FILE, ""),
        span=_SPAN,
        name=Text(name, _SPAN),
        description=Text(description, _SPAN),
        content=ArgumentsDecl(span=_SPAN, standard=root),
    )


BUILTIN_ENTITIES: Mapping[str, EntityDecl] = MappingProxyType(
    {
        "ContentBlock": _entity(
            "ContentBlock", "A piece of content of a message.", _CONTENT_BLOCK
        ),
        "PromptMessage": _entity(
            "PromptMessage", "A message of a prompt.", _PROMPT_MESSAGE
        ),
    }
)
