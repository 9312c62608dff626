"""Compare the parts of an HTTP request with the values that it was made of.

Every part is compared with its template: method, address, path, query, headers, authorization, and
the body, as JSON, form or text. Text, numbers, booleans, null and the items of lists are compared;
values with a form of their own on the other side (moments, leaves) are not.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from decimal import Decimal
from email import message_from_bytes
from typing import Any, cast
from urllib.parse import parse_qsl, quote, unquote, unquote_plus, urlsplit

from brimgen.agreement.bound_calls import BASE_URL
from brimgen.agreement.expected_text import (
    Texts,
    is_left_out,
    spread,
    styled_text,
    text_of,
    texts_of,
)
from brimgen.agreement.request_variables import RequestVariables
from brimgen.agreement.round_trip import is_same
from brimgen.model.http import (
    SEPARATORS,
    BasicAuth,
    BearerAuth,
    Encoding,
    FormPayload,
    HmacAuth,
    HttpBody,
    JsonPayload,
    KeyAuth,
    Literal,
    MultipartPayload,
    OAuth2,
    Payload,
    Style,
    Template,
    TextPayload,
    Variable,
    usual_content_type,
)
from brimgen.model.json import is_list, is_object

_KEPT_BACK = frozenset({"authorization", "cookie", "proxy-authorization"})


def misplaced_parts(
    request: Any, body: HttpBody, variables: RequestVariables
) -> Iterator[str]:
    """The parts of a request that are not what the spec's templates say of the ``variables``."""
    if request.method != body.method:
        yield "method"
    yield from _address(request.url, body, variables)
    yield from _misplaced_names(
        "query", _pairs(request.url), _wanted_pairs(body, variables)
    )
    sent = [(name.lower(), value) for name, value in request.headers]
    yield from _misplaced_names("header", sent, _wanted_headers(body, variables))
    yield from _body(request.body, body.payload, variables)
    yield from _redirect_leaks(request, body, variables)


def _address(url: str, body: HttpBody, variables: RequestVariables) -> Iterator[str]:
    if body.url.base is not None:
        start = BASE_URL
    else:
        host = text_of(body.url.authority, variables)
        start = f"{body.url.scheme}://{urlsplit(url).netloc if host is None else host}"
    rest = url.removeprefix(start)
    if not url.startswith(start) or rest[:1] not in ("", "/", "?", "#"):
        yield "address"
    path = re.split("[?#]", rest, maxsplit=1)[0]
    wanted = [text_of(_decoded(segment), variables) for segment in body.url.segments]
    found = [unquote(segment) for segment in path.split("/")[1:]]
    if len(wanted) != len(found) or any(
        text not in (None, segment) for text, segment in zip(wanted, found, strict=True)
    ):
        yield "path"


def _decoded(template: Template, *, is_query: bool = False) -> Template:
    """A template of a URL, whose literals are encoded, with their text."""
    read = unquote_plus if is_query else unquote
    return tuple(
        Literal(read(piece.text)) if isinstance(piece, Literal) else piece
        for piece in template
    )


def _pairs(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def _wanted_pairs(
    body: HttpBody, variables: RequestVariables
) -> list[tuple[str, Texts]]:
    auth = body.auth
    pairs = [
        pair
        for name, template in body.url.query
        for pair in spread(
            unquote_plus(name), _decoded(template, is_query=True), variables
        )
    ]
    pairs += [
        pair
        for name, template in body.query
        for pair in spread(name, template, variables)
    ]
    if isinstance(auth, KeyAuth) and auth.in_query:
        pairs.append((auth.name, texts_of(auth.value, variables)))
    return pairs


def _wanted_headers(
    body: HttpBody, variables: RequestVariables
) -> list[tuple[str, Texts]]:
    written = [
        (
            name.lower(),
            (_cookies if name.lower() == "cookie" and len(template) > 1 else texts_of)(
                template, variables
            ),
        )
        for name, template in body.headers
    ]
    headers: list[tuple[str, Texts]] = [
        (name, [text if text is None else text.strip(" \t") for text in texts])
        for name, texts in written
    ]
    payload = body.payload
    if isinstance(payload, MultipartPayload) or (
        isinstance(payload, TextPayload) and payload.is_file
    ):
        # The boundary and the file say it.
        headers = [each for each in headers if each[0] != "content-type"]
        headers.append(("content-type", [None]))
    names = {name for name, _ in headers}
    if body.response.encoding is Encoding.JSON and "accept" not in names:
        headers.append(("accept", ["application/json"]))
    if payload is not None and "content-type" not in names:
        headers.append(("content-type", [usual_content_type(payload)]))
    match body.auth:
        case BearerAuth(token):
            headers.append(
                ("authorization", [_joined("Bearer ", text_of(token, variables))])
            )
        case BasicAuth(username, password):
            pair = text_of((*username, Literal(":"), *password), variables)
            headers.append(("authorization", [_joined("Basic ", pair)]))
        case KeyAuth(name, value, in_query):
            headers += [] if in_query else [(name.lower(), texts_of(value, variables))]
        case HmacAuth(name=name, timestamp=timestamp):
            for each in (name, timestamp):
                if each:
                    headers.append((each.lower(), [None]))
        case OAuth2() | None:  # a token is asked for when the request is sent
            pass
    return headers


def _cookies(template: Template, variables: RequestVariables) -> Texts:
    """The text of the header of cookies, of which those that are absent are left out."""
    cookies: list[list[Literal | Variable]] = [[]]
    for piece in template:
        if isinstance(piece, Variable):
            cookies[-1].append(piece)
            continue
        first, *rest = (Literal(text.lstrip()) for text in piece.text.split(";"))
        cookies[-1].append(first)
        for each in rest:
            cookies.append([each])
    texts = [
        _cookie(pieces, variables)
        for pieces in cookies
        if not any(
            isinstance(piece, Variable) and is_left_out(piece, variables)
            for piece in pieces
        )
    ]
    known = [text for text in texts if text is not None]
    if known != texts:
        return [None]
    return ["; ".join(filter(None, known))] if any(known) else []


def _cookie(
    pieces: Iterable[Literal | Variable], variables: RequestVariables
) -> str | None:
    written = ""
    for piece in pieces:
        text = text_of((piece,), variables)
        if text is None:
            return None
        if isinstance(piece, Variable) and not piece.is_secret:
            between = SEPARATORS[Style.COMMA] if piece.style is Style.COMMA else ""
            text = quote(text, safe=_IN_COOKIE + between)
        written += text
    return written


_IN_COOKIE = "!#$&'()*+-./:<=>?@[]^_`{|}~"
"""The characters of a cookie that stand as they are (RFC 6265, 4.1.1)."""


def _joined(start: str, text: str | None) -> str | None:
    return None if text is None else f"{start}{text}"


def _misplaced_names(
    part: str, sent: Iterable[tuple[str, str]], wanted: Iterable[tuple[str, Texts]]
) -> Iterator[str]:
    """Yield the names whose sent values are not the wanted ones."""
    sent_values: dict[str, list[str]] = {}
    for name, value in sent:
        sent_values.setdefault(name, []).append(
            _plain_user(value) if name == _AUTH else value
        )
    wanted_texts: dict[str, Texts] = {}
    for name, texts in wanted:
        wanted_texts.setdefault(name, []).extend(texts)
    for name in dict.fromkeys([*wanted_texts, *sent_values]):
        texts, values = wanted_texts.get(name, []), sent_values.get(name, [])
        if len(texts) != len(values) or any(
            text not in (None, value) for text, value in zip(texts, values, strict=True)
        ):
            yield f"{part} {name}"


_AUTH = "authorization"


def _plain_user(value: str) -> str:
    """The value of ``Authorization``, with user and password decoded."""
    scheme, _, credentials = value.partition(" ")
    if scheme != "Basic":
        return value
    try:
        return f"{scheme} {b64decode(credentials, validate=True).decode()}"
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
            wanted = [
                pair
                for name, template in fields
                for pair in spread(name, template, variables)
            ]
            yield from _misplaced_names("body", pairs, wanted)
        case MultipartPayload(fields):
            wanted = [(name, texts_of(each, variables)) for name, each in fields]
            yield from _misplaced_names("body", _parts(sent or b""), wanted)
        case TextPayload(template) if _is_absent(template, variables):
            yield from [] if sent is None else ["body"]
        case TextPayload(template):
            wanted_text = text_of(template, variables)
            encode = b64decode if payload.is_file else str.encode
            if wanted_text is not None and sent != encode(wanted_text):
                yield "body"


def _parts(body: bytes) -> Iterator[tuple[str, str]]:
    """The names and texts of the parts of a form; a file is base64."""
    boundary = body.partition(b"\r\n")[0].removeprefix(b"--")
    head = b"Content-Type: multipart/form-data; boundary=" + boundary + b"\r\n\r\n"
    for part in message_from_bytes(head + body).walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            name = str(part.get_param("name", header="content-disposition"))
            is_file = part.get_filename() is not None
            yield name, b64encode(data).decode() if is_file else data.decode()


def _in_json(
    sent: Any, template: Any, variables: RequestVariables, at: str
) -> Iterator[str]:
    if isinstance(template, tuple):
        yield from _check_template(sent, cast("Template", template), variables, at)
    elif is_object(template):
        if not is_object(sent):
            yield at
            return
        yield from (f"{at}/{name}" for name in sent.keys() - template.keys())
        for name, inner in template.items():
            if name in sent:
                yield from _in_json(sent[name], inner, variables, f"{at}/{name}")
            elif not _is_absent(inner, variables):
                yield f"{at}/{name}"
    elif is_list(template):
        yield from _in_list(sent, template, variables, at)
    elif not is_same(template, sent):
        yield at


def _in_list(
    sent: Any, template: list[Any], variables: RequestVariables, at: str
) -> Iterator[str]:
    """Compare a list with the items of its template that are not absent."""
    present = [part for part in template if not _is_absent(part, variables)]
    if not is_list(sent) or len(sent) != len(present):
        yield at
        return
    for number, (item, inner) in enumerate(zip(sent, present, strict=True)):
        yield from _in_json(item, inner, variables, f"{at}/{number}")


def _is_absent(template: Any, variables: RequestVariables) -> bool:
    """Return whether a JSON template is one variable that has no value."""
    if not isinstance(template, tuple) or len(cast("Template", template)) != 1:
        return False
    (only,) = cast("Template", template)
    return isinstance(only, Variable) and variables.is_absent(only)


def _check_template(
    sent: Any, template: Template, variables: RequestVariables, at: str
) -> Iterator[str]:
    """One template: the value itself where it is one variable and nothing else."""
    only = template[0] if len(template) == 1 else None
    if not isinstance(only, Variable):
        text = text_of(template, variables)
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
    """Yield the secret and hidden parts that a redirect would send to another host."""
    names = {
        name.lower()
        for name, template in body.headers
        if any(map(variables.is_hidden, template))
    }
    names |= _KEPT_BACK & {name.lower() for name, _ in request.headers}
    match body.auth:
        case KeyAuth(name=name, in_query=False) | HmacAuth(name=name):
            names.add(name.lower())
        case _:
            pass
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
        case FormPayload(fields) | MultipartPayload(fields):
            waiting += [template for _, template in fields]
        case TextPayload(text):
            waiting.append(text)
        case None:
            pass
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            yield from cast("Template", part)
        elif is_object(part):
            waiting += part.values()
        elif is_list(part):
            waiting += part
