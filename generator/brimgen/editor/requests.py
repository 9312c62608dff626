"""Define the requests of HTTP tools for documents to refer to."""

from __future__ import annotations

from brimgen.editor.schema_pieces import Schema, has_value, keyed, ref, spellings
from brimgen.syntax.keys import AUTH, OF_AUTH, REQUEST, RESPONSE, RETRY
from brimgen.syntax.reader import Keys

TABLES: tuple[Keys, ...] = (REQUEST, RESPONSE, AUTH, RETRY)
"""The tables of keys by which requests are read."""


def definitions() -> dict[str, Schema]:
    """A request and its parts, by name."""
    return {
        "request": keyed(REQUEST, parts(), rules=[has_url()]),
        "response": keyed(RESPONSE),
        "auth": _auth(),
        "retry": keyed(RETRY),
    }


def parts() -> dict[str, Schema]:
    """The schemas of the parts of a request that are narrower than their shapes."""
    return {"auth": ref("auth"), "retry": ref("retry")}


def has_url() -> Schema:
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
