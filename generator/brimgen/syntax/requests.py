"""Read the ``request`` and ``response`` of an HTTP tool (S2.10, S2.53-55).

Shapes are checked here; `resolve`, which knows the arguments, reads the templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from brimgen.diagnostics import Span
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode
from brimgen.syntax import shapes
from brimgen.syntax.decls import AuthDecl, RequestDecl, RetryDecl, Text
from brimgen.syntax.reader import Keys, Reader, Section, is_null, read_section
from brimgen_runtime.grammar.headers import METHODS

ENCODINGS = ("json", "text", "base64")
AUTH_TYPES = ("bearer", "basic", "api_key")


def templates(reader: Reader, key: str, node: Node) -> bool:
    """A mapping of names to texts, numbers or booleans; nulls are passed over."""
    if not shapes.mapping(reader, key, node) or not isinstance(node, MapNode):
        return False
    entries = [entry for entry in node.entries if not is_null(entry.value)]
    refused = [
        entry
        for entry in entries
        if not shapes.word(reader, entry.key.text, entry.value)
    ]
    return not refused


def hosts(reader: Reader, key: str, node: Node) -> bool:
    """Check a list of hosts; for a URL, suggest its host."""
    if not isinstance(node, ScalarNode) or "://" not in node.text:
        return shapes.words(reader, key, node)
    host = re.sub(r"[a-z]+://([^/,\s]*)[^,\s]*", r"\1", node.text)
    near = shapes.as_list(ScalarNode(node.span, host, host))
    return shapes.refuse(reader, key, node, expected="a list", suggestions=near)


def codes(reader: Reader, key: str, node: Node) -> bool:
    """A list of HTTP status codes, at least one."""
    if not shapes.scalars(reader, key, node) or not isinstance(node, ListNode):
        return False
    refused = [
        item for item in node.items if not _code(reader, f"an item of {key}", item)
    ]
    return not refused


def _code(reader: Reader, key: str, node: Node) -> bool:
    value = node.value if isinstance(node, ScalarNode) else None
    if isinstance(value, int) and not isinstance(value, bool) and 100 <= value <= 599:
        return True
    return shapes.refuse(reader, key, node, expected="a status code from 100 to 599")


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


def intended_response(text: str) -> str:
    """Suggest the block for an encoding or a status code."""
    if text in ENCODINGS:
        return f"{{encoding: {text}}}"
    return f"{{successCodes: [{text}]}}" if re.fullmatch("[1-5][0-9]{2}", text) else ""


REQUEST = Keys(
    {
        "method": shapes.choice(*METHODS),
        "urlTemplate": shapes.text,
        "query": templates,
        "headers": templates,
        "body": shapes.anything,
        "auth": shapes.Block(_intended_auth),
        "timeoutMs": shapes.positive_count,
        "retry": shapes.Block(_intended_retry),
    },
    {
        "url": "urlTemplate",
        "url_template": "urlTemplate",
        "params": "query",
        "timeout_ms": "timeoutMs",
    },
)
AUTH = Keys(
    {
        "type": shapes.choice(*AUTH_TYPES),
        "token": shapes.text,
        "username": shapes.text,
        "password": shapes.text,
        "in": shapes.choice("header", "query"),
        "name": shapes.text,
        "value": shapes.text,
    },
    {"valueTemplate": "value"},
)
OF_AUTH: Mapping[str, tuple[str, ...]] = {
    "bearer": ("token",),
    "basic": ("username", "password"),
    "api_key": ("name", "value"),
}
RETRY = Keys(
    {
        "maxAttempts": shapes.positive_count,
        "delayMs": shapes.count,
        "maxDelayMs": shapes.count,
        "statusCodes": codes,
        "anyMethod": shapes.flag,
    },
    {
        "max_attempts": "maxAttempts",
        "delay_ms": "delayMs",
        "max_delay_ms": "maxDelayMs",
        "status_codes": "statusCodes",
        "any_method": "anyMethod",
    },
)
RESPONSE = Keys(
    {
        "successCodes": codes,
        "errorMode": shapes.choice("fail", "empty"),
        "encoding": shapes.choice(*ENCODINGS),
        "strict_results": shapes.flag,
    },
    {
        "success_codes": "successCodes",
        "error_mode": "errorMode",
        "strict": "strict_results",
    },
)


def flat_request(root: MapNode) -> MapNode:
    """The keys of a request that stand in the document itself (``api_function``)."""
    return MapNode(
        root.span,
        tuple(entry for entry in root.entries if REQUEST.standard(entry.key.text)),
    )


def _method(section: Section) -> Text | None:
    """Return the method; a neutral one where it was refused, so that no errors follow from it."""
    written = section.written.get("method")
    if written is None or "method" in section.entries:
        return section.text("method")
    return Text("POST", written.span)


def read_request(
    reader: Reader, node: MapNode, response: MapNode | None, *, at: Span
) -> RequestDecl | None:
    """Read a request and its response; None if there is no URL, which is reported at ``at``."""
    section = read_section(reader, node, keys=REQUEST, owner="`request`")
    section.require(reader, "urlTemplate", at)
    answer = None
    if response is not None:
        answer = read_section(reader, response, keys=RESPONSE, owner="`response`")
    strict = None if answer is None else answer.scalar("strict_results")
    url = section.scalar("urlTemplate")
    auth, retry = _auth(reader, section), _retry(reader, section)
    if url is None:
        return None
    return RequestDecl(
        span=node.span,
        url=url,
        method=_method(section),
        query=_entries(section, "query"),
        headers=_entries(section, "headers"),
        body=None if _is_refused(section, "headers") else section.entries.get("body"),
        auth=auth,
        timeout_ms=section.scalar("timeoutMs"),
        retry=retry,
        success_codes=None if answer is None else _list(answer, "successCodes"),
        error_mode=None if answer is None else answer.text("errorMode"),
        encoding=None if answer is None else answer.text("encoding"),
        is_strict=None if strict is None else strict.value is True,
    )


def _is_refused(section: Section, key: str) -> bool:
    """Return whether a key was written and refused; refused headers may hold the type of a body."""
    return key in section.written and key not in section.entries


def _entries(section: Section, key: str) -> tuple[Entry, ...]:
    node = section.node(key)
    if not isinstance(node, MapNode):
        return ()
    return tuple(entry for entry in node.entries if not is_null(entry.value))


def _list(section: Section, key: str) -> tuple[ScalarNode, ...] | None:
    node = section.node(key)
    if not isinstance(node, ListNode):
        return None
    return tuple(item for item in node.items if isinstance(item, ScalarNode))


def _auth(reader: Reader, section: Section) -> AuthDecl | None:
    node = section.node("auth")
    if not isinstance(node, MapNode):
        return None
    inner = read_section(reader, node, keys=AUTH, owner="`auth`")
    at = section.written["auth"].span
    kind = inner.text("type")
    inner.require(reader, "type", at)
    if kind is None:
        return None
    needed = OF_AUTH[kind.value]
    complete = [inner.require(reader, key, at) for key in needed]
    texts = tuple(
        (key, value)
        for key in (*needed, "in")
        if (value := inner.scalar(key)) is not None
    )
    if not all(complete) or len(texts) < len(needed):
        return None
    return AuthDecl(span=node.span, type=kind, texts=texts)


def _retry(reader: Reader, section: Section) -> RetryDecl | None:
    node = section.node("retry")
    if not isinstance(node, MapNode):
        return None
    inner = read_section(reader, node, keys=RETRY, owner="`retry`")
    any_method = inner.scalar("anyMethod")
    return RetryDecl(
        max_attempts=inner.scalar("maxAttempts"),
        delay_ms=inner.scalar("delayMs"),
        max_delay_ms=inner.scalar("maxDelayMs"),
        status_codes=_list(inner, "statusCodes"),
        any_method=any_method is not None and any_method.value is True,
    )
