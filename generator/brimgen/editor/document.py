"""The JSON Schema of specs: one definition for each kind of document."""

from __future__ import annotations

from collections.abc import Callable

from brimgen.editor.arguments import closer, definitions, inheritance
from brimgen.editor.schema_pieces import (
    Schema,
    at_most_one,
    clashes,
    has_value,
    keyed,
    or_null,
    ref,
    spellings,
)
from brimgen.frozen import dataclass
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.documents import BUNDLE_TYPE, ENTITY_TYPE, LEAF_TYPE
from brimgen.syntax.keys import (
    API,
    AUTH,
    BUNDLE,
    ENTITY,
    ENTRY,
    GO,
    GO_IMPLEMENTATION,
    LEAF,
    LEAF_PYTHON,
    LIMITS,
    LIMITS_OF_REQUESTS,
    MCP_KEYS,
    MESSAGE,
    OF_AUTH,
    REQUEST,
    RESPONSE,
    RETRY,
    TOOLS,
    WITH_SCHEMA,
)
from brimgen.syntax.reader import Keys


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document: its ``type``, and the function that makes its schema."""

    type: str
    summary: str
    schema: Callable[[], Schema]


def _sql() -> Schema:
    return tool(
        ToolKind.SQL,
        {"arguments": ref("sqlArguments")},
        rules=exactly_one_of("sql", "handler", "kind"),
    )


def _python() -> Schema:
    return tool(ToolKind.PYTHON)


def _go() -> Schema:
    inner = keyed(GO_IMPLEMENTATION)
    return tool(ToolKind.PYTHON, {"goImpl": inner}, keys=GO)


def _http() -> Schema:
    return tool(ToolKind.HTTP, rules=[has_value("request")])


def _api() -> Schema:
    """Return the keys of a request, which stand at the top level or under ``request``."""
    return tool(
        ToolKind.HTTP,
        _parts_of_requests(),
        keys=API,
        rules=[{"anyOf": [has_value("request"), _has_url()]}],
    )


def _template() -> Schema:
    message = {**keyed(MESSAGE), "required": ["role"]}
    message["allOf"] = [*message["allOf"], has_value("content", "template")]
    messages = {"type": "array", "items": message, "minItems": 1}
    return tool(
        ToolKind.TEMPLATE,
        {"messages": messages},
        rules=exactly_one_of("template", "messages"),
    )


def _resource() -> Schema:
    return tool(ToolKind.RESOURCE, rules=[has_value("path")])


def tool(
    kind: ToolKind,
    more: dict[str, Schema] | None = None,
    *,
    keys: Keys | None = None,
    rules: list[Schema] | None = None,
) -> Schema:
    """A document of a kind of tool, with ``more`` about the values of some keys.

    ``keys`` are those of other systems, where they differ.
    """
    written = {"type": "string", "pattern": "\\S"}
    own: dict[str, Schema] = {
        "arguments": ref("arguments"),
        "argSchema": ref("pastedSchema"),
        "returns": ref("returns"),
        "mcp": keyed(MCP_KEYS[kind]),
        "limits": keyed(LIMITS[kind]),
        "sql": written,
        "template": written,
        "request": ref("request"),
        "response": ref("response"),
    }
    table = TOOLS[kind] if keys is None else keys
    schemas = [has_value("argSchema"), has_value(*spellings(table, "arguments"))]
    return keyed(
        table,
        {**own, **(more or {})},
        rules=[{"not": {"allOf": schemas}}, *(rules or [])],
    )


def exactly_one_of(*keys: str) -> list[Schema]:
    """The rules that exactly one of ``keys`` has a value."""
    return [has_value(*keys), at_most_one(keys)]


def _entity() -> Schema:
    fields, enum = spellings(ENTITY, "fields"), spellings(ENTITY, "enum")
    forms = (*fields, "properties", *enum)
    values = {
        "type": "array",
        "items": {"type": ["string", "number"]},
        "minItems": 1,
    }
    rules = [
        *inheritance(*fields),
        has_value(*forms, "entity_ref"),
        at_most_one(forms),
        *(
            {"not": {"allOf": [has_value(key), has_value("entity_ref")]}}
            for key in enum
        ),
    ]
    own = {**closer("fields"), "enum": values}
    plain = keyed(ENTITY, own, rules=rules)
    pasted: Schema = {key: {} for key in WITH_SCHEMA.shapes if key not in ENTITY.shapes}
    with_schema = {**plain, "properties": {**pasted, **plain["properties"]}}
    with_schema["properties"]["properties"] = {
        "description": ENTITY.texts["properties"],
        **or_null({"type": "object", "additionalProperties": ref("schema")}),
    }
    return {"if": {"required": ["properties"]}, "then": with_schema, "else": plain}


def _leaf() -> Schema:
    python = {
        "type": ["string", "object"],
        "if": {"type": "object"},
        "then": keyed(LEAF_PYTHON, rules=[has_value("type")]),
    }
    own = {"schema": ref("pastedSchema"), "python": python}
    return keyed(LEAF, own, rules=[has_value("schema")])


def _bundle() -> Schema:
    limits = keyed(LIMITS_OF_REQUESTS)
    return keyed(BUNDLE, {"limits": limits})


def _of_requests() -> dict[str, Schema]:
    """A request and its parts, by name."""
    return {
        "request": keyed(REQUEST, _parts_of_requests(), rules=[_has_url()]),
        "response": keyed(RESPONSE),
        "auth": _auth(),
        "retry": keyed(RETRY),
    }


def _parts_of_requests() -> dict[str, Schema]:
    """The schemas of the parts of a request that are narrower than their shapes."""
    return {"auth": ref("auth"), "retry": ref("retry")}


def _has_url() -> Schema:
    """The rule that a request has a URL."""
    return has_value(*spellings(REQUEST, "urlTemplate"))


def _auth() -> Schema:
    needs = [
        {
            "if": {"required": ["type"], "properties": {"type": {"const": kind}}},
            "then": {"allOf": [has_value(*spellings(AUTH, key)) for key in keys]},
        }
        for kind, keys in OF_AUTH.items()
    ]
    return keyed(AUTH, rules=[has_value("type"), *needs])


TABLES: tuple[Keys, ...] = (
    ENTITY,
    LEAF,
    BUNDLE,
    MESSAGE,
    *TOOLS.values(),
    API,
    GO,
    *MCP_KEYS.values(),
    *LIMITS.values(),
    REQUEST,
    RESPONSE,
    AUTH,
    RETRY,
)
"""The tables of keys that documents are read by, beside those of arguments."""

KINDS: tuple[Kind, ...] = (
    Kind(ENTITY_TYPE, "a shape that tools share, or a closed list of values", _entity),
    Kind(LEAF_TYPE, "a type that is a primitive in JSON", _leaf),
    Kind(BUNDLE_TYPE, "tools that are switched on and off together", _bundle),
    Kind(ToolKind.SQL.value, "a tool that is a statement", _sql),
    Kind(ToolKind.PYTHON.value, "a tool that is a Python function", _python),
    Kind(ToolKind.HTTP.value, "a tool that is an HTTP request", _http),
    Kind(ToolKind.TEMPLATE.value, "a prompt", _template),
    Kind(ToolKind.RESOURCE.value, "something to read, by its path", _resource),
    Kind("go", "a tool of another system, a Go function there", _go),
    Kind("api_function", "an HTTP tool as Brimley 0.9 wrote it", _api),
)


FILE = "brimgen.schema.json"
"""How `init` calls the file that it writes the schema to."""


def spec_schema() -> Schema:
    """The JSON Schema of one document of a YAML spec file, valid in draft-07 and 2020-12.

    It accepts every valid spec and rejects wrong shapes; it does not check what names refer to, or
    whether values fit their types.
    """
    kinds = "; ".join(f"`{kind.type}`: {kind.summary}" for kind in KINDS)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A spec of brimgen",
        "type": "object",
        "required": ["type", "name"],
        "properties": {
            "type": {
                "description": f"What the document declares. {kinds}.",
                "enum": [kind.type for kind in KINDS],
            },
            "name": {
                "description": TOOLS[ToolKind.PYTHON].texts["name"],
                "type": ["string", "boolean"],
                "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
            },
        },
        "allOf": [
            {
                "if": {
                    "required": ["type"],
                    "properties": {"type": {"const": kind.type}},
                },
                "then": ref(kind.type),
            }
            for kind in KINDS
        ],
        "definitions": {
            **{kind.type: kind.schema() for kind in KINDS},
            **definitions(),
            **_of_requests(),
            **clashes((ENTRY, *TABLES)),
        },
    }
