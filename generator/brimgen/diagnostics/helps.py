"""Choose the help of a rule by what is missing or wrong."""

from __future__ import annotations

from collections.abc import Mapping

from brimgen.diagnostics.rule import Rule
from brimgen.diagnostics.rules import MISSING_KEY, UNKNOWN_KEY, WRONG_KIND
from brimgen.frozen import replace

_A_SECRET = "`, under `secrets: [API_TOKEN]`."
_MISSING: Mapping[str, str] = {
    "name": "`name: get_orders`, say; it is what callers and models call it by.",
    "the document type": "`type: python_function`, say, or `sql_function`, `http_function`, "
    "`template_function`, `resource`, `entity`, `leaf`, `bundle`. A `.sql` file may leave it out "
    "(it is a sql_function), a `.md` file too (it is a template_function).",
    "path": "`path: /handbook/{page}`, say, with every `{placeholder}` among the arguments.",
    "schema": "`schema: {type: string}`, say: what it is in JSON.",
    "request": "`request: {method: GET, urlTemplate: https://api.example.com/orders}`, say.",
    "urlTemplate": "`urlTemplate: https://api.example.com/orders/${order_id}`, say.",
    "role": "`role: user`, or `system`, or `assistant`.",
    "content": "`content: Sum up {{ args.text }}`, say.",
    "`auth` type": "`type: bearer` (with `token`), `basic` (with `username` and `password`) or "
    "`api_key` (with `name` and `value`).",
    "`python` type": "`python: {type: package.module:Name}`, say.",
    "token": 'A token is a secret: `token: "${API_TOKEN}"' + _A_SECRET,
    "username": 'It may be a secret: `username: "${API_USER}"`, under `secrets: [API_USER]`.',
    "password": 'A password is a secret: `password: "${API_TOKEN}"' + _A_SECRET,
    "value": 'The key is a secret: `value: "${API_TOKEN}"' + _A_SECRET,
}
_FLAG = "Only `true` and `false` are booleans; `yes`, `no`, `on` and `off` are text."
_NUMBER = "A number has no quotes, no unit and no separators: `1500`."
_WRONG: Mapping[str, str] = {
    "text": "A number or a boolean becomes text in quotes.",
    "text, not a": "Text has no brackets or braces around it; one that holds them has quotes.",
    "a list": "A list is written `[a, b]`, or one `- item` a line.",
    "a mapping": "A mapping is written `{key: value}`, or one `key: value` a line, indented.",
    "a mapping with `name` and `type`": "`{name: order_id, type: int}`, say.",
    "a mapping with `role` and `content`": "`{role: user, content: Hello}`, say.",
    "`true` or `false`": _FLAG,
    "a number": _NUMBER,
    "a number above 0": _NUMBER,
}


def missing(owner: str, key: str) -> Rule:
    """The rule of a missing ``key`` of ``owner``."""
    help_ = _MISSING.get(f"{owner} {key}") or _MISSING.get(key)
    return replace(MISSING_KEY, help=help_) if help_ else MISSING_KEY


def wrong_kind(expected: str, actual: str) -> Rule:
    """The rule of a value that is not what its key expects, both in the words of the message."""
    is_made_of = expected == "text" and actual in ("a list", "a mapping")
    help_ = _WRONG.get("text, not a" if is_made_of else expected, "")
    return replace(WRONG_KIND, help=help_)


def bundle_of_tools() -> Rule:
    """The rule of a key by which a bundle would list its tools."""
    return replace(
        UNKNOWN_KEY,
        help="A bundle does not list its tools. Each of them names it: `bundle: its_name`, in "
        "the document of the tool.",
    )
