"""Compare the parts of an HTTP request with the values that it was made of.

Every part is compared with its template: method, address, path, query, headers, authorization, and
the body, as JSON, form or text. Text, numbers, booleans, null and the items of lists are compared;
values with a form of their own on the other side (moments, leaves) are not.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, cast
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit

from brimgen.agreement.expected_text import (
    Texts,
    spread,
    styled_text,
    text_of,
    texts_of,
)
from brimgen.agreement.request_variables import RequestVariables
from brimgen.agreement.round_trip import is_same
from brimgen.model.http import (
    BasicAuth,
    BearerAuth,
    Encoding,
    FormPayload,
    HttpBody,
    JsonPayload,
    KeyAuth,
    Literal,
    Payload,
    Template,
    TextPayload,
    Variable,
)
from brimgen.model.json import is_list, is_object

_KEPT_BACK = frozenset({"authorization", "cookie", "proxy-authorization"})
_TYPES = {
    JsonPayload: "application/json",
    FormPayload: "application/x-www-form-urlencoded",
    TextPayload: "text/plain; charset=utf-8",
}


def misplaced_parts(
    request: Any, body: HttpBody, variables: RequestVariables
) -> Iterator[str]:
    """The parts of a request that are not what the spec's templates say of the ``variables``."""
    if request.method != body.method:
        yield "method"
    yield from _address(request.url, body, variables)
    yield from _unlike("query", _pairs(request.url), _wanted_pairs(body, variables))
    sent = [(name.lower(), value) for name, value in request.headers]
    yield from _unlike("header", sent, _wanted_headers(body, variables))
    yield from _body(request.body, body.payload, variables)
    yield from _redirect_leaks(request, body, variables)


def _address(url: str, body: HttpBody, variables: RequestVariables) -> Iterator[str]:
    parts = urlsplit(url)
    host = text_of(body.url.authority, variables)
    if parts.scheme != body.url.scheme or host not in (None, parts.netloc):
        yield "address"
    wanted = [text_of(_decoded(each), variables) for each in body.url.segments]
    found = [unquote(each) for each in parts.path.split("/")[1:]]
    if len(wanted) != len(found) or any(
        each not in (None, there) for each, there in zip(wanted, found, strict=True)
    ):
        yield "path"


def _decoded(template: Template, *, is_query: bool = False) -> Template:
    """A template of a URL, whose literals are encoded, with their text."""
    read = unquote_plus if is_query else unquote
    return tuple(
        Literal(read(each.text)) if isinstance(each, Literal) else each
        for each in template
    )


def _pairs(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def _wanted_pairs(
    body: HttpBody, variables: RequestVariables
) -> list[tuple[str, Texts]]:
    auth = body.auth
    found = [
        pair
        for name, each in body.url.query
        for pair in spread(unquote_plus(name), _decoded(each, is_query=True), variables)
    ]
    found += [x for name, each in body.query for x in spread(name, each, variables)]
    if isinstance(auth, KeyAuth) and auth.in_query:
        found.append((auth.name, texts_of(auth.value, variables)))
    return found


def _wanted_headers(
    body: HttpBody, variables: RequestVariables
) -> list[tuple[str, Texts]]:
    found = [(name.lower(), texts_of(each, variables)) for name, each in body.headers]
    found = [
        (name, [each if each is None else each.strip(" \t") for each in texts])
        for name, texts in found
    ]
    names = {name for name, _ in found}
    if body.response.encoding is Encoding.JSON and "accept" not in names:
        found.append(("accept", ["application/json"]))
    if body.payload is not None and "content-type" not in names:
        found.append(("content-type", [_TYPES[type(body.payload)]]))
    match body.auth:
        case BearerAuth(token):
            found.append(
                ("authorization", [_joined("Bearer ", text_of(token, variables))])
            )
        case BasicAuth(username, password):
            pair = text_of((*username, Literal(":"), *password), variables)
            found.append(("authorization", [_joined("Basic ", pair)]))
        case KeyAuth(name, value, in_query):
            found += [] if in_query else [(name.lower(), texts_of(value, variables))]
        case None:
            pass
    return found


def _joined(start: str, text: str | None) -> str | None:
    return None if text is None else f"{start}{text}"


def _unlike(
    what: str, sent: Iterable[tuple[str, str]], wanted: Iterable[tuple[str, Texts]]
) -> Iterator[str]:
    """The names under which something else stands than is wanted, or something nobody wants."""
    left: dict[str, list[str]] = {}
    for name, value in sent:
        left.setdefault(name, []).append(_plain_user(value) if name == _AUTH else value)
    there: dict[str, Texts] = {}
    for name, texts in wanted:
        there.setdefault(name, []).extend(texts)
    for name in dict.fromkeys([*there, *left]):
        texts, values = there.get(name, []), left.get(name, [])
        if len(texts) != len(values) or any(
            text not in (None, value) for text, value in zip(texts, values, strict=True)
        ):
            yield f"{what} {name}"


_AUTH = "authorization"


def _plain_user(value: str) -> str:
    """What ``Authorization`` says, with user and password as text."""
    kind, _, rest = value.partition(" ")
    if kind != "Basic":
        return value
    try:
        return f"{kind} {b64decode(rest, validate=True).decode()}"
    except ValueError:
        return value


def _body(
    sent: bytes | None, payload: Payload | None, variables: RequestVariables
) -> Iterator[str]:
    match payload:
        case None:
            if sent is not None:
                yield "body"
        case JsonPayload(value):
            if sent is None:
                yield from [] if _is_absent(value, variables) else ["body"]
            else:
                read = json.loads(sent, parse_float=Decimal)
                yield from _in_json(read, value, variables, "body ")
        case FormPayload(fields):
            text = "" if sent is None else sent.decode("utf-8", "replace")
            pairs = parse_qsl(text, keep_blank_values=True)
            wanted = [x for name, each in fields for x in spread(name, each, variables)]
            yield from _unlike("body", pairs, wanted)
        case TextPayload(template):
            wanted_text = text_of(template, variables)
            if wanted_text is not None and sent != wanted_text.encode():
                yield "body"


def _in_json(
    sent: Any, said: Any, variables: RequestVariables, at: str
) -> Iterator[str]:
    if isinstance(said, tuple):
        yield from _check_template(sent, cast("Template", said), variables, at)
    elif is_object(said):
        if not is_object(sent):
            yield at
            return
        yield from (f"{at}/{name}" for name in sent.keys() - said.keys())
        for name, inner in said.items():
            if name in sent:
                yield from _in_json(sent[name], inner, variables, f"{at}/{name}")
            elif not _is_absent(inner, variables):
                yield f"{at}/{name}"
    elif is_list(said):
        yield from _in_list(sent, said, variables, at)
    elif not is_same(said, sent):
        yield at


def _in_list(
    sent: Any, said: list[Any], variables: RequestVariables, at: str
) -> Iterator[str]:
    """Return the items of a list without absent ones."""
    there = [each for each in said if not _is_absent(each, variables)]
    if not is_list(sent) or len(sent) != len(there):
        yield at
        return
    for number, (item, inner) in enumerate(zip(sent, there, strict=True)):
        yield from _in_json(item, inner, variables, f"{at}/{number}")


def _is_absent(said: Any, variables: RequestVariables) -> bool:
    """Return whether a JSON template is one variable that has no value."""
    if not isinstance(said, tuple) or len(cast("Template", said)) != 1:
        return False
    (only,) = cast("Template", said)
    return isinstance(only, Variable) and variables.is_absent(only)


def _check_template(
    sent: Any, said: Template, variables: RequestVariables, at: str
) -> Iterator[str]:
    """One template: the value itself where it is one variable and nothing else."""
    only = said[0] if len(said) == 1 else None
    if not isinstance(only, Variable):
        text = text_of(said, variables)
        if text is not None and text != sent:
            yield at
        return
    plain = variables.value(only)
    if only.style is not None and plain is not None:
        plain = styled_text(only, variables)
        if plain not in (None, sent):
            yield at
        return
    if plain is None or isinstance(plain, str | int | float | Decimal):
        if variables.is_absent(only) or not is_same(plain, sent):
            yield at
    elif is_list(plain) and (not is_list(sent) or len(sent) != len(plain)):
        yield at


def _redirect_leaks(
    request: Any, body: HttpBody, variables: RequestVariables
) -> Iterator[str]:
    """What only the other side may see, and would be sent along to another host."""
    names = {
        name.lower()
        for name, each in body.headers
        if any(map(variables.is_hidden, each))
    }
    names |= _KEPT_BACK & {name.lower() for name, _ in request.headers}
    if isinstance(body.auth, KeyAuth) and not body.auth.in_query:
        names.add(body.auth.name.lower())
    yield from (f"privacy of {name}" for name in names - {*request.private})
    hides = any(map(variables.is_hidden, _pieces(body.payload)))
    if hides and not request.is_private:
        yield "privacy of the body"


def _pieces(payload: Payload | None) -> Iterator[Literal | Variable]:
    """The pieces of a body."""
    waiting: list[Any] = []
    match payload:
        case JsonPayload(value):
            waiting.append(value)
        case FormPayload(fields):
            waiting += [each for _, each in fields]
        case TextPayload(text):
            waiting.append(text)
        case None:
            pass
    while waiting:
        each = waiting.pop()
        if isinstance(each, tuple):
            yield from cast("Template", each)
        elif is_object(each):
            waiting += each.values()
        elif is_list(each):
            waiting += each
