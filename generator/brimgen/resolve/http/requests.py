"""Resolve the request of an HTTP tool into templates by position (S2.10, S2.53; F4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span
from brimgen.diagnostics.rules import resolve_http as rules
from brimgen.frozen import replace
from brimgen.model.catalog import Entity
from brimgen.model.fields import Field
from brimgen.model.http import (
    Auth,
    BasicAuth,
    BearerAuth,
    Encoding,
    ErrorMode,
    HostPattern,
    HttpBody,
    KeyAuth,
    Literal,
    Named,
    Payload,
    Response,
    Retry,
    Template,
    Url,
)
from brimgen.model.project import Project
from brimgen.resolve.http.payloads import read_payload
from brimgen.resolve.http.unused_arguments import tell_twice, tell_unused
from brimgen.resolve.http.urls import host_of, read_url
from brimgen.resolve.http.value_styles import Place
from brimgen.resolve.http.variables import Variables
from brimgen.source.nodes import Entry, ListNode, ScalarNode
from brimgen.syntax.decls import AuthDecl, RequestDecl, RetryDecl, ToolDecl

_SECRET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", re.ASCII)
_VALUE = re.compile(r"[\t -~]*", re.ASCII)
_OF_THE_CLIENT = frozenset(
    {"host", "content-length", "connection", "transfer-encoding"}
)
_WITHOUT_BODY = ("GET", "HEAD", "OPTIONS")


def make_request(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    entities: Mapping[str, Entity],
    project: Project,
    found: Diagnostics,
) -> HttpBody | None:
    """The request of an HTTP tool; None where a part is unsound, which is reported.

    ``fields`` None means that the arguments are not known for certain.
    """
    request = decl.request
    if request is None:
        return None
    by_name = None if fields is None else {each.name: each for each in fields}
    secrets = _secrets(decl, by_name, found)
    variables = Variables(by_name, secrets, entities, found)
    allowed = _allowed_hosts(decl, project, found)
    url = read_url(request.url, variables, allowed, found)
    query = _named(request.query, Place.QUERY, variables)
    headers = _headers(request, variables, found)
    auth, has_auth = _auth(request.auth, variables, found)
    payload, has_payload = _payload(request, headers, variables, found)
    sound = has_auth and has_payload
    if url is None or query is None or headers is None or allowed is None or not sound:
        return None
    if decl.sound:  # else what was refused may be what uses them
        tell_unused(request, fields, variables, found)
    tell_twice(request, url, found)
    plain = _plain(request, url, tuple(secrets), allowed)
    return replace(plain, query=query, headers=headers, payload=payload, auth=auth)


def _plain(
    request: RequestDecl,
    url: Url,
    secrets: tuple[str, ...],
    allowed: tuple[HostPattern, ...],
) -> HttpBody:
    """The request to a URL, and what is made of its answer."""
    return HttpBody(
        method=_method(request),
        url=url,
        timeout_ms=_number(request.timeout_ms, 30_000),
        retry=_retry(request.retry),
        response=_response(request),
        secrets=secrets,
        allowed_hosts=allowed,
    )


def _method(request: RequestDecl) -> str:
    return "GET" if request.method is None else request.method.value


def _secrets(
    decl: ToolDecl, fields: Mapping[str, Field] | None, found: Diagnostics
) -> dict[str, Span]:
    secrets: dict[str, Span] = {}
    for each in _scalars(decl.option("secrets")):
        if _SECRET.fullmatch(each.text) is None:
            found.add(rules.BAD_SECRET, each.span, name=each.text)
        elif fields is not None and each.text in fields:
            notes = [Note(fields[each.text].span, "the argument")]
            found.add(rules.SECRET_CLASH, each.span, notes=notes, name=each.text)
            continue
        secrets[each.text] = each.span
    return secrets


def _scalars(node: object) -> Iterable[ScalarNode]:
    items = node.items if isinstance(node, ListNode) else ()
    return [each for each in items if isinstance(each, ScalarNode)]


def _allowed_hosts(
    decl: ToolDecl, project: Project, found: Diagnostics
) -> tuple[HostPattern, ...] | None:
    """The hosts of the tool, or else of the project; None where one is unsound.

    Of a tool of which a part was refused nobody knows that it has none.
    """
    node = decl.option("allowedHosts")
    if node is None:
        return project.allowed_hosts or (() if decl.sound else None)
    hosts: list[HostPattern] = []
    sound = True
    for each in _scalars(node):
        host = HostPattern.parse(each.text)
        if host is None:
            near, text = host_of(each.text), each.text
            found.add(rules.BAD_HOST, each.span, suggestions=near, text=text)
            sound = False
        elif not _is_within(host, project.allowed_hosts):
            allowed = ", ".join(f"`{x}`" for x in project.allowed_hosts or ()) or "none"
            found.add(rules.HOST_WIDENS, each.span, text=each.text, allowed=allowed)
            sound = False
        else:
            hosts.append(host)
    return tuple(hosts) if sound else None


def _is_within(host: HostPattern, project: Sequence[HostPattern] | None) -> bool:
    return project is None or any(each.covers(host) for each in project)


def _named(
    entries: Iterable[Entry], place: Place, variables: Variables
) -> Named | None:
    found: list[tuple[str, Template]] = []
    sound = True
    for entry in entries:
        assert isinstance(entry.value, ScalarNode)
        template = variables.read(entry.value, place)
        if template is None:
            sound = False
        else:
            found.append((entry.key.text, template))
    return tuple(found) if sound else None


def _headers(
    request: RequestDecl, variables: Variables, found: Diagnostics
) -> Named | None:
    named = _named(request.headers, Place.HEADER, variables)
    sound = named is not None
    seen: set[str] = set()
    if request.auth is not None and request.auth.type.value != "api_key":
        seen.add("authorization")
    for entry in request.headers:
        assert isinstance(entry.value, ScalarNode)
        fault = _header_fault(entry.key.text, entry.value.text, seen)
        if fault is not None:
            found.add(rules.BAD_HEADER, entry.key.span, what=fault)
            sound = False
        seen.add(entry.key.text.casefold())
    return named if sound else None


def _header_fault(name: str, value: str, seen: set[str]) -> str | None:
    if _TOKEN.fullmatch(name) is None:
        return f"`{name[:40]!a}` cannot be the name of a header"
    if name.casefold() in _OF_THE_CLIENT:
        return f"the header `{name}` is set by the client"
    if name.casefold() in seen:
        return f"the header `{name}` stands twice"
    if _VALUE.fullmatch(value) is None:
        return f"the header `{name}` has characters that a header cannot hold"
    return None


def _auth(
    decl: AuthDecl | None, variables: Variables, found: Diagnostics
) -> tuple[Auth | None, bool]:
    """How the request is authorized, and whether that was well said."""
    if decl is None:
        return None, True
    read: dict[str, Template] = {}
    for key, node in decl.texts:
        if key in ("in", "name"):
            continue
        template = variables.read(node, Place.AUTH)
        if template is None:
            return None, False
        read[key] = template
    match decl.type.value:
        case "bearer":
            return BearerAuth(read["token"]), True
        case "basic":
            return BasicAuth(read["username"], read["password"]), True
        case _:
            return _key(decl, read["value"], found)


def _key(
    decl: AuthDecl, value: Template, found: Diagnostics
) -> tuple[Auth | None, bool]:
    name, where = decl.text("name"), decl.text("in")
    assert name is not None
    in_query = where is not None and where.text == "query"
    fault = None if in_query else _header_fault(name.text, "", set())
    if fault is not None:
        found.add(rules.BAD_HEADER, name.span, what=fault)
        return None, False
    return KeyAuth(name.text, value, in_query), True


def _payload(
    request: RequestDecl,
    headers: Named | None,
    variables: Variables,
    found: Diagnostics,
) -> tuple[Payload | None, bool]:
    """The body, and whether it was well said."""
    if request.body is None:
        return None, True
    method = _method(request)
    if method in _WITHOUT_BODY:
        found.add(rules.BODY_NOT_SENT, request.body.key.span, method=method)
        return None, False
    kinds = [each for name, each in headers or () if name.casefold() == "content-type"]
    kind = "".join(
        piece.text for each in kinds for piece in each if isinstance(piece, Literal)
    )
    payload = read_payload(request.body.value, kind.casefold(), variables, found)
    return payload, payload is not None


def _retry(decl: RetryDecl | None) -> Retry:
    if decl is None:
        return Retry()
    usual = Retry()
    codes = decl.status_codes
    return Retry(
        max_attempts=_number(decl.max_attempts, usual.max_attempts),
        delay_ms=_number(decl.delay_ms, usual.delay_ms),
        max_delay_ms=_number(decl.max_delay_ms, usual.max_delay_ms),
        status_codes=usual.status_codes if codes is None else _codes(codes),
        any_method=decl.any_method,
    )


def _response(request: RequestDecl) -> Response:
    mode, encoding = request.error_mode, request.encoding
    return Response(
        success_codes=_codes(request.success_codes or ()),
        error_mode=ErrorMode.FAIL if mode is None else ErrorMode(mode.value),
        encoding=Encoding.JSON if encoding is None else Encoding(encoding.value),
        is_strict=request.is_strict,
    )


def _codes(nodes: Iterable[ScalarNode]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(_number(each, 0) for each in nodes))


def _number(node: ScalarNode | None, usual: int) -> int:
    value = usual if node is None else node.value
    return int(value) if isinstance(value, int | float) else usual
