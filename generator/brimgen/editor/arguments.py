"""Define fields and arguments, in all their forms, for documents to refer to."""

from __future__ import annotations

from brimgen.editor.schema_pieces import (
    ENTITY_NAME,
    ITEM_TYPE,
    LIST_TYPE,
    OBJECT_TYPE,
    Schema,
    has_value,
    keyed,
    or_null,
    ref,
    type_text,
)
from brimgen.syntax.fields import LONGEST_NAME, OF_THE_ITEM, OF_THE_LIST
from brimgen.syntax.json_schema import KEYWORDS
from brimgen.syntax.keys import BLOCK, CONTENT, ENTRY, FIELDED, LISTED, MODES, TYPED
from brimgen.syntax.reader import Keys

_NAMES: Schema = {
    "maxLength": LONGEST_NAME,
    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
}
_FINGERPRINT: Schema = {
    "type": "object",
    "anyOf": [
        {
            "required": ["$schema"],
            "properties": {"$schema": {"type": "string", "pattern": "://"}},
        },
        {
            "required": ["properties"],
            "properties": {
                "properties": {
                    "type": "object",
                    "additionalProperties": {"type": ["object", "boolean"]},
                }
            },
        },
    ],
}
"""See `brimgen.syntax.arguments.is_standard`."""
_OBJECT_OR_ROWS = rf"(?:{OBJECT_TYPE})|^\s*rows?\??\s*$"
"""The types of a result that has fields: beside those of a row, they declare columns anew."""


def definitions() -> dict[str, Schema]:
    """Everything about arguments, fields, types and pasted schemas, by name."""
    return {
        "arguments": _arguments("block"),
        "sqlArguments": _arguments("sqlBlock"),
        "implicitArguments": _implicit(),
        "block": block(CONTENT),
        "sqlBlock": block(CONTENT, infers=True),
        "inline": _inline("fields"),
        "inlineRefining": _inline("refiningFields"),
        "fields": _fields("field"),
        "refiningFields": _fields("refiningField"),
        "field": {"allOf": [ref("refiningField"), _is_typed()]},
        "refiningField": {
            "type": ["string", "object"],
            "if": {"type": "object"},
            "then": ref("entry"),
            "else": type_text(),
        },
        "entry": _entry(ENTRY),
        "listedField": {
            "allOf": [_entry(LISTED), {"required": ["name"]}, _is_typed()],
        },
        "item": _item(),
        "returns": _returns(),
        "schema": _schema(),
        "pastedSchema": {"allOf": [{"type": "object"}, ref("schema")]},
    }


def _arguments(block: str) -> Schema:
    return {
        "type": ["object", "array"],
        "items": ref("listedField"),
        "if": {
            "type": "object",
            "anyOf": [{"required": ["inline"]}, {"required": ["entity_ref"]}],
        },
        "then": ref(block),
        "else": {
            "if": _FINGERPRINT,
            "then": ref("schema"),
            "else": ref("implicitArguments"),
        },
    }


def _implicit() -> Schema:
    """Return the schema of fields directly under ``arguments``, which are read with a warning."""
    texts_of_fields = {"type": "object", "additionalProperties": {"type": "string"}}
    return {
        "properties": {
            "mode": {"anyOf": [{"enum": list(MODES)}, ref("field")]},
            "descriptions": {"anyOf": [texts_of_fields, ref("field")]},
        },
        "additionalProperties": ref("field"),
        "propertyNames": _NAMES,
    }


def block(
    keys: Keys,
    *,
    fields: str = "inline",
    without: tuple[str, ...] = (),
    infers: bool = False,
) -> Schema:
    """A block with ``entity_ref`` and fields under the key ``fields``.

    With ``infers``, the schema of a database may tell the types of fields.
    """
    return keyed(
        keys,
        closer(fields),
        without=without,
        rules=inheritance(fields, infers=infers),
    )


def closer(fields: str) -> dict[str, Schema]:
    """The schemas of values in such a block that are narrower than their shapes."""
    return {
        "entity_ref": type_text(ENTITY_NAME),
        "descriptions": {
            "type": "object",
            "additionalProperties": {"type": "string"},
        },
        fields: {},
    }


def inheritance(*fields: str, infers: bool = False) -> list[Schema]:
    """The rules of ``entity_ref``: only with it (or ``infers``) a field needs no type.

    ``omit`` is permitted only with ``entity_ref``.
    """
    refining = {"properties": {key: ref("inlineRefining") for key in fields}}
    untyped = {"properties": {key: ref("inline") for key in fields}}
    plain = refining if infers else untyped
    omits = {"required": ["omit"], "properties": {"omit": {"minItems": 1}}}
    return [
        {
            "if": _mode("standard"),
            "then": {"properties": {key: _pasted() for key in fields}},
            "else": {"if": has_value("entity_ref"), "then": refining, "else": plain},
        },
        {"if": {"allOf": [has_value("omit"), omits]}, "then": has_value("entity_ref")},
    ]


def _mode(mode: str) -> Schema:
    return {"required": ["mode"], "properties": {"mode": {"const": mode}}}


def _pasted() -> Schema:
    return {"if": {"type": "object"}, "then": ref("schema"), "else": ref("inline")}


def _inline(fields: str) -> Schema:
    return {
        "type": ["object", "array", "null"],
        "if": _FINGERPRINT,
        "then": ref("schema"),
        "else": ref(fields),
    }


def _fields(field: str) -> Schema:
    return {
        "type": ["object", "array", "null"],
        "additionalProperties": ref(field),
        "propertyNames": _NAMES,
        "items": ref("listedField"),
    }


def _is_typed() -> Schema:
    """Return the rule that a field that inherits nothing needs a type."""
    alternatives = [{"required": [key]} for key in ("type", "fields", "items")]
    return {"anyOf": [{"type": "string"}, *alternatives]}


def _entry(keys: Keys, of_fields: str = OBJECT_TYPE) -> Schema:
    """The schema of a field; ``of_fields`` is the pattern of its type beside ``fields``."""
    more: dict[str, Schema] = {
        "type": type_text(),
        "fields": ref("fields"),
        "items": ref("item"),
    }
    if "name" in keys.shapes:
        more["name"] = {"type": ["string", "number", "boolean"], **_NAMES}
    rules = [_type_beside("fields", of_fields), _type_beside("items", LIST_TYPE)]
    if repeated := _not_on_items(keys):
        rules.append({"not": {"anyOf": repeated}})
    return keyed(keys, more, rules=rules)


def _type_beside(key: str, pattern: str) -> Schema:
    """The rule for ``type`` where ``key`` has a value."""
    return {
        "if": has_value(key),
        "then": {"properties": {"type": {"pattern": pattern}}},
    }


def _not_on_items(keys: Keys) -> list[Schema]:
    """Return the rules that a constraint is not set on a list and on its ``items``."""
    parts = {"name", "type", "fields", "items"}
    return [
        {
            "allOf": [
                has_value(key),
                {"required": ["items"], "properties": {"items": _has(key)}},
            ]
        }
        for key in keys.shapes
        if key not in parts | OF_THE_ITEM | OF_THE_LIST
    ]


def _has(key: str) -> Schema:
    return {"type": "object", **has_value(key)}


def _item() -> Schema:
    """The schema of ``items``, which describes one item and never a list."""
    entry = keyed(
        ENTRY,
        {"type": type_text(ITEM_TYPE), "fields": ref("fields")},
        without=(*OF_THE_LIST, "items"),
        rules=[_type_beside("fields", OBJECT_TYPE)],
    )
    return {
        "type": ["string", "object"],
        "if": {"type": "object"},
        "then": entry,
        "else": type_text(ITEM_TYPE),
    }


def _returns() -> Schema:
    typed = {
        "required": ["type"],
        "propertyNames": {"pattern": "^(?:type$|description$|x-)"},
    }
    plain = keyed(TYPED, {"type": or_null(type_text())})
    return {
        "type": ["string", "object"],
        "if": {"type": "string"},
        "then": type_text(),
        "else": {
            "if": {"anyOf": [{"required": ["inline"]}, {"required": ["entity_ref"]}]},
            "then": block(BLOCK, without=("type",)),
            "else": {
                "if": typed,
                "then": {"properties": plain["properties"]},
                "else": {
                    "if": {"anyOf": [_typed_items(), _fielded()]},
                    "then": _entry(FIELDED, _OBJECT_OR_ROWS),
                    "else": {"allOf": [ref("schema"), _says_something()]},
                },
            },
        },
    }


def _typed_items() -> Schema:
    return {"required": ["items"], "properties": {"items": {"type": "string"}}}


def _fielded() -> Schema:
    return {
        "allOf": [_here_or_in_items("fields"), {"not": _here_or_in_items("properties")}]
    }


def _here_or_in_items(key: str) -> Schema:
    """Whether a key is there, or in ``items``."""
    has = {"required": [key]}
    items = {"type": "object", **has}
    return {"anyOf": [has, {"required": ["items"], "properties": {"items": items}}]}


def _says_something() -> Schema:
    """Of a pasted schema at least one key is a keyword, or it only describes."""
    keywords = sorted(KEYWORDS - {"description"})
    no_keyword = {"propertyNames": {"not": {"enum": keywords}}}
    described = {"propertyNames": {"pattern": "^(?:description$|x-)"}}
    return {"anyOf": [{"not": no_keyword}, described]}


def _schema() -> Schema:
    """Pasted JSON Schema: offers its keywords; `resolve` checks their values."""
    named = ("properties", "patternProperties", "$defs", "definitions")
    single = ("additionalProperties", "items", "not", "if", "then", "else", "contains")
    properties: Schema = {key: {} for key in sorted(KEYWORDS)}
    properties |= {key: {"additionalProperties": ref("schema")} for key in named}
    properties |= {key: ref("schema") for key in single}
    properties["entity_ref"] = {"description": "An entity stands here."}
    properties["from_context"] = {"description": ENTRY.texts["from_context"]}
    properties["llm"] = {"description": ENTRY.texts["llm"]}
    return {"properties": properties}
