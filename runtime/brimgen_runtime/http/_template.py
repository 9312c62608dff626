"""Requests as data: what stands where in one, and the request that it makes of a call."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, cast
from urllib.parse import quote_plus

from ..grammar.hosts import Host
from ..schema.json_values import is_list, is_object
from ._auth import Grant, filled, parts_of, signature, with_headers
from ._files import NO_FILES, Files, Part, multipart, read_file
from ._json import ABSENT, member, whole_numbers
from ._place import (
    Delimited,
    authority,
    base_url,
    basic,
    bearer,
    cookie,
    encoded,
    header,
    host_part,
    is_nothing,
    json_body,
    pairs,
    part,
    percent,
    text,
    text_body,
    whole,
)
from ._request import Request, Secrets, secret
from ._styles import deep_pairs, delimited, delimited_text, json_text

_ALWAYS_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization"})
_SEPARATORS = {"comma": ",", "space": " ", "pipe": "|"}

Style: TypeAlias = Literal["comma", "space", "pipe", "deep", "json", "file"]
"""How a value is written: the items of a list as one text, as pairs, as JSON text, as a file."""


@dataclass(frozen=True, slots=True)
class Arg:
    """The place of the argument ``name``, or of what is below it by ``path``.

    ``label`` is what errors call it, if that is not its name. A ``hidden`` value never stands in
    an error, and goes to the host of the request only. ``digits`` is the attribute of a decimal,
    whose digits a text keeps. With ``whole``, the float 3.0 is written as 3.
    """

    name: str
    label: str = ""
    path: tuple[str | int, ...] = ()
    style: Style | None = None
    hidden: bool = False
    digits: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Secret(Arg):
    """The place of the secret ``name``."""

    hidden: bool = True


Text: TypeAlias = str | Arg | tuple[str | Arg, ...]
"""A text: as it stands, one value, or pieces of both."""

Pairs: TypeAlias = tuple[tuple[str, Text], ...]
"""Names with a text each, in order. One that is nothing but an absent value is left out."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """The header ``Authorization: Bearer <token>``."""

    token: Text


@dataclass(frozen=True, slots=True)
class Basic:
    """The header ``Authorization: Basic <username:password>``."""

    username: Text
    password: Text


@dataclass(frozen=True, slots=True)
class Key:
    """A key in a header, or in the query."""

    name: str
    value: Text
    in_query: bool = False


@dataclass(frozen=True, slots=True)
class OAuth2:
    """An access token of OAuth 2 for a client, or for a refresh token; see `Grant`."""

    token_url: str
    client_id: Text
    client_secret: Text
    refresh_token: Text = ""
    scope: Text = ""
    in_body: bool = False


@dataclass(frozen=True, slots=True)
class Hmac:
    """A signature of the request in the header ``name``.

    In ``message`` and ``value`` stand parts of the request as ``{path}``, in ``value`` also the
    ``{signature}``. ``timestamp`` is the header that says when it was signed.
    """

    name: str
    key: Text
    message: Text
    value: Text = "{signature}"
    timestamp: str = ""
    algorithm: str = "sha256"
    encoding: Literal["hex", "base64"] = "hex"


@dataclass(frozen=True, slots=True)
class JsonBody:
    """A body of JSON, in which the strings are texts; one that is one value is of any type."""

    value: Any


@dataclass(frozen=True, slots=True)
class FormBody:
    """A body of pairs; their names and texts are encoded, the values in them are not."""

    fields: Pairs


@dataclass(frozen=True, slots=True)
class MultipartBody:
    """A body of ``multipart/form-data``: a part for each value, and for each item of a list."""

    fields: Pairs


@dataclass(frozen=True, slots=True)
class TextBody:
    """A body that is a text, with values as they are; or a file, and nothing else."""

    text: Text


Body: TypeAlias = JsonBody | FormBody | MultipartBody | TextBody


@dataclass(frozen=True, slots=True)
class Template:
    """What stands where in a request.

    ``origin`` is scheme and host, or the secret that holds the URL of the service. In ``path`` a
    string is text, with the slashes; everything else is one segment. Texts in the path and in
    ``query`` are encoded. ``shown`` is the URL as the spec writes it.
    """

    method: str
    origin: Text
    path: tuple[Text, ...]
    shown: str
    query: Pairs = ()
    headers: Pairs = ()
    auth: Bearer | Basic | Key | OAuth2 | Hmac | None = None
    body: Body | None = None

    def request(
        self,
        bound: Any,
        secrets: Secrets,
        hosts: Sequence[Host] = (),
        files: Files = NO_FILES,
    ) -> Request:
        """Return the request with the values of ``bound``, a bound call.

        ``hosts`` are those that an origin with values may lead to, ``files`` those that values may
        name. Raises RequestError for a value that cannot stand in its place, and SecretError.
        """
        values = _Values(bound, secrets, files)
        url = self._origin(values, hosts)
        url += "".join(values.segment(each) for each in self.path)
        query = [*self.query, *self._key(in_query=True)]
        asked = [pair for key, each in query for pair in values.pairs(key, each)]
        if asked:
            url += f"?{'&'.join(asked)}"
        headers = (*self.headers, *self._key(in_query=False))
        sent = [pair for key, each in headers for pair in values.headers(key, each)]
        if isinstance(self.auth, Bearer | Basic):
            sent.append(("Authorization", values.authorization(self.auth)))
        is_private = self.body is not None and any(
            each.hidden for each in _args(_content(self.body))
        )
        body, media_type = values.body(self.body)
        if media_type:
            sent = [each for each in sent if each[0].casefold() != "content-type"]
            sent.append(("Content-Type", media_type))
        private = self._private_headers()
        request = Request(
            self.method, url, tuple(sent), body, self.shown, private, is_private
        )
        match self.auth:
            case OAuth2():
                return replace(request, grant=values.grant(self.auth))
            case Hmac():
                return with_headers(request, values.signature(self.auth, request))
            case _:
                return request

    def _origin(self, values: _Values, hosts: Sequence[Host]) -> str:
        if isinstance(self.origin, str):
            return self.origin
        if isinstance(self.origin, Secret):
            return base_url(values.secrets, self.origin.name)
        first, *rest = _pieces(self.origin)
        scheme, mark, begin = str(first).partition("://")
        pieces: tuple[str | Arg, ...] = (begin, *rest)
        written = values.joined(pieces, host_part)
        name, hidden = _last(pieces)
        return scheme + mark + authority(written, name, hosts, scheme, hidden=hidden)

    def _key(self, *, in_query: bool) -> Pairs:
        auth = self.auth
        if isinstance(auth, Key) and auth.in_query is in_query:
            return ((auth.name, auth.value),)
        return ()

    def _private_headers(self) -> tuple[str, ...]:
        """Return the names of the headers that no other host may see, in lower case."""
        names = {key.lower() for key, _ in self._key(in_query=False)}
        if isinstance(self.auth, Bearer | Basic):
            names.add("authorization")
        for key, each in self.headers:
            if key.casefold() in _ALWAYS_PRIVATE or any(
                arg.hidden for arg in _args(each)
            ):
                names.add(key.lower())
        return tuple(sorted(names))


class _Values:
    """The values of a bound call, and its secrets, written for their places."""

    def __init__(self, bound: Any, secrets: Secrets, files: Files) -> None:
        self.secrets = secrets
        self._files = files
        self._bound = bound
        self._json: Mapping[str, Any] = bound.to_dict()

    def value(self, arg: Arg, *, as_json: bool = False) -> Any:
        """Return a value as JSON, or what can be written as text; `ABSENT` or None for none."""
        found = self._plain(arg, as_json)
        name = arg.label or arg.name
        match arg.style:
            case None | "deep" | "file":
                return found
            case "json":
                return json_text(found, name, hidden=arg.hidden)
            case _ as style:
                write = delimited_text if as_json else delimited
                return write(found, _SEPARATORS[style], name, hidden=arg.hidden)

    def _plain(self, arg: Arg, as_json: bool) -> Any:
        if isinstance(arg, Secret):
            return secret(self.secrets, arg.name)
        is_text = arg.style in _SEPARATORS or (arg.style is None and not as_json)
        if arg.digits and is_text:
            return getattr(self._bound, arg.digits)
        found = self._json.get(arg.name, ABSENT)
        found = member(found, *arg.path) if arg.path else found
        return whole_numbers(found) if arg.whole else found

    def joined(self, pieces: Sequence[str | Arg], write: Callable[..., str]) -> str:
        """Return pieces as one text, with values that ``write`` makes safe."""
        return "".join(
            (
                each
                if isinstance(each, str)
                else write(
                    self.value(each), each.label or each.name, hidden=each.hidden
                )
            )
            for each in pieces
        )

    def text(self, template: Text) -> str:
        """Return a text in which nothing is encoded."""
        return self.joined(_pieces(template), text)

    def segment(self, template: Text) -> str:
        """Return a text of the path, or one whole segment."""
        if isinstance(template, str):
            return template
        name, hidden = _last(template)
        return whole(self.joined(_pieces(template), part), name, hidden=hidden)

    def pairs(
        self, key: str, template: Text, encode: Callable[[str], str] = percent
    ) -> list[str]:
        """Return the pairs of a query or form that have this key: one for each item of a list."""
        if isinstance(template, Arg):
            write = deep_pairs if template.style == "deep" else pairs
            name = template.label or template.name
            return write(key, self.value(template), name, template.hidden, encode)

        def written(value: object, name: str, *, hidden: bool) -> str:
            return encoded(value, name, hidden, encode)

        return [f"{key}={self.joined(_pieces(template), written)}"]

    def headers(self, key: str, template: Text) -> list[tuple[str, str]]:
        """Return a header; none where its one value is absent, or those of all its cookies."""
        if isinstance(template, str):
            return [(key, template)]
        if key.casefold() == "cookie" and isinstance(template, tuple):
            return self._cookies(key, template)
        name, hidden = _last(template)
        if isinstance(template, Arg):
            value = self.value(template)
            if is_nothing(value):
                return []
        else:
            value = self.text(template)
        return [(key, header(value, name, hidden=hidden))]

    def _cookies(self, key: str, template: Text) -> list[tuple[str, str]]:
        """Return the header of cookies, without those whose value is absent; secrets stand as they
        are.
        """
        cookies: list[list[str | Arg]] = [[]]
        for piece in _pieces(template):
            if isinstance(piece, Arg):
                cookies[-1].append(piece)
                continue
            first, *rest = piece.split(";")
            cookies[-1].append(first)
            for each in rest:
                cookies.append([each.lstrip()])
        written = [
            "".join(self._in_cookie(each) for each in pieces)
            for pieces in cookies
            if not any(is_nothing(self.value(each)) for each in _args(pieces))
        ]
        name, hidden = _last(template)
        sent = "; ".join(filter(None, written))
        return [(key, header(sent, name, hidden=hidden))] if sent else []

    def _in_cookie(self, piece: str | Arg) -> str:
        if isinstance(piece, str):
            return piece
        write = text if isinstance(piece, Secret) else cookie
        return write(self.value(piece), piece.label or piece.name, hidden=piece.hidden)

    def authorization(self, auth: Bearer | Basic) -> str:
        """Return what the header ``Authorization`` says."""
        if isinstance(auth, Bearer):
            return bearer(self.text(auth.token), _first(auth.token))
        name = _first((*_pieces(auth.username), *_pieces(auth.password)))
        return basic(self.text(auth.username), self.text(auth.password), name)

    def grant(self, auth: OAuth2) -> Grant:
        """Return what an access token is given for."""
        return Grant(
            auth.token_url,
            self.text(auth.client_id),
            self.text(auth.client_secret),
            self.text(auth.refresh_token),
            self.text(auth.scope),
            auth.in_body,
        )

    def signature(self, auth: Hmac, request: Request) -> list[tuple[str, str]]:
        """Return the headers that sign a request."""
        parts = parts_of(request, int(time.time()))
        made = signature(
            self._filled_text(auth.message, parts),
            self.text(auth.key),
            auth.algorithm,
            auth.encoding,
        )
        value = self._filled_text(auth.value, {**parts, "signature": made})
        headers = [(auth.name, header(value, auth.name, hidden=True))]
        if auth.timestamp:
            headers.append((auth.timestamp, parts["timestamp"]))
        return headers

    def _filled_text(self, template: Text, parts: Mapping[str, str]) -> str:
        """Return a text with parts of a request; values that stand in it are left as they are."""
        return "".join(
            filled(piece, parts) if isinstance(piece, str) else self.text(piece)
            for piece in _pieces(template)
        )

    def body(self, body: Body | None) -> tuple[bytes | None, str]:
        """Return the bytes of a body, None where there is none; and the media type that it has.

        That is empty where the request says it.
        """
        match body:
            case None:
                return None, ""
            case JsonBody(template):
                value = self._filled(template)
                return None if value is ABSENT else json_body(value), ""
            case MultipartBody(fields):
                return multipart(
                    (key, part) for key, each in fields for part in self._parts(each)
                )
            case TextBody(Arg(style="file") as template):
                for file in self._parts(template):
                    return file.data, file.media_type if file.is_typed else ""
                return None, ""
            case FormBody(fields):
                filled = [
                    pair
                    for key, each in fields
                    for pair in self.pairs(key, each, quote_plus)
                ]
                return "&".join(filled).encode("ascii"), ""
            case TextBody(template):
                return text_body(self.text(template)), ""

    def _parts(self, template: Text) -> Iterator[Part]:
        """Yield the parts of a form that a text stands for."""
        if not isinstance(template, Arg):
            yield Part(text_body(self.text(template)))
            return
        value, name = self.value(template), template.label or template.name
        if is_nothing(value):
            return
        items: list[object] = [value]
        if isinstance(value, list) and not isinstance(value, Delimited):
            items = cast("list[object]", value)
        for item in items:
            if template.style == "file":
                yield read_file(item, name, self._files, hidden=template.hidden)
            else:
                data = text_body(text(item, name, hidden=template.hidden))
                kind = "application/json" if template.style == "json" else ""
                yield Part(data, kind)

    def _filled(self, template: Any) -> Any:
        """Return a JSON value with values in it, without members and items that are absent."""
        if isinstance(template, Arg):
            value = self.value(template, as_json=True)
            return ABSENT if value is None and template.style else value
        if isinstance(template, tuple):
            return self.text(cast("tuple[str | Arg, ...]", template))
        if is_object(template):
            members = {key: self._filled(each) for key, each in template.items()}
            return {key: each for key, each in members.items() if each is not ABSENT}
        if is_list(template):
            items = [self._filled(each) for each in template]
            return [each for each in items if each is not ABSENT]
        return template


def _pieces(template: Text) -> tuple[str | Arg, ...]:
    return template if isinstance(template, tuple) else (template,)


def _last(template: Text) -> tuple[str, bool]:
    """Return what errors call the last value of a text, and whether it has a hidden one."""
    args = [*_args(template)]
    return args[-1].label or args[-1].name, any(each.hidden for each in args)


def _first(template: Text) -> str:
    """Return what errors call the first value of what says who calls."""
    for each in _args(template):
        return each.label or each.name
    return "authorization"


def _args(template: Any) -> Iterator[Arg]:
    """Yield the values of a text, of pairs, or of the JSON of a body."""
    if isinstance(template, Arg):
        yield template
    elif is_object(template):
        yield from _args([*template.values()])
    elif isinstance(template, list | tuple):
        for each in cast("Sequence[Any]", template):
            yield from _args(each)


def _content(body: Body) -> Any:
    match body:
        case JsonBody(value):
            return value
        case FormBody(fields) | MultipartBody(fields):
            return fields
        case TextBody(text_template):
            return text_template
