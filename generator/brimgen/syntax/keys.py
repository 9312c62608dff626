"""The one table of keys: the reader, its suggestions and the schema of editors come from it.

A row is a key, the shape of its value, and the text that editors show.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from brimgen.model.targets import target_names
from brimgen.syntax import shapes
from brimgen.syntax.decls import ToolKind
from brimgen.syntax.json_schema import KEYWORDS
from brimgen.syntax.reader import Keys, Shape, table
from brimgen.syntax.words_of_others import FOREIGN_ROLES
from brimgen_runtime.grammar.headers import METHODS

Rows = Mapping[str, tuple[Shape, str]]

MODES = ("complex", "standard")
ROLES = ("system", "user", "assistant")
READY_KINDS = ("describe_tables", "query")
"""The kinds of SQL tools whose statement is ready-made."""
TARGET = shapes.Choice(
    target_names(), label="a target (`brimgen explain --targets` lists them)"
)

ENCODINGS = ("json", "text", "base64")
AUTH_TYPES = ("bearer", "basic", "api_key", "oauth2", "hmac")
OF_AUTH: Mapping[str, tuple[str, ...]] = {
    "bearer": ("token",),
    "basic": ("username", "password"),
    "api_key": ("name", "value"),
    "oauth2": ("tokenUrl", "clientId", "clientSecret"),
    "hmac": ("name", "key", "message"),
}
"""The keys that each type needs."""
MORE_OF_AUTH: Mapping[str, tuple[str, ...]] = {
    "api_key": ("in",),
    "oauth2": ("clientAuth", "refreshToken", "scope"),
    "hmac": ("value", "algorithm", "encoding", "timestamp"),
}


def _intended_auth(text: str) -> str:
    """Suggest the block for ``Bearer ${TOKEN}``, the text of the header, or for a type alone."""
    kind, _, token = text.partition(" ")
    if text in OF_AUTH:
        keys = ", ".join(f'{key}: "…"' for key in OF_AUTH[text])
        return f"{{type: {text}, {keys}}}"
    if kind.lower() != "bearer" or not token:
        return ""
    return f'{{type: bearer, token: "{token.strip()}"}}'


def _intended_retry(text: str) -> str:
    """Suggest the block for a number of attempts."""
    return f"{{maxAttempts: {text}}}" if text.isascii() and text.isdigit() else ""


def _intended_response(text: str) -> str:
    """Suggest the block for an encoding or a status code."""
    if text in ENCODINGS:
        return f"{{encoding: {text}}}"
    return f"{{successCodes: [{text}]}}" if re.fullmatch("[1-5][0-9]{2}", text) else ""


_PRIMITIVES = frozenset({"string", "integer", "number", "boolean"})


def _intended_schema(text: str) -> str:
    """Suggest the schema with this type."""
    return f"{{type: {text}}}" if text in _PRIMITIVES else ""


_ATTRIBUTES: Rows = {
    "description": (shapes.text, "What the value means. Models read it."),
    "title": (shapes.text, "A name for people."),
    "default": (
        shapes.anything,
        "The value where nothing was sent; it makes the argument optional.",
    ),
    "required": (shapes.flag, "`false` makes it optional."),
    "enum": (shapes.scalars, "The only values that are allowed."),
    "minimum": (shapes.bound, "The smallest value: a number, or a date."),
    "maximum": (shapes.bound, "The largest value: a number, or a date."),
    "exclusiveMinimum": (shapes.bound, "Values lie above this one."),
    "exclusiveMaximum": (shapes.bound, "Values lie below this one."),
    "multipleOf": (shapes.positive, "Values are multiples of this number."),
    "minLength": (shapes.count, "How many characters there are at least."),
    "maxLength": (shapes.count, "How many characters there are at most."),
    "pattern": (
        shapes.text,
        "A regular expression (ECMA-262) that is found in the value; `^` and `$` anchor"
        " it.",
    ),
    "format": (shapes.text, "A format of JSON Schema, such as `email` or `uri`."),
    "minItems": (shapes.count, "How many items there are at least."),
    "maxItems": (shapes.count, "How many items there are at most."),
    "uniqueItems": (shapes.flag, "Whether all items differ."),
    "precision": (shapes.count, "Of a decimal: how many digits there are at most."),
    "scale": (shapes.count, "Of a decimal: how many of them stand after the point."),
    "examples": (shapes.items, "Values as they might be sent."),
    "deprecated": (shapes.flag, "Whether it should no longer be sent."),
    "from_context": (
        shapes.text,
        "Where the context of the call has the value, a path that starts with `app` or "
        "`config`: `app.user.id`. Callers never see it.",
    ),
    "llm": (shapes.flag, "`false` hides it from callers; the host program passes it."),
    "bind": (
        shapes.choice("json"),
        "`json` binds an object or list as JSON text in SQL.",
    ),
    "embed": (
        shapes.flag,
        "Of a row of SQL: the entity is read from columns that begin with the field's "
        "name.",
    ),
    "wire": (
        shapes.choice("string"),
        "`string` sends a decimal as text, so that no digit is lost.",
    ),
    "tz": (
        shapes.choice("assume-utc", "required"),
        "`assume-utc` takes a datetime without an offset as UTC.",
    ),
}
_PARTS: Rows = {
    "type": (
        shapes.anything,
        "`int`, `float`, `decimal`, `bool`, `string`, `date`, `datetime`, `time`, "
        "`duration`, `bytes`, `uint64`, `primitive`, `object`, `array` or an entity; "
        "`T[]` is a list, `T?` may be left out or be null.",
    ),
    "fields": (shapes.anything, "The fields of an object without a name."),
    "items": (
        shapes.anything,
        "The type of the items of an `array`, and what else holds for each of them.",
    ),
}
_SYNONYMS_OF_FIELDS = {"min": "minimum", "max": "maximum", "enum_values": "enum"}
_NULLABLE = frozenset({"type", "default"})
ENTRY = table({**_PARTS, **_ATTRIBUTES}, _SYNONYMS_OF_FIELDS, _NULLABLE)
LISTED = table(
    {
        "name": (shapes.word, "The name of the argument, as it is sent."),
        **_PARTS,
        **_ATTRIBUTES,
    },
    _SYNONYMS_OF_FIELDS,
    _NULLABLE,
)
CONTENT_ROWS: Rows = {
    "entity_ref": (shapes.anything, "The entity whose fields are inherited."),
    "inline": (
        shapes.anything,
        "Arguments: a type each, or a mapping with `type` and more; or pasted JSON "
        "Schema.",
    ),
    "omit": (shapes.words, "Inherited arguments to leave out."),
    "descriptions": (
        shapes.mapping,
        "Descriptions of arguments, apart from their types; `a.b` reaches inner ones.",
    ),
    "mode": (
        shapes.choice(*MODES),
        "`standard` reads `inline` as JSON Schema, `complex` never does.",
    ),
}
CONTENT = table(CONTENT_ROWS)
_OF_RETURNS: Rows = {
    "type": (shapes.anything, "The type of what comes back."),
    "description": (shapes.text, "What it is, or what comes back."),
}
TYPED = table(_OF_RETURNS, nullable=frozenset({"type"}))
FIELDED = table({**_OF_RETURNS, "fields": _PARTS["fields"], "items": _PARTS["items"]})
"""Returns that are written like an argument."""
BLOCK = table({**CONTENT_ROWS, **_OF_RETURNS})
MESSAGE = table(
    {
        "role": (
            shapes.Choice(ROLES, FOREIGN_ROLES),
            "Who speaks: `system`, `user` or `assistant`.",
        ),
        "content": (
            shapes.content,
            "The text of the message, in Jinja: `{{ args.name }}`.",
        ),
    },
    {"template": "content"},
)
_REQUEST: Rows = {
    "method": (shapes.choice(*METHODS), "The method; `GET` where nothing is said."),
    "urlTemplate": (
        shapes.text,
        "The URL. `${name}` and `${a.b[0]}` name arguments and secrets; `${ids | "
        "comma}` joins the items of a list.",
    ),
    "query": (
        shapes.templates,
        "Parameters of the query, by name: `${ids}` repeats the pair for each item of a"
        " list, `${ids | comma}` joins them, `${filter | deep}` writes an object as "
        "pairs.",
    ),
    "headers": (shapes.templates, "Headers, by name."),
    "body": (shapes.anything, "The body: text, or a value that is sent as JSON."),
    "auth": (shapes.Block(_intended_auth), "How the request proves who sends it."),
    "timeoutMs": (
        shapes.positive_count,
        "How long to wait for an answer, in milliseconds.",
    ),
    "retry": (shapes.Block(_intended_retry), "When to try again."),
}
REQUEST = table(
    _REQUEST,
    {
        "url": "urlTemplate",
        "url_template": "urlTemplate",
        "params": "query",
        "timeout_ms": "timeoutMs",
    },
)
AUTH = table(
    {
        "type": (
            shapes.choice(*AUTH_TYPES),
            "`bearer` needs `token`; `basic` `username` and `password`; `api_key` "
            "`name` and `value`; `oauth2` `tokenUrl`, `clientId` and `clientSecret`; "
            "`hmac` `name`, `key` and `message`.",
        ),
        "token": (shapes.text, "The token, such as `${API_TOKEN}`."),
        "username": (shapes.text, "The user."),
        "password": (shapes.text, "The password, such as `${PASSWORD}`."),
        "in": (
            shapes.choice("header", "query"),
            "Where the key goes: `header` or `query`.",
        ),
        "name": (
            shapes.text,
            "The name of the header or parameter that holds the key.",
        ),
        "value": (
            shapes.text,
            "The key, such as `${API_KEY}`; of a signature the header, "
            "`sha256={signature}`.",
        ),
        "tokenUrl": (
            shapes.text,
            "Where an access token is given; its host must be allowed.",
        ),
        "clientId": (shapes.text, "The id of the client, such as `${CLIENT_ID}`."),
        "clientSecret": (
            shapes.text,
            "The secret of the client, such as `${CLIENT_SECRET}`.",
        ),
        "clientAuth": (
            shapes.choice("basic", "body"),
            "Where id and secret stand: `basic` in a header (as the standard wants), "
            "`body`.",
        ),
        "refreshToken": (
            shapes.text,
            "A refresh token, such as `${REFRESH_TOKEN}`; without it the client gets "
            "its own token (client credentials).",
        ),
        "scope": (shapes.text, "What the token is for, with spaces between."),
        "key": (shapes.text, "The key that signs, such as `${SIGNING_KEY}`."),
        "message": (
            shapes.text,
            "What is signed: `{method}\\n{path}\\n{timestamp}\\n{body}`; also `{url}`, "
            "`{host}`, `{query}` and `{body_sha256}`.",
        ),
        "algorithm": (
            shapes.choice("sha1", "sha256", "sha384", "sha512"),
            "The digest; `sha256` where nothing is said.",
        ),
        "encoding": (
            shapes.choice("hex", "base64"),
            "How the signature is written: `hex`, or `base64`.",
        ),
        "timestamp": (
            shapes.text,
            "The header that says when the request was signed, in seconds since 1970.",
        ),
    },
    {"valueTemplate": "value", "token_url": "tokenUrl"},
)
RETRY = table(
    {
        "maxAttempts": (shapes.positive_count, "How often to try in all (3)."),
        "delayMs": (
            shapes.count,
            "How long to wait before the second try, in milliseconds (200); it doubles "
            "each time.",
        ),
        "maxDelayMs": (
            shapes.count,
            "How long to wait at most, in milliseconds (10000).",
        ),
        "statusCodes": (
            shapes.codes,
            "The status codes that are worth another try (429, 502, 503, 504), as a "
            "failed connection is.",
        ),
        "anyMethod": (
            shapes.flag,
            "`true` tries again with methods that are not idempotent (POST and PATCH), "
            "too.",
        ),
    },
    {
        "max_attempts": "maxAttempts",
        "delay_ms": "delayMs",
        "max_delay_ms": "maxDelayMs",
        "status_codes": "statusCodes",
        "any_method": "anyMethod",
    },
)
RESPONSE = table(
    {
        "successCodes": (
            shapes.codes,
            "The status codes that count as success besides 200 to 299.",
        ),
        "errorMode": (
            shapes.choice("fail", "empty"),
            "`fail` gives an error for any other, `empty` an empty value.",
        ),
        "encoding": (
            shapes.choice(*ENCODINGS),
            "How the body of the answer is read: `json`, `text`, or `base64` of any "
            "bytes, for `returns: bytes`.",
        ),
        "strict_results": (
            shapes.flag,
            "`true` refuses an answer with properties or values of enums that `returns`"
            " does not know, or with a success code that is not listed; otherwise they "
            "are accepted.",
        ),
    },
    {
        "success_codes": "successCodes",
        "error_mode": "errorMode",
        "strict": "strict_results",
    },
)
_LIMITS: Rows = {
    "calls_per_minute": (
        shapes.positive_count,
        "The calls of one caller (client and subject of a token) in the last 60 "
        "seconds; of a bundle, those of all its tools together. Further ones are "
        "`busy`; `retry_after` says when to come back.",
    ),
    "max_request_bytes": (
        shapes.positive_count,
        "The bytes of the arguments, as JSON. More are `request_too_large`, before "
        "anything runs.",
    ),
    "max_response_bytes": (
        shapes.positive_count,
        "The bytes of the result, as JSON. More are `response_too_large`; a statement "
        "is rolled back.",
    ),
    "timeout": (
        shapes.positive,
        "The seconds of a call, if the service does not allow less; then it is "
        "`timeout`.",
    ),
}
_SYNONYMS_OF_LIMITS = {"maxCallsPerMinute": "calls_per_minute"}
LIMITS_OF_REQUESTS = table(
    {
        **_LIMITS,
        "max_retries": (
            shapes.count,
            "How often an HTTP request is tried again at most; then the answer of the "
            "last try counts.",
        ),
    },
    _SYNONYMS_OF_LIMITS,
)
"""Those of HTTP tools, and of bundles, which may have some."""
LIMITS: Mapping[ToolKind, Keys] = {
    **dict.fromkeys(ToolKind, table(_LIMITS, _SYNONYMS_OF_LIMITS)),
    ToolKind.HTTP: LIMITS_OF_REQUESTS,
}

_TOOL: Rows = {
    "type": (shapes.word, "What the document declares."),
    "name": (
        shapes.word,
        "The name by which models, clients and programs call it, unlike any other: a "
        "letter, then letters, digits, `_` and `-`, 64 characters at most; no device of"
        " Windows, such as `con`.",
    ),
    "title": (shapes.text, "A name for people."),
    "description": (
        shapes.text,
        "What it does and what it gives back. Models choose by this text.",
    ),
    "when_to_use": (
        shapes.text,
        "When a model is to take this tool rather than another, or none.",
    ),
    "arguments": (
        shapes.anything,
        "What a caller sends: `entity_ref` and `inline`, or a list of arguments.",
    ),
    "argSchema": (shapes.mapping, "What a caller sends, as JSON Schema."),
    "returns": (
        shapes.anything,
        "What comes back: a type such as `Order[]`, `{type, description}`, fields under"
        " `inline`, or a JSON Schema; of a statement also `rows` or `row`, as its "
        "database says. Without it, nothing.",
    ),
    "bundle": (shapes.word, "The bundle that the tool belongs to."),
    "slug": (shapes.word, "The name in a bundle: letters, digits and `-`, 64 at most."),
    "version": (
        shapes.word,
        "The version in a bundle, kept as it is written: `1.10` stays `1.10`.",
    ),
    "id": (shapes.word, "An identifier that never changes."),
    "createdAt": (
        shapes.text,
        "When it was made; kept in the lock file where it is not said.",
    ),
    "modifiedAt": (
        shapes.text,
        "When its structure changed last; kept in the lock file where it is not said.",
    ),
    "tags": (shapes.words, "Words to find the tool by."),
    "enabled": (shapes.flag, "`false`: it is built, but no target offers it."),
    "mcp": (
        shapes.mapping,
        "Hints for clients of the Model Context Protocol, such as `read_only`.",
    ),
    "profiles": (
        shapes.words,
        "What the tool promises to follow. `toolspec` requires descriptions of the tool,"
        " its inputs and its return value, a `when_to_use`, and types that a ToolSpec "
        "can express.",
    ),
    "targets": (
        shapes.Each(TARGET),
        "The targets that it is generated for; all, where nothing is said.",
    ),
}
_SYNONYMS = {
    "args": "arguments",
    "inputs": "arguments",
    "parameters": "arguments",
    "return_shape": "returns",
    "outputSchema": "returns",
    "displayName": "title",
    "isEnabled": "enabled",
}
_CALLED: Rows = {
    "confirm": (
        shapes.flag_or_text,
        "`true` asks a person before each call; a text is the question: `Cancel order "
        "${order_id}?`. A tool that only reads cannot have it.",
    ),
    "limits": (
        shapes.mapping,
        "What calls may take: how many a minute, how many bytes, how long.",
    ),
}
"""The keys of tools that models call."""
_HANDLER: Rows = {
    "handler": (
        shapes.text,
        "The function that answers, `package.module:function`; of an SQL tool, the file"
        " of its statement.",
    )
}
_OF_KIND: Mapping[ToolKind, Rows] = {
    ToolKind.SQL: {
        **_CALLED,
        "sql": (shapes.text, "The statement. `:name` binds an argument."),
        **_HANDLER,
        "connection": (
            shapes.word,
            "The configured database connection that the statement is for.",
        ),
        "strict": (shapes.flag, "`false` lets arguments go unused by the statement."),
        "choices": (
            shapes.choices,
            "SQL for each label of an enum argument: `sort: {newest: placed_at DESC}`. "
            "`{sort}` in the statement stands for the one that was chosen.",
        ),
        "variants": (
            shapes.flag_or_words,
            "`true` leaves a filter `(:x IS NULL OR …)` out of the statement while `x` "
            "is absent; or the list of such arguments.",
        ),
        "keyset": (
            shapes.texts,
            "Reads a list page by page: the column and direction of each optional "
            "argument that says where a page begins, `after_id: id DESC`. The statement"
            " has `{after}` and `{order}`.",
        ),
        "kind": (
            shapes.choice(*READY_KINDS),
            "A ready-made tool: `describe_tables` tells the columns of `tables`, "
            "`query` runs one SELECT over them that the caller has written.",
        ),
        "tables": (
            shapes.words,
            "The tables that a ready-made tool tells of or reads.",
        ),
        "max_rows": (
            shapes.positive_count,
            "How many rows a `query` returns at most; 100 unless it is said.",
        ),
    },
    ToolKind.PYTHON: {
        **_CALLED,
        **_HANDLER,
        "call": (
            shapes.choice("keywords"),
            "`keywords`: the function takes each argument as a keyword, in the type it "
            "declares.",
        ),
    },
    ToolKind.HTTP: {
        **_CALLED,
        "request": (shapes.mapping, "The HTTP request that answers."),
        "response": (
            shapes.Block(_intended_response),
            "What counts as success, and how its body is read.",
        ),
        "secrets": (
            shapes.words,
            "Names of values that the host program keeps, for `${NAME}`. They never "
            "appear in schemas or logs. `urlTemplate` may begin with one that holds the"
            " base URL of a service (`${SHOP_BASE_URL}/orders`): without `allowedHosts`,"
            " its host is the only one that is called.",
        ),
        "allowedHosts": (
            shapes.hosts,
            "Hosts that the request may reach: `api.example.com`, `*.example.com` (not "
            "`example.com` itself), `localhost:8080`; an empty list allows none. It only"
            " narrows what the project allows.",
        ),
    },
    ToolKind.TEMPLATE: {
        "template": (
            shapes.text,
            "The text of the prompt, in Jinja: `{{ args.name }}`. Blocks `<system>`, "
            "`<user>` and `<assistant>` make it several messages.",
        ),
        "messages": (shapes.anything, "The messages of the prompt, in order."),
        "template_engine": (shapes.choice("jinja2"), "Its language, `jinja2`."),
    },
    ToolKind.RESOURCE: {
        "path": (
            shapes.text,
            "The path of the resource: `/docs/{category}/{rest*}`. Each placeholder is "
            "an argument; `{rest*}` takes one or more segments.",
        ),
        **_HANDLER,
    },
}
_SYNONYMS_OF_KIND: Mapping[ToolKind, Mapping[str, str]] = {
    ToolKind.HTTP: {"allowed_hosts": "allowedHosts"},
}
TOOLS: Mapping[ToolKind, Keys] = MappingProxyType(
    {
        kind: table({**_TOOL, **rows}, {**_SYNONYMS, **_SYNONYMS_OF_KIND.get(kind, {})})
        for kind, rows in _OF_KIND.items()
    }
)
# What other systems wrote, read as kinds of this language.
_FUNC: Rows = {
    "func": (
        shapes.text,
        "The Go function that answers, of the system that wrote this document.",
    )
}
GO_IMPLEMENTATION = table(_FUNC)
GO = table(
    {
        **_TOOL,
        **_FUNC,
        "goImpl": (shapes.mapping, "The Go function that answers, under `func`."),
    },
    _SYNONYMS,
)
API = table(
    {**_TOOL, **_OF_KIND[ToolKind.HTTP], **_REQUEST},
    {**TOOLS[ToolKind.HTTP].synonyms, **REQUEST.synonyms},
)
_MCP: Rows = {
    "title": (shapes.text, "The title that clients show."),
    "description": (shapes.text, "A text of its own for MCP."),
    "read_only": (shapes.flag, "It changes nothing."),
    "destructive": (shapes.flag, "It may delete or overwrite."),
    "idempotent": (shapes.flag, "Calling it twice does what calling it once does."),
    "open_world": (shapes.flag, "It reaches systems outside."),
    "mime_type": (shapes.text, "The media type of a resource."),
    "uri_scheme": (shapes.word, "The scheme of a resource's URI."),
    "meta": (shapes.mapping, "Keys of `_meta`, prefixed: `com.example/owner`."),
}
_MCP_SYNONYMS: Mapping[str, str] = {
    "readOnlyHint": "read_only",
    "destructiveHint": "destructive",
    "idempotentHint": "idempotent",
    "openWorldHint": "open_world",
    "read_only_hint": "read_only",
    "destructive_hint": "destructive",
    "idempotent_hint": "idempotent",
    "open_world_hint": "open_world",
    "mimeType": "mime_type",
    "uriScheme": "uri_scheme",
    "_meta": "meta",
}
_EXPORTED_AS: Mapping[ToolKind, tuple[str, ...]] = {
    ToolKind.SQL: ("tool",),
    ToolKind.PYTHON: ("tool",),
    ToolKind.HTTP: ("tool",),
    ToolKind.TEMPLATE: ("prompt", "tool"),
    ToolKind.RESOURCE: ("resource", "tool"),
}
MCP_KEYS: Mapping[ToolKind, Keys] = {
    kind: table(
        {
            **_MCP,
            "type": (
                shapes.choice(*names),
                "What it is exported as: a `prompt` or `resource` also as `tool`.",
            ),
        },
        _MCP_SYNONYMS,
    )
    for kind, names in _EXPORTED_AS.items()
}
_ENTITY: Rows = {
    "type": (shapes.word, "What the document declares."),
    "name": (
        shapes.word,
        "The name by which types mean it: a letter, then letters, digits, `_` and `-`.",
    ),
    "title": (shapes.text, "A name for people."),
    "description": (
        shapes.text,
        "What it is. Models read it wherever the entity is used.",
    ),
    "entity_ref": (shapes.anything, "The entity whose fields it inherits."),
    "omit": (shapes.words, "Inherited fields to leave out."),
    "descriptions": (
        shapes.mapping,
        "Descriptions of fields, apart from their types; `a.b` reaches inner ones.",
    ),
    "mode": (
        shapes.choice(*MODES),
        "`standard` reads `fields` as JSON Schema, `complex` never does.",
    ),
    "fields": (
        shapes.anything,
        "Its fields: a type each, or a mapping with `type` and more.",
    ),
    "properties": (
        shapes.mapping,
        "Its properties in JSON Schema; `required` and other keywords stand beside.",
    ),
    "enum": (
        shapes.scalars,
        "A closed list of values: then it is a type of its own for arguments.",
    ),
}
_SYNONYMS_OF_ENTITIES = {
    "inline": "fields",
    "displayName": "title",
    "enum_values": "enum",
}
ENTITY = table(_ENTITY, _SYNONYMS_OF_ENTITIES)
SCHEMA_ONLY = KEYWORDS - frozenset(ENTITY) - {"default", "const"}
"""The keywords that stand beside `properties` of an entity."""
WITH_SCHEMA = table(
    {**_ENTITY, **dict.fromkeys(sorted(SCHEMA_ONLY), (shapes.anything, ""))},
    _SYNONYMS_OF_ENTITIES,
)
LEAF = table(
    {
        "type": (shapes.word, "What the document declares."),
        "name": (
            shapes.word,
            "The name by which types mean it: a letter, then letters, digits, `_` and "
            "`-`.",
        ),
        "title": (shapes.text, "A name for people."),
        "description": (
            shapes.text,
            "What it is. It is told where the property has no description of its own.",
        ),
        "schema": (
            shapes.Block(_intended_schema),
            "What it is in JSON: a JSON Schema of one primitive `type`, with any "
            "constraints.",
        ),
        "python": (
            shapes.anything,
            "The Python type, or `{type, parse, dump}` with the functions between it "
            "and JSON.",
        ),
        "sql": (
            shapes.word,
            "What the database receives: by default the JSON value; `decimal`, `date` or"
            " `datetime` for a string that is one; `decimal` for a number.",
        ),
        "placeholder": (
            shapes.anything,
            "A value for documentation; it reaches no generated file.",
        ),
    },
    {"displayName": "title"},
)
LEAF_PYTHON = table(
    {
        "type": (
            shapes.text,
            "The class, `package.module:Name`, or `str`, `int`, `float`, `bool`.",
        ),
        "parse": (
            shapes.text,
            "The function from the JSON value to the Python value; the class itself "
            "where nothing is said.",
        ),
        "dump": (
            shapes.text,
            "The function from the Python value to the JSON value; for a string `str` "
            "where nothing is said.",
        ),
    }
)
BUNDLE = table(
    {
        "type": (shapes.word, "What the document declares."),
        "name": (shapes.word, "The name by which tools mean it."),
        "id": (
            shapes.word,
            "An identifier that never changes (UUIDv7); kept in the lock file where it "
            "is not said.",
        ),
        "slug": (
            shapes.word,
            "The name for people and links: letters, digits and `-`, 64 at most.",
        ),
        "displayName": (shapes.text, "A name for people."),
        "description": (shapes.text, "What its tools have in common."),
        "isEnabled": (
            shapes.flag,
            "`false`: its tools are built, but no target offers them.",
        ),
        "createdAt": (
            shapes.text,
            "When it was made; kept in the lock file where it is not said.",
        ),
        "modifiedAt": (
            shapes.text,
            "When its structure changed last; kept in the lock file where it is not "
            "said.",
        ),
        "limits": (
            shapes.mapping,
            "What calls may take, besides the limits of each tool.",
        ),
    },
    {"title": "displayName", "enabled": "isEnabled"},
)
