"""Check headers of requests, and say which methods have no body."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final

from .rule_messages import Mistake

METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
SIGNED_PARTS: Final = (
    *("method", "url", "host", "path", "query", "timestamp", "body", "body_sha256"),
)
"""The parts of a request that a signature can be of."""

WITHOUT_BODY: Final = ("GET", "HEAD", "OPTIONS")
MULTIPART: Final = "multipart/form-data"
"""The media type of a form whose fields are parts."""
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)
_VALUE = re.compile(r"[\t -~]*", re.ASCII)
_OF_THE_CLIENT = frozenset(
    {"host", "content-length", "connection", "transfer-encoding"}
)


def header_mistake(name: str, value: str, seen: Container[str]) -> Mistake | None:
    """Return the mistake in a header, if any; ``seen`` are earlier names in lower case."""
    fault = _fault(name, value, seen)
    return None if fault is None else Mistake("bad-header", {"what": fault})


def _fault(name: str, value: str, seen: Container[str]) -> str | None:
    if _TOKEN.fullmatch(name) is None:
        return f"`{name[:40]!a}` cannot be the name of a header"
    if name.casefold() in _OF_THE_CLIENT:
        return f"the header `{name}` is set by the client"
    if name.casefold() in seen:
        return f"the header `{name}` stands twice"
    if _VALUE.fullmatch(value) is None:
        return f"the header `{name}` has characters that a header cannot hold"
    return None
