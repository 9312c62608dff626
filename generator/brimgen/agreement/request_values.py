"""Compare an HTTP request with what its spec says of the values that it is made of.

Both are written as one JSON value: method, address, path, query, headers, body. What the spec says
is made here, independently of the runtime, of the JSON that the bound call is written as. Values
that have another form in a request (whole floats, files by name) are `UNKNOWN` and not compared,
nor is a header of many cookies.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from email import message_from_bytes
from typing import Any, NamedTuple, Self, cast
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit

from brimgen.agreement.round_trip import is_same
from brimgen.model.catalog import Tool
from brimgen.model.fields import Caller
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
    Named,
    Payload,
    Style,
    Template,
    TextPayload,
    Variable,
    usual_content_type,
)
from brimgen.model.json import is_list, is_object

BASE_URL = "https://base.invalid/below"
"""The base URL of every service that is called to see what is sent."""


def secrets_of(body: HttpBody) -> dict[str, str]:
    """A value for each secret, of which no two are the same; one may hold the base URL."""
    base = body.url.base
    return {n: BASE_URL if n == base else f"secret-{n}" for n in body.secrets}


UNKNOWN = object()
_ABSENT = object()
_KEPT_BACK = frozenset({"authorization", "cookie", "proxy-authorization"})


class Written(Decimal):
    """A number with a fraction, and its ``text`` in JSON."""

    text: str

    def __new__(cls, text: str) -> Self:
        """Return the number of ``text``."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def misplaced_parts(
    tool: Tool, body: HttpBody, request: Any, bound: Any, values: Mapping[str, Any]
) -> Iterator[str]:
    """The parts of a request that are not what the ``body`` of a tool says of a ``bound`` call.

    ``values`` are its arguments by name, as Python has them: a decimal keeps its digits in texts.
    """
    given = json.loads(bound.to_json(), parse_float=Written)
    given |= {n: value for n, value in values.items() if isinstance(value, Decimal)}
    told = frozenset(f.name for f in tool.fields if isinstance(f.origin, Caller))
    variables = _Variables(given, told, secrets_of(body))
    sent, wanted = _sent(request, body), variables.request(body)
    if body.url.base is None and wanted["address"].endswith("://"):
        wanted["address"] += urlsplit(str(request.url)).netloc
    yield from _unlike(sent, wanted, "")
    private = {
        name.lower() for name, value in body.headers if variables.hides(value)
    } | (_KEPT_BACK & sent["header"].keys())
    match body.auth:
        case KeyAuth(name=name, in_query=False) | HmacAuth(name=name):
            private.add(name.lower())
        case _:
            pass
    yield from (f"privacy of {name}" for name in private - {*request.private})
    if not request.is_private and variables.hides(body.payload):
        yield "privacy of the body"


def _unlike(sent: Any, wanted: Any, at: str) -> Iterator[str]:
    """The pointers of what is not as it is wanted."""
    if wanted is UNKNOWN:
        return
    if is_object(wanted) and is_object(sent):
        for name in dict.fromkeys([*wanted, *sent]):
            if name in wanted and name in sent:
                yield from _unlike(sent[name], wanted[name], f"{at}/{name}")
            else:
                yield f"{at}/{name}"
    elif is_list(wanted) and is_list(sent) and len(wanted) == len(sent):
        for number, pair in enumerate(zip(sent, wanted, strict=True)):
            yield from _unlike(*pair, f"{at}/{number}")
    elif not is_same(wanted, sent):
        yield at


def _sent(request: Any, body: HttpBody) -> dict[str, Any]:
    parts = urlsplit(str(request.url))
    start = BASE_URL if body.url.base else f"{parts.scheme}://{parts.netloc}"
    rest = request.url.removeprefix(start)
    whole = request.url.startswith(start) and rest[:1] in ("", "/", "?", "#")
    return {
        "method": request.method,
        "address": start if whole else request.url,
        "path": [
            unquote(segment)
            for segment in re.split("[?#]", rest, maxsplit=1)[0].split("/")[1:]
        ],
        "query": _grouped(parse_qsl(parts.query, keep_blank_values=True)),
        "header": _grouped(
            (name.lower(), _plain_user(value))
            for name, value in request.headers
            if not _is_of_cookies(name, body)
        ),
        "body": _sent_body(request.body, body.payload),
    }


def _is_of_cookies(name: str, body: HttpBody) -> bool:
    return name.lower() == "cookie" and any(
        len(value) > 1 for each, value in body.headers if each.lower() == "cookie"
    )


def _sent_body(sent: bytes | None, payload: Payload | None) -> Any:
    match payload:
        case JsonPayload() if sent is not None:
            return json.loads(sent, parse_float=Decimal)
        case FormPayload():
            text = (sent or b"").decode("utf-8", "replace")
            return _grouped(parse_qsl(text, keep_blank_values=True))
        case MultipartPayload():
            return _grouped(_form_parts(sent or b""))
        case TextPayload() if sent is not None:
            written = b64encode(sent) if payload.is_file else sent
            return written.decode("utf-8", "replace")
        case _:
            return _ABSENT if sent is None else sent


def _form_parts(body: bytes) -> Iterator[tuple[str, str]]:
    """The names and texts of the parts of a form; a file is base64."""
    boundary = body.partition(b"\r\n")[0].removeprefix(b"--")
    head = b"Content-Type: multipart/form-data; boundary=" + boundary + b"\r\n\r\n"
    for part in message_from_bytes(head + body).walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            name = str(part.get_param("name", header="content-disposition"))
            is_file = part.get_filename() is not None
            yield name, b64encode(data).decode() if is_file else data.decode()


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _plain_user(value: str) -> str:
    """The value of a header; where it is ``Authorization``, with user and password decoded."""
    scheme, _, credentials = value.partition(" ")
    if scheme != "Basic":
        return value
    try:
        return f"{scheme} {b64decode(credentials, validate=True).decode()}"
    except ValueError:
        return value


class _Variables(NamedTuple):
    """``values`` are those of arguments by name, as JSON, without those that are absent.

    Callers know the arguments in ``told``.
    """

    values: Mapping[str, Any]
    told: frozenset[str]
    secrets: Mapping[str, str]

    def request(self, body: HttpBody) -> dict[str, Any]:
        """The request that the spec says."""
        url, auth = body.url, body.auth
        host = UNKNOWN if url.base else self._text(url.authority)
        query = [
            (unquote_plus(name), _decoded(value, unquote_plus))
            for name, value in url.query
        ]
        query += body.query
        if isinstance(auth, KeyAuth) and auth.in_query:
            query.append((auth.name, auth.value))
        return {
            "method": body.method,
            "address": (
                BASE_URL
                if url.base
                else f"{url.scheme}://{'' if host is UNKNOWN else host}"
            ),
            "path": [self._text(_decoded(each, unquote)) for each in url.segments],
            "query": self._pairs(query),
            "header": self._headers(body),
            "body": self._body(body.payload),
        }

    def hides(self, value: Any) -> bool:
        """Whether a template, or one in a body, has a value that callers do not know."""
        return any(
            isinstance(piece, Variable)
            and (piece.is_secret or piece.name not in self.told)
            for piece in pieces(value)
        )

    def _headers(self, body: HttpBody) -> dict[str, list[Any]]:
        written = [
            (name.lower(), value)
            for name, value in body.headers
            if not _is_of_cookies(name, body)
        ]
        headers = {
            name: [
                text.strip(" \t") if isinstance(text, str) else text for text in texts
            ]
            for name, texts in self._pairs(written).items()
        }
        payload = body.payload
        if isinstance(payload, MultipartPayload) or (
            isinstance(payload, TextPayload) and payload.is_file
        ):
            headers["content-type"] = [UNKNOWN]  # the boundary and the file say it
        elif payload is not None:
            headers.setdefault("content-type", [usual_content_type(payload)])
        if body.response.encoding is Encoding.JSON:
            headers.setdefault("accept", ["application/json"])
        auth: Named = ()
        match body.auth:
            case BearerAuth(token):
                auth = (("authorization", (Literal("Bearer "), *token)),)
            case BasicAuth(username, password):
                user = (Literal("Basic "), *username, Literal(":"), *password)
                auth = (("authorization", user),)
            case KeyAuth(name, value, in_query):
                auth = () if in_query else ((name.lower(), value),)
            case HmacAuth(name=name, timestamp=timestamp):
                headers |= {
                    each.lower(): [UNKNOWN] for each in (name, timestamp) if each
                }
            case _:  # a token is asked for when the request is sent
                pass
        for name, texts in self._pairs(auth).items():
            headers.setdefault(name, []).extend(texts)
        return headers

    def _body(self, payload: Payload | None) -> Any:
        match payload:
            case None:
                return _ABSENT
            case JsonPayload(value):
                return self._json(value)
            case FormPayload(fields) | MultipartPayload(fields):
                return self._pairs(fields)
            case TextPayload(template):
                only = _only(template)
                is_absent = only is not None and self._value(only) is _ABSENT
                return _ABSENT if is_absent else self._text(template)

    def _pairs(self, named: Iterable[tuple[str, Template]]) -> dict[str, list[Any]]:
        """The texts of names: none where the only value is absent, one for each item of a list."""
        return _grouped(
            pair for name, value in named for pair in self._spread(name, value)
        )

    def _spread(self, name: str, template: Template) -> Iterator[tuple[str, Any]]:
        only = _only(template)
        if only is None:
            yield name, self._text(template)
            return
        value, style = self._value(only), only.style
        if style is Style.DEEP:
            yield from _deep(name, value)
        elif is_list(value) and style in (None, Style.FILE):
            yield from ((name, _styled(item, style)) for item in value)
        elif value not in (None, _ABSENT) and not (style in SEPARATORS and value == []):
            yield name, _styled(value, style)

    def _text(self, template: Template) -> Any:
        """The text of a template; `UNKNOWN` where a piece of it is."""
        texts = [
            (
                piece.text
                if isinstance(piece, Literal)
                else _styled(self._value(piece), piece.style)
            )
            for piece in template
        ]
        return UNKNOWN if UNKNOWN in texts else "".join(texts)

    def _json(self, template: Any) -> Any:
        """The value of a template of JSON; `_ABSENT` where it is one variable without any."""
        if is_object(template):
            members = {name: self._json(inner) for name, inner in template.items()}
            return {k: value for k, value in members.items() if value is not _ABSENT}
        if is_list(template):
            items = map(self._json, template)
            return [item for item in items if item is not _ABSENT]
        if not isinstance(template, tuple):
            return template
        only = _only(cast("Template", template))
        if only is None:
            return self._text(cast("Template", template))
        value = self._value(only)
        is_plain = only.style is None or value in (None, _ABSENT)
        return value if is_plain else _styled(value, only.style)

    def _value(self, variable: Variable) -> Any:
        """The value of a variable; `_ABSENT` if there is none, or nothing on its path."""
        if variable.is_secret:
            return self.secrets.get(variable.name)
        value = self.values.get(variable.name, _ABSENT)
        for step in variable.path:
            if isinstance(step, int):
                value = value[step] if is_list(value) and step < len(value) else None
            else:
                value = value.get(step) if is_object(value) else None
        return _ABSENT if variable.path and value is None else value


def pieces(value: Any) -> Iterator[Any]:
    """The literals and variables of a template or of all templates in a body."""
    match value:
        case JsonPayload(inner) | TextPayload(inner):
            yield from pieces(inner)
        case FormPayload(fields) | MultipartPayload(fields):
            yield from pieces([template for _, template in fields])
        case tuple() | list():
            for each in cast("Iterable[Any]", value):
                yield from pieces(each)
        case _ if is_object(value):
            yield from pieces([*value.values()])
        case _:
            yield value


def _only(template: Template) -> Variable | None:
    """The variable that a template is, if it is one and nothing else."""
    only = template[0] if len(template) == 1 else None
    return only if isinstance(only, Variable) else None


def _decoded(template: Template, read: Any) -> Template:
    """A template of a URL, whose literals are encoded, with their text."""
    return tuple(
        Literal(read(piece.text)) if isinstance(piece, Literal) else piece
        for piece in template
    )


def _styled(value: Any, style: Style | None) -> Any:
    """The text of a value; `UNKNOWN` where only the package can write it."""
    match style:
        case Style.COMMA | Style.SPACE | Style.PIPE:
            texts = [_word(item) for item in (value if is_list(value) else [value])]
            return UNKNOWN if UNKNOWN in texts else SEPARATORS[style].join(texts)
        case Style.JSON:
            try:
                return json.dumps(value, separators=(",", ":"))
            except TypeError:
                return UNKNOWN  # a number with a fraction
        case Style.FILE:
            try:
                written = b64encode(b64decode(str(value), validate=True)).decode()
            except ValueError:
                return UNKNOWN  # the value names the file, or is a URL
            return written if written == value else UNKNOWN
        case _:
            return _word(value)


def _word(value: Any) -> Any:
    match value:
        case bool():
            return "true" if value else "false"
        case Written():
            is_float = "e" in value.text.lower() or value.text.endswith(".0")
            return UNKNOWN if is_float else value.text  # 3 or 3.0, as the schema has it
        case Decimal():
            return format(value, "f")
        case str() | int():
            return str(value)
        case _:
            return UNKNOWN


def _deep(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The name and the text of each value inside of an object or a list."""
    if is_object(value):
        for key, inner in value.items():
            yield from _deep(f"{name}[{key}]", inner)
    elif is_list(value):
        for number, inner in enumerate(value):
            step = number if is_object(inner) or is_list(inner) else ""
            yield from _deep(f"{name}[{step}]", inner)
    elif value not in (None, _ABSENT):
        yield name, _word(value)
