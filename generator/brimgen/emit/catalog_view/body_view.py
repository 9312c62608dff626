"""Make the view of what runs a tool: a statement, function, request, prompt or resource."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypedDict

from brimgen.emit.catalog_view.view_types import (
    FunctionView,
    Kind,
    PairView,
    PromptView,
    RequestView,
    ResourceView,
    StatementView,
)
from brimgen.emit.protocol.uris import query_of, uri_template
from brimgen.model.catalog import (
    Catalog,
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import (
    BasicAuth,
    BearerAuth,
    FormPayload,
    HmacAuth,
    HttpBody,
    JsonPayload,
    JsonTemplate,
    KeyAuth,
    MultipartPayload,
    Named,
    OAuth2,
    template_text,
    url_text,
)


class BodyView(TypedDict):
    """The keys of a tool's view of which one has a value."""

    statement: StatementView | None
    function: FunctionView | None
    request: RequestView | None
    prompt: PromptView | None
    resource: ResourceView | None


NO_BODY: BodyView = {
    "statement": None,
    "function": None,
    "request": None,
    "prompt": None,
    "resource": None,
}


def kind_of(tool: Tool) -> Kind:
    """The word for what runs ``tool``."""
    match tool.body:
        case SqlBody():
            return "sql"
        case PythonBody():
            return "python"
        case HttpBody():
            return "http"
        case TemplateBody():
            return "template"
        case ResourceBody():
            return "resource"


def body_view(catalog: Catalog, tool: Tool) -> BodyView:
    """The view of what runs ``tool``."""
    match tool.body:
        case SqlBody() as body:
            return {**NO_BODY, "statement": _statement(catalog, body)}
        case PythonBody(handler, keywords=keywords):
            return {**NO_BODY, "function": {"handler": handler, "keywords": keywords}}
        case HttpBody() as body:
            return {**NO_BODY, "request": _request(body)}
        case TemplateBody() as body:
            return {**NO_BODY, "prompt": _prompt(body)}
        case ResourceBody() as body:
            return {**NO_BODY, "resource": _resource(catalog, tool, body)}


def _statement(catalog: Catalog, body: SqlBody) -> StatementView:
    connection = catalog.project.connections.get(body.connection)
    return {
        "text": body.statement.text.strip("\n"),
        "connection": body.connection,
        "dialect": None if connection is None else connection.dialect,
    }


def _prompt(body: TemplateBody) -> PromptView:
    return {
        "messages": [
            {"role": message.role, "text": message.template.text.strip("\n")}
            for message in body.messages
        ]
    }


def _resource(catalog: Catalog, tool: Tool, body: ResourceBody) -> ResourceView:
    return {
        "path": body.path,
        "uri_template": uri_template(catalog, tool, body),
        "query": list(query_of(tool, body)),
        "mime_type": body.mime_type,
        "handler": body.handler,
    }


def _request(body: HttpBody) -> RequestView:
    request_view: RequestView = {
        "method": body.method,
        "url": url_text(body.url),
        "query": _pairs(body.query),
        "headers": _pairs(body.headers),
        "body_kind": None,
        "body": None,
        "auth": None,
        "secrets": list(body.secrets),
        "hosts": [str(allowed_host) for allowed_host in body.allowed_hosts],
        "timeout_ms": body.timeout_ms,
        "attempts": body.retry.max_attempts,
    }
    match body.payload:
        case JsonPayload(value):
            request_view["body_kind"], request_view["body"] = "json", _json(value)
        case FormPayload(fields) | MultipartPayload(fields) as form:
            pairs = (f"{name}={template_text(template)}" for name, template in fields)
            is_plain = isinstance(form, FormPayload)
            request_view["body_kind"] = "form" if is_plain else "multipart"
            request_view["body"] = "&".join(pairs)
        case None:
            pass
        case text:
            request_view["body_kind"], request_view["body"] = "text", template_text(
                text.text
            )
    match body.auth:
        case BearerAuth():
            request_view["auth"] = "bearer"
        case BasicAuth():
            request_view["auth"] = "basic"
        case KeyAuth() as key:
            request_view["auth"] = "query" if key.in_query else "header"
        case OAuth2():
            request_view["auth"] = "oauth2"
        case HmacAuth():
            request_view["auth"] = "hmac"
        case None:
            pass
    return request_view


def _pairs(named: Named) -> list[PairView]:
    return [{"name": name, "text": template_text(template)} for name, template in named]


def _json(value: JsonTemplate) -> str:
    return json.dumps(_with_places(value), indent=2, ensure_ascii=False)


def _with_places(value: JsonTemplate) -> Any:
    """``value`` as JSON whose texts have places: ``"${user.id}"``."""
    if isinstance(value, tuple):
        return template_text(value)
    if isinstance(value, Mapping):
        return {name: _with_places(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_with_places(item) for item in value]
    return value
