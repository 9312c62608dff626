"""Make the leaves and the entities that are built in.

The placeholder of a leaf is checked against its schema and not kept (S4.23).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from brimgen.diagnostics import Diagnostics, Span, did_you_mean, rules
from brimgen.model.json import Json, JsonObject
from brimgen.model.leaves import LEAF, Leaf, LeafPython, PythonName, Shipped
from brimgen.model.scalars import ALIASES, OF_JSON_TYPE, SCALARS
from brimgen.model.types import Scalar
from brimgen.resolve.fields.canonical_schema import arrange
from brimgen.resolve.values import published_extensions, show
from brimgen.source.document import SourceFile
from brimgen.source.nodes import (
    Entry,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    Text,
    plain,
    plain_object,
)
from brimgen.syntax.decls import ArgumentsDecl, EntityDecl, LeafDecl

_NAME = re.compile(
    r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)",
    re.ASCII,
)
_IN_PYTHON = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
}
_REFERRING = ("$ref", "$dynamicRef", "$defs", "definitions", "$id")
_SHIPPED: Mapping[Shipped, tuple[str, str | None, Scalar]] = {
    Shipped.URL: ("uri", None, Scalar.STRING),
    Shipped.UUID: ("uuid", "UUID string", Scalar.STRING),
    Shipped.TIMESTAMP: ("date-time", "ISO 8601 date string", Scalar.DATETIME),
}


def shipped_leaves() -> dict[str, Leaf]:
    """Return the leaves of the language, whose schemas say the format of their values.

    That of ``url`` does not: seed 004 gives its schema without one.
    """
    leaves: dict[str, Leaf] = {}
    for shipped, (name, description, sql) in _SHIPPED.items():
        schema: dict[str, Json] = {"type": "string"}
        if shipped is not Shipped.URL:
            schema["format"] = name
        if description is not None:
            schema["description"] = description
        leaves[shipped.value] = Leaf(
            name=shipped.value,
            span=Span.at_file(BUILTIN_FILE),
            scalar=Scalar.STRING,
            schema=schema,
            sql=sql,
            shipped=shipped,
            description=description,
        )
    return leaves


def make_leaf(decl: LeafDecl, diagnostics: Diagnostics) -> Leaf | None:
    """The leaf that a document declares; None where it is unsound, which is reported."""
    root = decl.section.node("schema")
    if not isinstance(root, MapNode):
        return None
    from brimgen.resolve.standard.drafts import rewrite_older_draft
    from brimgen.resolve.standard.keyword_check import check_schema, read_dialect

    root = rewrite_older_draft(root, diagnostics)
    dialect = read_dialect(root, diagnostics)
    if dialect is None or not check_schema(root, dialect, diagnostics):
        return None
    scalar = _primitive(decl, root, diagnostics)
    if scalar is None:
        return None
    python, sound = _python(decl, scalar, diagnostics)
    sql = _sql(decl, scalar, diagnostics)
    document = plain_object(root)
    schema = _schema(decl, document, is_parsed=python is not None)
    _check_placeholder(decl, schema, diagnostics)
    if not sound or sql is None or not decl.sound:
        return None
    description = schema.get("description")
    return Leaf(
        name=decl.name.value,
        span=decl.name.span,
        scalar=scalar,
        schema=schema,
        sql=sql,
        python=python,
        description=description if isinstance(description, str) else None,
    )


def _primitive(
    decl: LeafDecl, root: MapNode, diagnostics: Diagnostics
) -> Scalar | None:
    for key in _REFERRING:
        entry = root.entry(key)
        if entry is not None:
            _not_primitive(decl, entry.key.span, f"one with `{key}`", diagnostics)
            return None
    kind = root.get("type")
    if isinstance(kind, ScalarNode) and kind.text in _IN_PYTHON:
        return OF_JSON_TYPE[kind.text]
    if kind is None:
        _not_primitive(decl, root.span, "one without `type`", diagnostics)
    else:
        written = f"`{kind.text}`" if isinstance(kind, ScalarNode) else show(kind)
        _not_primitive(decl, kind.span, written, diagnostics)
    return None


def _not_primitive(
    decl: LeafDecl, at: Span, actual: str, diagnostics: Diagnostics
) -> None:
    diagnostics.add(rules.LEAF_NOT_PRIMITIVE, at, name=decl.name.value, actual=actual)


def _schema(
    decl: LeafDecl, document: dict[str, Json], *, is_parsed: bool
) -> JsonObject:
    schema = {key: value for key, value in document.items() if key != "$schema"}
    description = decl.section.text("description")
    if description is not None:
        schema.setdefault("description", description.value)
    schema |= published_extensions(decl.section.extensions)
    if is_parsed:
        schema[LEAF] = decl.name.value
    return arrange(schema)


def _python(
    decl: LeafDecl, scalar: Scalar, diagnostics: Diagnostics
) -> tuple[LeafPython | None, bool]:
    """Return the Python type of a leaf (None: that of JSON), and whether its declaration is sound.

    Without ``parse``, the type itself is called; without ``dump``, the type of JSON.
    """
    if not decl.python:
        return None, True
    plain = PythonName("", _IN_PYTHON[SCALARS[scalar].json_type])
    names = {key: _python_name(text, diagnostics) for key, text in decl.python.items()}
    kind = names["type"]
    parse, dump = names.get("parse", kind), names.get("dump", plain)
    if kind is None or parse is None or dump is None:
        return None, False
    if names == {"type": plain}:
        return None, True
    return LeafPython(kind, parse, dump), True


def _python_name(text: Text, diagnostics: Diagnostics) -> PythonName | None:
    if text.value in _IN_PYTHON.values():
        return PythonName("", text.value)
    match = _NAME.fullmatch(text.value)
    if match is not None:
        return PythonName(match["module"], match["name"])
    module, dot, name = text.value.rpartition(".")
    intended = f"{module}:{name}"
    near = (intended,) if dot and _NAME.fullmatch(intended) else ()
    diagnostics.add(rules.BAD_PYTHON_NAME, text.span, suggestions=near, text=text.value)
    return None


def _sql(decl: LeafDecl, scalar: Scalar, diagnostics: Diagnostics) -> Scalar | None:
    sql = decl.section.text("sql")
    if sql is None:
        return scalar
    kind = SCALARS[scalar].json_type
    possible = [candidate for candidate, row in SCALARS.items() if kind in row.sql_of]
    word = ALIASES.get(sql.value)
    if word in possible:
        return word
    near = did_you_mean(sql.value, [candidate.value for candidate in possible])
    article = f"{'an' if kind == 'integer' else 'a'} {scalar.value}"
    diagnostics.add(
        rules.LEAF_SQL,
        sql.span,
        suggestions=near,
        article=article,
        text=sql.value,
    )
    return None


def _check_placeholder(
    decl: LeafDecl, schema: JsonObject, diagnostics: Diagnostics
) -> None:
    placeholder = decl.section.node("placeholder")
    if placeholder is None:
        return
    from brimgen.judging.rejection import rejection

    reason = rejection(schema, plain(placeholder))
    if reason is not None:
        name = decl.name.value
        diagnostics.add(
            rules.BAD_LEAF_PLACEHOLDER, placeholder.span, name=name, reason=reason
        )


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
        description=description,
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
