"""Write the ``goImpl`` or ``httpImpl`` of a tool, as a tool store runs it (seed 002; F12)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from brimgen.model.catalog import (
    PythonBody,
    ResourceBody,
    SqlBody,
    TemplateBody,
    Tool,
)
from brimgen.model.http import (
    Auth,
    BasicAuth,
    BearerAuth,
    ErrorMode,
    FormPayload,
    HmacAuth,
    HttpBody,
    JsonPayload,
    JsonTemplate,
    KeyAuth,
    MultipartPayload,
    Named,
    OAuth2,
    Payload,
    Response,
    Retry,
    TextPayload,
    Variable,
    template_text,
    url_text,
)
from brimgen.model.json import JsonObject

GO = "x-go-func"
"""The key of a tool that was written as a ``go`` document."""


def go_implementation(tool: Tool) -> JsonObject | None:
    """Return ``goImpl`` of a tool that was written as a ``go`` document with a function."""
    written = tool.extensions.get(GO) if isinstance(tool.body, PythonBody) else None
    if isinstance(written, Mapping):
        return written
    return {"func": written} if isinstance(written, str) else None


def http_implementation(tool: Tool) -> JsonObject | None:
    """Return ``httpImpl`` of a tool that makes a request.

    Places for values are written ``${name}``, as in the spec; `own_keys` has what a store has no
    place for. A tool with hidden arguments has none: nobody who reads it could give them.
    """
    body = tool.body
    if not isinstance(body, HttpBody) or tool.hidden_fields:
        return None
    request: dict[str, Any] = {"method": body.method, "urlTemplate": url_text(body.url)}
    if body.query:
        request["query"] = _texts(body.query)
    if body.headers:
        request["headers"] = _texts(body.headers)
    if body.payload is not None:
        request["body"] = _payload_text(body.payload)
    if body.auth is not None:
        request["auth"] = _auth(body.auth)
    request["timeoutMs"] = body.timeout_ms
    response = _response(body.response)
    return {"request": request, **({"response": response} if response else {})}


def own_keys(tool: Tool) -> JsonObject:
    """Return what a store has no key for, by the keys of the spec.

    Of a tool with hidden arguments ``isWhole`` is false, and nothing else is said: listings reach
    callers, who must not see hidden names.
    """
    if tool.hidden_fields:
        return {"isWhole": False}
    own: dict[str, Any] = {}
    match tool.body:
        case HttpBody(allowed_hosts=hosts, retry=retry, response=response):
            own["allowedHosts"] = [str(host) for host in hosts]
            if retry != Retry():
                own["retry"] = _retry(retry)
            if response.is_strict:
                own["strict"] = True
        case PythonBody(handler):
            if handler is not None:
                own["handler"] = handler
            if tool.body.keywords:
                own["call"] = "keywords"
        case SqlBody(statement, connection, strict):
            own |= {"sql": statement.text, "connection": connection}
            if not strict:
                own["strict"] = False
        case TemplateBody(messages):
            own["messages"] = [
                {"role": message.role, "content": message.template.text}
                for message in messages
            ]
        case ResourceBody(path=path, handler=handler):
            own["path"] = path
            if handler is not None:
                own["handler"] = handler
    return own if tool.when_to_use is None else {**own, "when_to_use": tool.when_to_use}


def _retry(retry: Retry) -> JsonObject:
    return {
        "maxAttempts": retry.max_attempts,
        "delayMs": retry.delay_ms,
        "maxDelayMs": retry.max_delay_ms,
        "statusCodes": [*retry.status_codes],
        "anyMethod": retry.any_method,
    }


def _texts(named: Named) -> dict[str, str]:
    return {name: template_text(template) for name, template in named}


def _payload_text(payload: Payload) -> str:
    match payload:
        case JsonPayload(value):
            return _json_text(value)
        case MultipartPayload(fields):
            return json.dumps(_texts(fields), ensure_ascii=False)
        case FormPayload(fields):
            pairs = (f"{name}={template_text(value)}" for name, value in fields)
            return "&".join(pairs)
        case TextPayload(text):
            return template_text(text)


def _json_text(value: JsonTemplate) -> str:
    """Return JSON text; a string that is one variable is that variable, of its own type."""
    if isinstance(value, tuple):
        text = template_text(value)
        is_whole = len(value) == 1 and isinstance(value[0], Variable)
        return text if is_whole else json.dumps(text, ensure_ascii=False)
    if isinstance(value, Mapping):
        members = (
            f"{json.dumps(key, ensure_ascii=False)}: {_json_text(member)}"
            for key, member in value.items()
        )
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_json_text(item) for item in value)}]"
    return json.dumps(value)


def _auth(auth: Auth) -> JsonObject:
    match auth:
        case BearerAuth(token):
            return {"type": "bearer", "valueTemplate": template_text(token)}
        case BasicAuth(username, password):
            value = f"{template_text(username)}:{template_text(password)}"
            return {"type": "basic", "valueTemplate": value}
        case KeyAuth():
            return {
                "type": "apiKey",
                "in": "query" if auth.in_query else "header",
                "name": auth.name,
                "valueTemplate": template_text(auth.value),
            }
        case OAuth2():
            return {
                "type": "oauth2",
                "tokenUrl": auth.token_url,
                "clientId": template_text(auth.client_id),
                "clientSecret": template_text(auth.client_secret),
                "refreshToken": template_text(auth.refresh_token),
                "scope": template_text(auth.scope),
                "clientAuth": "body" if auth.in_body else "basic",
            }
        case HmacAuth():
            return {
                "type": "hmac",
                "name": auth.name,
                "key": template_text(auth.key),
                "message": template_text(auth.message),
                "value": template_text(auth.value),
                "algorithm": auth.algorithm,
                "encoding": auth.encoding,
                "timestamp": auth.timestamp,
            }


def _response(response: Response) -> JsonObject:
    response_json: dict[str, Any] = {}
    if response.success_codes:
        response_json["successCodes"] = [*response.success_codes]
    response_json["encoding"] = str(response.encoding)
    if response.error_mode is not ErrorMode.FAIL:
        response_json["errorMode"] = str(response.error_mode)
    return response_json
