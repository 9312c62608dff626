"""Make the request of an HTTP tool: address, headers, query and body."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from brimgen.diagnostics import Diagnostics, Note, Span, TextBlock, did_you_mean, rules
from brimgen.model.catalog import Entity
from brimgen.model.http import (
    Auth,
    BasicAuth,
    BearerAuth,
    Encoding,
    ErrorMode,
    FormPayload,
    HmacAuth,
    HttpBody,
    JsonPayload,
    JsonTemplate,
    KeyAuth,
    Literal,
    MultipartPayload,
    Named,
    OAuth2,
    Payload,
    Response,
    Retry,
    Template,
    TextPayload,
    Url,
)
from brimgen.model.project import Project
from brimgen.model.types import Field
from brimgen.resolve.entities.leaves import to_node
from brimgen.resolve.http.urls import Variables, host_of, read_url
from brimgen.source.nodes import Entry, ListNode, MapNode, Node, ScalarNode, span_within
from brimgen.syntax.decls import RequestDecl, ToolDecl
from brimgen.syntax.reader import Section
from brimgen_runtime.grammar.headers import (
    MULTIPART,
    SIGNED_PARTS,
    WITHOUT_BODY,
    header_mistake,
)
from brimgen_runtime.grammar.hosts import Host, parse_host
from brimgen_runtime.grammar.variables import (
    TemplatePosition,
    unmarked,
    unmarked_mistake,
)

_FORM = "application/x-www-form-urlencoded"
_LONE = re.compile(r"\s*\$\{[^{}]*\}\s*")


def read_payload(
    node: Node, content_type: str, variables: Variables, diagnostics: Diagnostics
) -> Payload | None:
    """The body; None where it is unsound, which is reported.

    ``content_type`` is what a literal header says, in lower case. A mapping or list is JSON, or a
    form where the header says so; a text is JSON where the header says so or it looks like it. A
    variable alone that the header calls JSON is the whole body, whatever its type.
    """
    if isinstance(node, ScalarNode) and isinstance(node.value, str):
        return _text_payload(node, content_type, variables, diagnostics)
    if isinstance(node, MapNode) and content_type.startswith(_FORM):
        fields = _read_templates(node.entries, variables, TemplatePosition.QUERY)
        return None if fields is None else FormPayload(fields)
    if isinstance(node, MapNode) and content_type.startswith(MULTIPART):
        fields = _read_templates(node.entries, variables, TemplatePosition.PART)
        return None if fields is None else MultipartPayload(fields)
    value, sound = _json(node, variables)
    return JsonPayload(value) if sound else None


def _text_payload(
    node: ScalarNode, content_type: str, variables: Variables, diagnostics: Diagnostics
) -> Payload | None:
    looks_like_json = node.text.lstrip()[:1] in ("{", "[") and not content_type
    if not looks_like_json and "json" not in content_type:
        template = variables.read(node, TemplatePosition.TEXT)
        return None if template is None else TextPayload(template)
    if _LONE.fullmatch(node.text):
        value, sound = _json(node, variables)
        return JsonPayload(value) if sound else None
    try:
        body = json.loads(node.text)
    except (ValueError, RecursionError) as fault:
        diagnostics.add(rules.BAD_BODY, node.span, reason=_reason(fault))
        return None
    value, sound = _json(to_node(body, node.span), variables)
    return JsonPayload(value) if sound else None


def _reason(fault: Exception) -> str:
    if isinstance(fault, json.JSONDecodeError):
        return f"{fault.msg[0].lower()}{fault.msg[1:]} at line {fault.lineno}"
    return "it is nested too deeply"


def _json(node: Node, variables: Variables) -> tuple[JsonTemplate, bool]:
    match node:
        case MapNode():
            members = {
                entry.key.text: _json(entry.value, variables) for entry in node.entries
            }
            return {key: value for key, (value, _) in members.items()}, all(
                sound for _, sound in members.values()
            )
        case ListNode():
            items = [_json(item, variables) for item in node.items]
            return [value for value, _ in items], all(sound for _, sound in items)
        case ScalarNode(value=str()):
            template = variables.read(_placed(node), TemplatePosition.BODY)
            return (template or ()), template is not None
        case ScalarNode():
            value = node.value
            assert not isinstance(value, str)
            return value, True


def _placed(node: ScalarNode) -> ScalarNode:
    """A scalar that was made from a text answers every offset with the whole of it."""
    if node.lines is not None or not node.quoted:
        return node
    width = node.span.end_column - node.span.column
    if node.span.line == node.span.end_line and width == len(node.text) + 2:
        return node
    block = TextBlock(node.text, node.span, exact=False)
    return ScalarNode(node.span, node.text, node.value, quoted=True, lines=block)


def report_unused(
    request: RequestDecl,
    fields: tuple[Field, ...] | None,
    variables: Variables,
    diagnostics: Diagnostics,
) -> None:
    """Report secrets and arguments that the request does not use.

    An argument that the request writes as other languages do is reported at that place.
    """
    for name, span in variables.secrets.items():
        if name not in variables.used:
            diagnostics.add(rules.UNUSED_SECRET, span, name=name)
    for field in fields or ():
        if not field.declared or field.name in variables.used:
            continue
        if not _report_unmarked(request, field, diagnostics):
            diagnostics.add(rules.UNUSED_ARGUMENT, field.span, name=field.name)


def _report_unmarked(
    request: RequestDecl, field: Field, diagnostics: Diagnostics
) -> bool:
    """Report the first place where an argument is written without `${ }`; whether there is one."""
    for node in _texts(request):
        if (mark := unmarked(node.text, field.name)) is not None:
            diagnostics.add(
                rules.UNMARKED_VARIABLE,
                span_within(node, mark.start(), mark.end()) or node.span,
                notes=[Note(field.span, "the argument")],
                suggestions=[f"${{{field.name}}}"],
                **unmarked_mistake(mark[0], field.name).values,
            )
            return True
    return False


def _texts(request: RequestDecl) -> Iterator[ScalarNode]:
    """Every text of a request that may hold variables."""
    yield request.url
    section = request.section
    pairs = (*section.pairs("query"), *section.pairs("headers"))
    waiting: list[Node] = [entry.value for entry in pairs]
    waiting += [node for key, node in request.auth.items() if key != "type"]
    waiting += filter(None, [section.node("body")])
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, MapNode):
            waiting += [entry.value for entry in node.entries]
        elif isinstance(node, ListNode):
            waiting += node.items
        elif isinstance(node.value, str):
            yield node


def report_duplicate_query(
    request: RequestDecl, url: Url, diagnostics: Diagnostics
) -> None:
    """Report keys that stand in the query of the URL and under `query`."""
    in_url = {name for name, _ in url.query}
    for entry in request.section.pairs("query"):
        if entry.key.text in in_url:
            notes = [Note(request.url.span, "the URL")]
            diagnostics.add(
                rules.QUERY_KEY_TWICE, entry.key.span, notes=notes, name=entry.key.text
            )


_SECRET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


def make_request(
    decl: ToolDecl,
    fields: tuple[Field, ...] | None,
    entities: Mapping[str, Entity],
    project: Project,
    diagnostics: Diagnostics,
) -> HttpBody | None:
    """The request of an HTTP tool; None where a part is unsound, which is reported.

    ``fields`` None means that the arguments are not known for certain.
    """
    request = decl.request
    if request is None:
        return None
    by_name = None if fields is None else {field.name: field for field in fields}
    secrets = _secrets(decl, by_name, diagnostics)
    variables = Variables(by_name, secrets, entities, diagnostics)
    allowed = _allowed_hosts(decl, project, diagnostics)
    url = read_url(request.url, variables, allowed, diagnostics)
    pairs = request.section.pairs("query")
    query = _read_templates(pairs, variables, TemplatePosition.QUERY)
    headers = _headers(request, variables, diagnostics)
    auth, has_auth = _auth(request.auth, allowed, variables, diagnostics)
    payload, has_payload = _payload(request, headers, variables, diagnostics)
    sound = has_auth and has_payload
    if url is None or query is None or headers is None or allowed is None or not sound:
        return None
    if decl.sound:  # else what was refused may be what uses them
        report_unused(request, fields, variables, diagnostics)
    report_duplicate_query(request, url, diagnostics)
    return HttpBody(
        method=_method(request),
        url=url,
        timeout_ms=int(request.section.value("timeoutMs", 30_000)),
        retry=_retry(request.retry),
        secrets=tuple(secrets),
        allowed_hosts=allowed,
        response=_response(request.response, project),
        query=query,
        headers=headers,
        payload=payload,
        auth=auth,
    )


def _method(request: RequestDecl) -> str:
    """The method; a neutral one where it was refused, so that no errors follow from it."""
    refused = "POST" if "method" in request.section.written else "GET"
    return str(request.section.value("method", refused))


def _secrets(
    decl: ToolDecl, fields: Mapping[str, Field] | None, diagnostics: Diagnostics
) -> dict[str, Span]:
    secrets: dict[str, Span] = {}
    for scalar in decl.section.scalars("secrets"):
        if _SECRET.fullmatch(scalar.text) is None:
            diagnostics.add(rules.BAD_SECRET_NAME, scalar.span, name=scalar.text)
        elif fields is not None and scalar.text in fields:
            notes = [Note(fields[scalar.text].span, "the argument")]
            diagnostics.add(
                rules.SECRET_CLASH, scalar.span, notes=notes, name=scalar.text
            )
            continue
        secrets[scalar.text] = scalar.span
    return secrets


def _allowed_hosts(
    decl: ToolDecl, project: Project, diagnostics: Diagnostics
) -> tuple[Host, ...] | None:
    """The hosts of the tool, or else of the project; None where one is unsound.

    Also None where the tool names no hosts but has a refused part, which may name them.
    """
    if "allowedHosts" not in decl.section.entries:
        return project.allowed_hosts or (() if decl.sound else None)
    hosts: list[Host] = []
    sound = True
    for scalar in decl.section.scalars("allowedHosts"):
        host = parse_host(scalar.text)
        if host is None:
            near, text = host_of(scalar.text), scalar.text
            diagnostics.add(
                rules.BAD_HOST_PATTERN, scalar.span, suggestions=near, text=text
            )
            sound = False
        elif not _is_within(host, project.allowed_hosts):
            allowed = (
                ", ".join(f"`{pattern}`" for pattern in project.allowed_hosts or ())
                or "none"
            )
            diagnostics.add(
                rules.HOST_WIDENS, scalar.span, text=scalar.text, allowed=allowed
            )
            sound = False
        else:
            hosts.append(host)
    return tuple(hosts) if sound else None


def _is_within(host: Host, project: Sequence[Host] | None) -> bool:
    return project is None or any(pattern.covers(host) for pattern in project)


def _read_templates(
    entries: Iterable[Entry],
    variables: Variables,
    place: TemplatePosition | None = None,
) -> Named | None:
    """Return templates by their names; they stand at ``place``, or in the headers so called."""
    templates: list[tuple[str, Template]] = []
    sound = True
    for key, value in entries:
        template = None
        if isinstance(value, ScalarNode):
            at = place or TemplatePosition.of_header(key.text)
            template = variables.read(value, at)
        if template is None:
            sound = False
        else:
            templates.append((key.text, template))
    return tuple(templates) if sound else None


def _headers(
    request: RequestDecl, variables: Variables, diagnostics: Diagnostics
) -> Named | None:
    entries = request.section.pairs("headers")
    templates = _read_templates(entries, variables)
    sound = templates is not None
    seen: set[str] = set()
    if request.auth and request.auth["type"].text not in ("api_key", "hmac"):
        seen.add("authorization")
    for entry in entries:
        assert isinstance(entry.value, ScalarNode)
        mistake = header_mistake(entry.key.text, entry.value.text, seen)
        if mistake is not None:
            diagnostics.add(rules.BAD_HEADER, entry.key.span, **mistake.values)
            sound = False
        seen.add(entry.key.text.casefold())
    return templates if sound else None


_TEMPLATES_OF_AUTH = (
    *("token", "username", "password", "value", "key", "message"),
    *("clientId", "clientSecret", "refreshToken", "scope"),
)
_PART = re.compile(r"\{([a-z0-9_]+)\}", re.ASCII)


def _auth(
    decl: Mapping[str, ScalarNode],
    allowed: Sequence[Host] | None,
    variables: Variables,
    diagnostics: Diagnostics,
) -> tuple[Auth | None, bool]:
    """Return how the request is authorized, and whether its declaration is sound."""
    if not decl:
        return None, True
    templates: dict[str, Template] = {}
    for key, node in decl.items():
        if key not in _TEMPLATES_OF_AUTH:
            continue
        template = variables.read(node, TemplatePosition.AUTH)
        if template is None:
            return None, False
        templates[key] = template
    match decl["type"].text:
        case "bearer":
            return BearerAuth(templates["token"]), True
        case "basic":
            return BasicAuth(templates["username"], templates["password"]), True
        case "oauth2":
            return _oauth2(decl, templates, allowed, diagnostics)
        case "hmac":
            return _hmac(decl, templates, diagnostics)
        case _:
            return _key(decl, templates["value"], diagnostics)


def _oauth2(
    decl: Mapping[str, ScalarNode],
    templates: Mapping[str, Template],
    allowed: Sequence[Host] | None,
    diagnostics: Diagnostics,
) -> tuple[Auth | None, bool]:
    """An access token; its URL is literal, and of an allowed host as that of the request."""
    token_url, client_auth = decl["tokenUrl"], decl.get("clientAuth")
    literal = Variables({}, {}, {}, diagnostics)
    if read_url(token_url, literal, allowed, diagnostics) is None:
        return None, False
    return (
        OAuth2(
            token_url.text,
            templates["clientId"],
            templates["clientSecret"],
            templates.get("refreshToken", ()),
            templates.get("scope", ()),
            in_body=client_auth is not None and client_auth.text == "body",
        ),
        True,
    )


def _hmac(
    decl: Mapping[str, ScalarNode],
    templates: Mapping[str, Template],
    diagnostics: Diagnostics,
) -> tuple[Auth | None, bool]:
    """A signature: its headers can be sent, and its texts name parts of a request."""
    words = {key: node.text for key, node in decl.items()}
    value = templates.get("value", (Literal("{signature}"),))
    sound = _names_parts(
        decl, "message", templates["message"], SIGNED_PARTS, diagnostics
    )
    sound &= _names_parts(
        decl, "value", value, (*SIGNED_PARTS, "signature"), diagnostics
    )
    for key in ("name", "timestamp"):
        mistake = header_mistake(words[key], "", ()) if key in words else None
        if mistake is not None:
            diagnostics.add(rules.BAD_HEADER, decl[key].span, **mistake.values)
            sound = False
    if not sound:
        return None, False
    return (
        HmacAuth(
            words["name"],
            templates["key"],
            templates["message"],
            value,
            words.get("algorithm", "sha256"),
            words.get("encoding", "hex"),
            words.get("timestamp", ""),
        ),
        True,
    )


def _names_parts(
    decl: Mapping[str, ScalarNode],
    key: str,
    template: Template,
    parts: Sequence[str],
    diagnostics: Diagnostics,
) -> bool:
    """Return whether all that a text names in braces is a part of a request; report what is not."""
    sound = True
    for piece in template:
        for match in _PART.finditer(piece.text if isinstance(piece, Literal) else ""):
            if match[1] not in parts:
                diagnostics.add(
                    rules.UNKNOWN_PART,
                    decl[key].span,
                    suggestions=did_you_mean(match[1], parts),
                    name=match[1],
                    parts=", ".join(parts),
                )
                sound = False
    return sound


def _key(
    decl: Mapping[str, ScalarNode], value: Template, diagnostics: Diagnostics
) -> tuple[Auth | None, bool]:
    name, where = decl["name"], decl.get("in")
    in_query = where is not None and where.text == "query"
    mistake = None if in_query else header_mistake(name.text, "", ())
    if mistake is not None:
        diagnostics.add(rules.BAD_HEADER, name.span, **mistake.values)
        return None, False
    return KeyAuth(name.text, value, in_query), True


def _payload(
    request: RequestDecl,
    headers: Named | None,
    variables: Variables,
    diagnostics: Diagnostics,
) -> tuple[Payload | None, bool]:
    """Return the body, and whether its declaration is sound."""
    section, method = request.section, _method(request)
    body = section.entries.get("body")
    # Headers that were refused may hold the type of the body.
    if body is None or "headers" in section.written.keys() - section.entries.keys():
        return None, True
    if method in WITHOUT_BODY:
        diagnostics.add(rules.BODY_NOT_SENT, body.key.span, method=method)
        return None, False
    kinds = [
        template
        for name, template in headers or ()
        if name.casefold() == "content-type"
    ]
    kind = "".join(
        piece.text
        for template in kinds
        for piece in template
        if isinstance(piece, Literal)
    )
    payload = read_payload(body.value, kind.casefold(), variables, diagnostics)
    return payload, payload is not None


def _retry(said: Section) -> Retry:
    default = Retry()
    return Retry(
        max_attempts=int(said.value("maxAttempts", default.max_attempts)),
        delay_ms=int(said.value("delayMs", default.delay_ms)),
        max_delay_ms=int(said.value("maxDelayMs", default.max_delay_ms)),
        status_codes=_codes(said, "statusCodes") or default.status_codes,
        any_method=said.value("anyMethod", False),
    )


def _response(said: Section, project: Project) -> Response:
    return Response(
        success_codes=_codes(said, "successCodes"),
        error_mode=ErrorMode(said.value("errorMode", ErrorMode.FAIL)),
        encoding=Encoding(said.value("encoding", Encoding.JSON)),
        is_strict=said.value("strict_results", project.strict_results),
    )


def _codes(section: Section, key: str) -> tuple[int, ...]:
    values = (item.value for item in section.scalars(key))
    return tuple(dict.fromkeys(code for code in values if isinstance(code, int)))
