"""R40x-R420 and R426-R428 of ``resolve``: HTTP tools (S2.16-18)."""

from __future__ import annotations

from brimgen.diagnostics.rule import Rule, error, warning
from brimgen_runtime.grammar.rule_messages import MESSAGES


def _tool(request: str, more: str = "allowedHosts: [api.example.com]") -> str:
    """An HTTP tool with one argument, around ``request``."""
    return (
        "type: http_function\nname: get_user\narguments:\n  inline:\n    id: int\n"
        f"request:\n{request}\n{more}\nreturns: object\n"
    )


def _path_of(type: str) -> str:
    """An HTTP tool with a list in its path."""
    return (
        "type: http_function\nname: get_users\narguments:\n  inline:\n"
        f"    ids: {type}\n"
        "request:\n  urlTemplate: https://api.example.com/users/${ids | comma}\n"
        "allowedHosts: [api.example.com]\nreturns: object\n"
    )


def _listing(value: str) -> str:
    """An HTTP tool with a query pair that has this value."""
    return (
        "type: http_function\nname: get_users\narguments:\n  inline:\n"
        f"    {'ids: int[]' if 'ids' in value else 'id: int'}\n"
        "request:\n  urlTemplate: https://api.example.com/users\n"
        f"  query: {{id: '{value}'}}\nallowedHosts: [api.example.com]\n"
        "returns: object\n"
    )


_URL = "  urlTemplate: https://api.example.com/users/${id}"

BAD_URL = error(
    "R401",
    "bad-url",
    MESSAGES["R401"],
    "A URL starts with `http://` or `https://`; a host follows, then a path and a query, encoded "
    "as they are to be sent. Names, passwords and `#` have no place in it. `${x}` stands for the "
    "host, in a segment of the path, or in the value of a query pair.",
    wrong=_tool("  urlTemplate: ftp://api.example.com/users/${id}"),
    right=_tool(_URL),
)
UNDECLARED_VARIABLE = error(
    "R402",
    "undeclared-variable",
    MESSAGES["R402"],
    "Declare it under `arguments`, or, if the host program keeps it, under `secrets`. "
    "`$${` writes `${` itself.",
    wrong=_tool("  urlTemplate: https://api.example.com/users/${user_id}"),
    right=_tool(_URL),
)
NO_SUCH_MEMBER = error(
    "R403",
    "no-such-member",
    MESSAGES["R403"],
    "`${a.b}` reads a field of an object, `${a[0]}` an item of a list.",
    wrong=_tool("  urlTemplate: https://api.example.com/users/${id.value}"),
    right=_tool(_URL),
)
BAD_VARIABLE = error(
    "R404",
    "bad-variable",
    MESSAGES["R404"],
    "Write `${name}`, `${name.field}` or `${name[0]}`, with a style as `${name | comma}`; `$${` "
    "writes `${` itself.",
    wrong=_tool("  urlTemplate: https://api.example.com/users/${id"),
    right=_tool(_URL),
)
SECRET_CLASH = error(
    "R405",
    "secret-clash",
    MESSAGES["R405"],
    "Only the host program knows a secret. Rename one of the two.",
    wrong=_tool(_URL, "secrets: [id]\nallowedHosts: [api.example.com]"),
    right=_tool(
        f"{_URL}\n  auth: {{type: bearer, token: '${{API_TOKEN}}'}}",
        "secrets: [API_TOKEN]\nallowedHosts: [api.example.com]",
    ),
)
BAD_SECRET = error(
    "R406",
    "bad-secret-name",
    "`{name}` cannot be the name of a secret",
    "A secret is named like a variable of the environment: letters, digits and `_`, no digit "
    "first. Its value is never written in a spec.",
    wrong=_tool(
        f"{_URL}\n  auth: {{type: bearer, token: '${{api-token}}'}}",
        "secrets: [api-token]\nallowedHosts: [api.example.com]",
    ),
    right=_tool(
        f"{_URL}\n  auth: {{type: bearer, token: '${{API_TOKEN}}'}}",
        "secrets: [API_TOKEN]\nallowedHosts: [api.example.com]",
    ),
)
UNUSED_SECRET = warning(
    "R407",
    "unused-secret",
    "the request does not use the secret `{name}`",
    "Use it in the request, or remove it from `secrets`.",
    wrong=_tool(_URL, "secrets: [API_TOKEN]\nallowedHosts: [api.example.com]"),
    right=_tool(_URL),
)
UNUSED_ARGUMENT = warning(
    "R408",
    "unused-argument",
    "the request does not use the argument `{name}`",
    "Write `${x}` in the URL, the query, a header or the body, or remove the argument.",
    wrong=_tool("  urlTemplate: https://api.example.com/users"),
    right=_tool(_URL),
)
HOST_NOT_ALLOWED = error(
    "R409",
    "host-not-allowed",
    MESSAGES["R409"],
    "Every host that a tool calls must be in its `allowedHosts`, or in `allowed_hosts` of "
    "the configuration: `api.example.com`, `*.example.com` for all hosts below it, "
    "`localhost:8080` for another port. Without a list, or with an empty one, no host is "
    "allowed.",
    wrong=_tool(_URL, "allowedHosts: [example.com]"),
    right=_tool(_URL),
)
BAD_HOST = error(
    "R410",
    "bad-host-pattern",
    "`{text}` is not a host",
    "Write a host in ASCII (`api.example.com`, `*.example.com`, `localhost:8080`), without scheme "
    "and path. An international name is written in its `xn--` form.",
    wrong=_tool(_URL, "allowedHosts: ['https://api.example.com']"),
    right=_tool(_URL),
)
HOST_WIDENS = error(
    "R411",
    "host-widens",
    "`{text}` is not allowed by the configuration ({allowed})",
    "The list of a tool narrows `allowed_hosts` of the configuration and never adds to it.",
    wrong=_tool(
        "  urlTemplate: https://api.other.test/users/${id}",
        "allowedHosts: [api.other.test]",
    ),
    right=_tool(_URL),
)
NOT_PLAIN = error(
    "R413",
    "value-not-plain",
    MESSAGES["R413"],
    "A path, a query, a header and a longer text take strings, numbers, booleans, dates and "
    "enums. A list may be the whole value of a query pair (it is repeated), anything the whole "
    "of a JSON value; elsewhere `${x | comma}` joins the items of a list, and `${x | json}` writes "
    "JSON text.",
    wrong=_tool("  urlTemplate: https://api.example.com/users/${id}").replace(
        "id: int", "id: object"
    ),
    right=_tool(_URL),
)
MAY_BE_ABSENT = error(
    "R414",
    "may-be-absent",
    MESSAGES["R414"],
    "A query pair, a header and a JSON value are left out if they are one absent argument "
    "and nothing else. Elsewhere make the argument required, or give it a default.",
    wrong=_tool("  urlTemplate: https://api.example.com/users/${id}").replace(
        "id: int", "id: int?"
    ),
    right=_tool("  urlTemplate: https://api.example.com/users?id=${id}").replace(
        "id: int", "id: int?"
    ),
)
BAD_HEADER = error(
    "R415",
    "bad-header",
    MESSAGES["R415"],
    "A header has a name of letters, digits and `-` and a value without line breaks; each stands "
    "once. `Host`, `Content-Length`, `Connection` and `Transfer-Encoding` are set by the client.",
    wrong=_tool(f"{_URL}\n  headers: {{Host: internal.example.com}}"),
    right=_tool(f"{_URL}\n  headers: {{Accept: application/json}}"),
)
SECRET_IN_URL = warning(
    "R416",
    "secret-in-url",
    "the secret `{name}` stands in the URL",
    "Servers and proxies log URLs. Send a secret in a header, or with `auth`.",
    wrong=_tool(
        "  urlTemplate: https://api.example.com/users/${id}?key=${API_KEY}",
        "secrets: [API_KEY]\nallowedHosts: [api.example.com]",
    ),
    right=_tool(
        f"{_URL}\n  auth: {{type: api_key, name: X-Api-Key, value: '${{API_KEY}}'}}",
        "secrets: [API_KEY]\nallowedHosts: [api.example.com]",
    ),
)
BODY_NOT_SENT = error(
    "R417",
    "body-not-sent",
    MESSAGES["R417"],
    "Send the values in the query, or use `method: POST`.",
    wrong=_tool(f"{_URL}\n  body: {{id: '${{id}}'}}"),
    right=_tool(
        "  method: POST\n  urlTemplate: https://api.example.com/users\n"
        "  body: {id: '${id}'}"
    ),
)
BAD_BODY = error(
    "R418",
    "bad-body",
    MESSAGES["R418"],
    "Write the body as a mapping or a list, with `${x}` for its values: then it is always JSON. "
    "In a text that is JSON, `${x}` stands inside a string.",
    wrong=_tool(
        "  method: POST\n  urlTemplate: https://api.example.com/users\n"
        "  body: '{\"id\": ${id}}'"
    ),
    right=_tool(
        "  method: POST\n  urlTemplate: https://api.example.com/users\n"
        "  body: {id: '${id}'}"
    ),
)
UNKNOWN_STYLE = error(
    "R419",
    "unknown-style",
    MESSAGES["R419"],
    "Behind a `|` stands one word for how a value is written: `comma`, `space` or `pipe` between "
    "the items of a list, `deep` for an object as pairs (`filter[min]=1`), `json` for JSON text.",
    wrong=_listing("${ids | semicolon}"),
    right=_listing("${ids | comma}"),
)
UNFIT_STYLE = error(
    "R420",
    "unfit-style",
    MESSAGES["R420"],
    "`comma`, `space` and `pipe` write a list of plain values, `deep` the whole value of a query "
    "pair or of a form's field, `json` any value; none of them writes a host.",
    wrong=_listing("${id | comma}"),
    right=_listing("${id}"),
)
EMPTY_IN_PATH = warning(
    "R426",
    "empty-list-in-path",
    "the list `{name}` may be empty, but a path segment cannot be",
    "Such a call is accepted, and then refused when its request is built. Add `minItems: "
    "1` to the argument, so that the caller learns the rule.",
    wrong=_path_of("int[]"),
    right=_path_of("{type: 'int[]', minItems: 1}"),
)

UNMARKED_VARIABLE = error(
    "R427",
    "unmarked-variable",
    MESSAGES["R427"],
    "In URLs, queries, headers and bodies, write the value of an argument as `${its_name}`.",
    wrong=_listing("{id}"),
    right=_listing("${id}"),
)
QUERY_KEY_TWICE = warning(
    "R428",
    "query-key-twice",
    "`{name}` stands in the URL and under `query`, so it is sent twice",
    "Services use the first value, the last, or both. Write it in one place. To send "
    "several values of one key, use a list: `tags: ${tags}`.",
    wrong=_tool(
        "  urlTemplate: https://api.example.com/users?id=1\n  query: {id: '${id}'}"
    ),
    right=_tool("  urlTemplate: https://api.example.com/users\n  query: {id: '${id}'}"),
)

RULES: tuple[Rule, ...] = (
    BAD_URL,
    UNDECLARED_VARIABLE,
    NO_SUCH_MEMBER,
    BAD_VARIABLE,
    SECRET_CLASH,
    BAD_SECRET,
    UNUSED_SECRET,
    UNUSED_ARGUMENT,
    HOST_NOT_ALLOWED,
    BAD_HOST,
    HOST_WIDENS,
    NOT_PLAIN,
    MAY_BE_ABSENT,
    BAD_HEADER,
    SECRET_IN_URL,
    BODY_NOT_SENT,
    BAD_BODY,
    UNKNOWN_STYLE,
    UNFIT_STYLE,
    EMPTY_IN_PATH,
    UNMARKED_VARIABLE,
    QUERY_KEY_TWICE,
)
