"""The text that an editor shows for each key of the language."""

from __future__ import annotations

from collections.abc import Mapping

TOOL: Mapping[str, str] = {
    "type": "What the document declares.",
    "name": "The name by which models, clients and programs call it: a letter, then letters, "
    "digits, `_` and `-`, 64 characters at most.",
    "title": "A name for people.",
    "description": "What it does and what it gives back. Models choose by this text.",
    "when_to_use": "When a model is to take this tool rather than another, or none.",
    "arguments": "What a caller sends: `entity_ref` and `inline`, or a list of arguments.",
    "argSchema": "What a caller sends, as JSON Schema.",
    "returns": "What comes back: a type such as `Order[]`, `{type, description}`, fields under "
    "`inline`, or a JSON Schema; of a statement also `rows` or `row`, as its database says. "
    "Without it, nothing.",
    "bundle": "The bundle that the tool belongs to.",
    "slug": "The name in a bundle: letters, digits and `-`, 64 at most.",
    "version": "The version in a bundle, kept as it is written: `1.10` stays `1.10`.",
    "id": "An identifier that never changes.",
    "createdAt": "When it was made; kept in the lock file where it is not said.",
    "modifiedAt": "When its structure changed last; kept in the lock file where it is not said.",
    "tags": "Words to find the tool by.",
    "enabled": "`false` leaves it out of everything that is generated.",
    "confirm": "`true` asks a person before each call; a text is the question: "
    "`Cancel order ${order_id}?`.",
    "limits": "What calls may take: how many a minute, how many bytes, how long.",
    "mcp": "Hints for clients of the Model Context Protocol.",
    "profiles": "Rules of a house that the tool must keep, such as `toolspec`.",
    "targets": "The targets that it is generated for; all, where nothing is said.",
    "sql": "The statement. `:name` binds an argument.",
    "handler": "The function that answers, `package.module:function`; of an SQL tool, the file "
    "of its statement.",
    "call": "`keywords`: the function takes each argument as a keyword, in the type it declares.",
    "connection": "The configured database connection that the statement is for.",
    "strict": "`false` lets arguments go unused by the statement.",
    "choices": "SQL for each label of an enum argument: `sort: {newest: placed_at DESC}`. `{sort}` "
    "in the statement stands for the one that was chosen.",
    "variants": "`true` leaves a filter `(:x IS NULL OR …)` out of the statement while `x` is "
    "absent; or the list of such arguments.",
    "kind": "A ready-made tool: `describe_tables` tells the columns of `tables`, `query` runs one "
    "SELECT over them that the caller has written.",
    "tables": "The tables that a ready-made tool tells of or reads.",
    "max_rows": "How many rows a `query` returns at most; 100 unless it is said.",
    "keyset": "Reads a list page by page: the column and direction of each optional argument that "
    "says where a page begins, `after_id: id DESC`. The statement has `{after}` and `{order}`.",
    "request": "The HTTP request that answers.",
    "response": "What counts as success, and how its body is read.",
    "secrets": "Names of secrets that `${NAME}` may use. They never appear in schemas or logs.",
    "allowedHosts": "Hosts that the request may reach: `api.example.com`, `*.example.com`. It only "
    "narrows what the project allows.",
    "func": "The Go function that answers, of the system that wrote this document.",
    "goImpl": "The Go function that answers, under `func`.",
    "template": "The text of the prompt, in Jinja: `{{ args.name }}`. Blocks `<system>`, `<user>` "
    "and `<assistant>` make it several messages.",
    "messages": "The messages of the prompt, in order.",
    "template_engine": "The language of the template.",
    "path": "The path of the resource: `/docs/{category}/{rest*}`. Each placeholder is an "
    "argument; `{rest*}` takes one or more segments.",
}
ENTITY: Mapping[str, str] = {
    "type": "What the document declares.",
    "name": "The name by which types mean it: a letter, then letters, digits, `_` and `-`.",
    "title": "A name for people.",
    "description": "What it is. Models read it wherever the entity is used.",
    "entity_ref": "The entity whose fields it inherits.",
    "omit": "Inherited fields to leave out.",
    "descriptions": "Descriptions of fields, apart from their types; `a.b` reaches inner ones.",
    "mode": "`standard` reads `fields` as JSON Schema, `complex` never does.",
    "fields": "Its fields: a type each, or a mapping with `type` and more.",
    "properties": "Its properties in JSON Schema; `required` and other keywords stand beside.",
    "enum": "A closed list of values: then it is a type of its own for arguments.",
}
ENTRY: Mapping[str, str] = {
    "name": "The name of the argument, as it is sent.",
    "type": "`int`, `float`, `decimal`, `bool`, `string`, `date`, `datetime`, `time`, "
    "`duration`, `bytes`, `uint64`, `primitive`, "
    "`object`, `array` or an entity; `T[]` is a list, `T?` may be left out or be null.",
    "fields": "The fields of an object without a name.",
    "items": "The type of the items of an `array`, and what else holds for each of them.",
    "description": "What the value means. Models read it.",
    "title": "A name for people.",
    "default": "The value where nothing was sent; it makes the argument optional.",
    "required": "`false` makes it optional.",
    "enum": "The only values that are allowed.",
    "minimum": "The smallest value: a number, or a date.",
    "maximum": "The largest value: a number, or a date.",
    "exclusiveMinimum": "Values lie above this one.",
    "exclusiveMaximum": "Values lie below this one.",
    "multipleOf": "Values are multiples of this number.",
    "minLength": "How many characters there are at least.",
    "maxLength": "How many characters there are at most.",
    "pattern": "A regular expression (ECMA-262) that is found in the value; `^` and `$` anchor it.",
    "format": "A format of JSON Schema, such as `email` or `uri`.",
    "minItems": "How many items there are at least.",
    "maxItems": "How many items there are at most.",
    "uniqueItems": "Whether all items differ.",
    "precision": "Of a decimal: how many digits there are at most.",
    "scale": "Of a decimal: how many of them stand after the point.",
    "examples": "Values as they might be sent.",
    "deprecated": "Whether it should no longer be sent.",
    "from_context": "Where the host program has the value: `app.user.id`. Callers never see it.",
    "llm": "`false` hides it from callers; the host program passes it.",
    "bind": "`json` binds an object or list as JSON text in SQL.",
    "embed": "Of a row of SQL: the entity is read from columns that begin with the field's name.",
    "wire": "`string` sends a decimal as text, so that no digit is lost.",
    "tz": "`assume-utc` takes a datetime without an offset as UTC.",
}
CONTENT: Mapping[str, str] = {
    "entity_ref": "The entity whose fields are inherited.",
    "inline": "Arguments: a type each, or a mapping with `type` and more; or pasted JSON Schema.",
    "omit": "Inherited arguments to leave out.",
    "descriptions": "Descriptions of arguments, apart from their types; `a.b` reaches inner ones.",
    "mode": "`standard` reads `inline` as JSON Schema, `complex` never does.",
    "description": "What it is, or what comes back.",
    "type": "The type of what comes back.",
}
MCP: Mapping[str, str] = {
    "title": "The title that clients show.",
    "description": "A text of its own for MCP.",
    "read_only": "It changes nothing.",
    "destructive": "It may delete or overwrite.",
    "idempotent": "Calling it twice does what calling it once does.",
    "open_world": "It reaches systems outside.",
    "mime_type": "The media type of a resource.",
    "uri_scheme": "The scheme of a resource's URI.",
    "meta": "Keys of `_meta`, prefixed: `com.example/owner`.",
    "type": "What it is exported as.",
}
LIMITS: Mapping[str, str] = {
    "calls_per_minute": "The calls of one caller within a minute; further ones are `busy`.",
    "max_request_bytes": "The bytes of the arguments, as JSON.",
    "max_response_bytes": "The bytes of the result, as JSON.",
    "max_retries": "How often a request is tried again at most.",
    "timeout": "The seconds of a call.",
}
MESSAGE: Mapping[str, str] = {
    "role": "Who speaks.",
    "content": "The text of the message, in Jinja: `{{ args.name }}`.",
}
REQUEST: Mapping[str, str] = {
    "method": "The method; `GET` where nothing is said.",
    "urlTemplate": "The URL. `${name}` and `${a.b[0]}` name arguments and secrets; "
    "`${ids | comma}` joins the items of a list.",
    "query": "Parameters of the query, by name: `${ids}` repeats the pair for each item of a list, "
    "`${ids | comma}` joins them, `${filter | deep}` writes an object as pairs.",
    "headers": "Headers, by name.",
    "body": "The body: text, or a value that is sent as JSON.",
    "auth": "How the request proves who sends it.",
    "timeoutMs": "How long to wait for an answer, in milliseconds.",
    "retry": "When to try again.",
    "successCodes": "The status codes that count as success besides 200 to 299.",
    "errorMode": "`fail` gives an error for any other, `empty` an empty value.",
    "encoding": "How the body of the answer is read.",
    "strict_results": "`true` refuses an answer with properties or values of enums that `returns` "
    "does not know, or with a success code that is not listed; otherwise they are accepted.",
    "maxAttempts": "How often to try in all.",
    "delayMs": "How long to wait before the second try, in milliseconds; it doubles each time.",
    "maxDelayMs": "How long to wait at most, in milliseconds.",
    "statusCodes": "The status codes that are worth another try.",
    "anyMethod": "`true` tries again with methods that are not idempotent, too.",
}
AUTH: Mapping[str, str] = {
    "type": "`bearer` needs `token`; `basic` `username` and `password`; `api_key` `name` and "
    "`value`; `oauth2` `tokenUrl`, `clientId` and `clientSecret`; `hmac` `name`, `key` and "
    "`message`.",
    "token": "The token, such as `${API_TOKEN}`.",
    "username": "The user.",
    "password": "The password, such as `${PASSWORD}`.",
    "in": "Where the key goes.",
    "name": "The name of the header or parameter that holds the key.",
    "value": "The key, such as `${API_KEY}`; of a signature the header, `sha256={signature}`.",
    "tokenUrl": "Where an access token is given; its host must be allowed.",
    "clientId": "The id of the client, such as `${CLIENT_ID}`.",
    "clientSecret": "The secret of the client, such as `${CLIENT_SECRET}`.",
    "clientAuth": "Where id and secret stand: `basic` in a header (as the standard wants), `body`.",
    "refreshToken": "A refresh token, such as `${REFRESH_TOKEN}`; without it the client gets its "
    "own token (client credentials).",
    "scope": "What the token is for, with spaces between.",
    "key": "The key that signs, such as `${SIGNING_KEY}`.",
    "message": "What is signed: `{method}\\n{path}\\n{timestamp}\\n{body}`; also `{url}`, "
    "`{host}`, `{query}` and `{body_sha256}`.",
    "algorithm": "The digest; `sha256` where nothing is said.",
    "encoding": "How the signature is written: `hex`, or `base64`.",
    "timestamp": "The header that says when the request was signed, in seconds since 1970.",
}
LEAF: Mapping[str, str] = {
    "type": "What the document declares.",
    "name": "The name by which types mean it: a letter, then letters, digits, `_` and `-`.",
    "title": "A name for people.",
    "description": "What it is. It is told where the property has no description of its own.",
    "schema": "What it is in JSON: a JSON Schema of a primitive.",
    "python": "The Python type, or `{type, parse, dump}` with the functions between it and JSON.",
    "sql": "The SQL type.",
    "placeholder": "A value for documentation; it reaches no generated file.",
}
LEAF_PYTHON: Mapping[str, str] = {
    "type": "The Python type, with its module: `uuid.UUID`.",
    "parse": "The function from the JSON value to the Python value.",
    "dump": "The function from the Python value to the JSON value.",
}
BUNDLE: Mapping[str, str] = {
    "type": "What the document declares.",
    "name": "The name by which tools mean it.",
    "id": "An identifier that never changes (UUIDv7); kept in the lock file where it is not said.",
    "slug": "The name for people and links: letters, digits and `-`, 64 at most.",
    "displayName": "A name for people.",
    "description": "What its tools have in common.",
    "isEnabled": "`false` leaves all its tools out.",
    "limits": "What calls may take; `calls_per_minute` counts those of all its tools together.",
    "createdAt": "When it was made; kept in the lock file where it is not said.",
    "modifiedAt": "When its structure changed last; kept in the lock file where it is not said.",
}
