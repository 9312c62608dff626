"""Write a request as the data that the runtime expands: `brimgen_runtime.http._template`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus

from brimgen.emit.code import Code, py
from brimgen.emit.http.number_places import holds_floats
from brimgen.emit.imports import Imports
from brimgen.emit.names import field_attribute
from brimgen.emit.python_text import call, keyword, listed, mapping, tuple_of
from brimgen.frozen import dataclass
from brimgen.model.catalog import Catalog
from brimgen.model.fields import Caller, Context
from brimgen.model.http import (
    Auth,
    BasicAuth,
    BearerAuth,
    Encoding,
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
    Template,
    TextPayload,
    Url,
    Variable,
    usual_content_type,
)
from brimgen.model.scalars import SCALARS
from brimgen.model.types import Field, ListType, NullableType, ScalarType, Type


@dataclass(frozen=True, slots=True)
class RequestData:
    """Writes the request of a tool with these ``fields``, and imports what it names."""

    fields: Mapping[str, Field]
    catalog: Catalog
    imports: Imports

    def template(self, request: HttpBody) -> Code:
        """Return the expression of the request; the module has its URL in ``SHOWN``."""
        url = request.url
        arguments = [
            py(request.method),
            self._origin(url),
            tuple_of([*self._path(url.segments)]),
            Code("SHOWN"),
        ]
        query = [(py(key), self._text(each)) for key, each in url.query]
        query += self._encoded_pairs(request.query, _percent)
        if query:
            arguments.append(keyword("query", _pairs(query)))
        headers = self._headers(request)
        if headers:
            arguments.append(keyword("headers", _pairs(headers)))
        if request.auth is not None:
            arguments.append(keyword("auth", self._auth(request.auth)))
        if request.payload is not None:
            arguments.append(keyword("body", self._body(request.payload)))
        return self._made("Template", *arguments)

    def _made(self, name: str, *arguments: Code) -> Code:
        return call(self.imports.runtime(name), *arguments)

    def _origin(self, url: Url) -> Code:
        if url.base is not None:
            return self._made("Secret", py(url.base))
        return self._text((Literal(f"{url.scheme}://"), *url.authority))

    def _path(self, segments: Iterable[Template]) -> Iterator[Code]:
        """Yield texts, which have the slashes, and segments with values."""
        text = ""
        for segment in segments:
            text += "/"
            if all(isinstance(piece, Literal) for piece in segment):
                text += "".join(_text_of(piece) for piece in segment)
                continue
            yield py(text)
            text = ""
            yield self._text(segment)
        if text:
            yield py(text)

    def _headers(self, request: HttpBody) -> list[tuple[Code, Code]]:
        usual: dict[str, str] = {}
        if request.response.encoding is Encoding.JSON:
            usual["Accept"] = "application/json"
        if request.payload is not None:
            usual["Content-Type"] = usual_content_type(request.payload)
        given = {key.casefold() for key, _ in request.headers}
        return [
            *(
                (py(key), py(value))
                for key, value in usual.items()
                if key.casefold() not in given
            ),
            *((py(key), self._header(each)) for key, each in request.headers),
        ]

    def _header(self, template: Template) -> Code:
        if any(isinstance(piece, Variable) for piece in template):
            return self._text(template)
        return py("".join(map(_text_of, template)).strip(" \t"))

    def _auth(self, auth: Auth) -> Code:
        match auth:
            case BearerAuth(token):
                return self._made("Bearer", self._text(token))
            case BasicAuth(username, password):
                return self._made("Basic", self._text(username), self._text(password))
            case KeyAuth(name, value, in_query) if in_query:
                ((key, text),) = self._encoded_pairs(((name, value),), _percent)
                return self._made("Key", key, text, keyword("in_query", py(True)))
            case KeyAuth(name, value):
                return self._made("Key", py(name), self._header(value))
            case OAuth2():
                texts = (auth.client_id, auth.client_secret)
                more = [
                    keyword(name, self._text(template))
                    for name, template in (
                        ("refresh_token", auth.refresh_token),
                        ("scope", auth.scope),
                    )
                    if template
                ]
                if auth.in_body:
                    more.append(keyword("in_body", py(True)))
                return self._made(
                    "OAuth2", py(auth.token_url), *map(self._text, texts), *more
                )
            case HmacAuth():
                signed = (auth.key, auth.message, auth.value)
                words = (auth.timestamp, auth.algorithm, auth.encoding)
                return self._made(
                    "Hmac", py(auth.name), *map(self._text, signed), *map(py, words)
                )

    def _body(self, payload: Payload) -> Code:
        match payload:
            case JsonPayload(value):
                return self._made("JsonBody", self._json(value))
            case FormPayload(fields):
                pairs = self._encoded_pairs(fields, quote_plus)
                return self._made("FormBody", _pairs(pairs))
            case MultipartPayload(fields):
                parts = [(py(key), self._text(each)) for key, each in fields]
                return self._made("MultipartBody", _pairs(parts))
            case TextPayload(text):
                return self._made("TextBody", self._text(text))

    def _json(self, value: JsonTemplate) -> Code:
        match value:
            case tuple():
                return self._text(value)
            case Mapping():
                members = [(py(key), self._json(each)) for key, each in value.items()]
                return mapping(members)
            case list():
                return listed([self._json(each) for each in value])
            case _:
                return py(value)

    def _encoded_pairs(
        self, pairs: Named, encode: Callable[[str], str]
    ) -> list[tuple[Code, Code]]:
        """Return pairs of which names and texts are written as ``encode`` does."""
        return [
            (py(encode(key)), self._text(tuple(_encoded(template, encode))))
            for key, template in pairs
        ]

    def _text(self, template: Template) -> Code:
        """Return a text, one value, or a tuple of the pieces of both."""
        if not template:
            return py("")
        pieces = [
            py(piece.text) if isinstance(piece, Literal) else self._value(piece)
            for piece in _merged(template)
        ]
        return pieces[0] if len(pieces) == 1 else tuple_of(pieces)

    def _value(self, variable: Variable) -> Code:
        """Return the place of a value."""
        arguments = [py(variable.name)]
        if variable.is_secret:
            return self._made("Secret", *arguments, *_ways(variable))
        field = self.fields[variable.name]
        if isinstance(field.origin, Context):
            label = ".".join(field.origin.path)
            arguments += [py(label)] if label != variable.name else []
        arguments += _ways(variable)
        if not isinstance(field.origin, Caller):
            arguments.append(keyword("hidden", py(True)))
        if _is_decimal(field.type) and not variable.path:
            arguments.append(keyword("digits", py(str(field_attribute(field)))))
        elif holds_floats(field.type, self.catalog):
            arguments.append(keyword("whole", py(True)))
        return self._made("Arg", *arguments)


def _percent(text: str) -> str:
    return quote(text, safe="")


def _encoded(
    template: Template, encode: Callable[[str], str]
) -> Iterator[Literal | Variable]:
    for piece in template:
        yield Literal(encode(piece.text)) if isinstance(piece, Literal) else piece


def _ways(variable: Variable) -> Iterator[Code]:
    if variable.path:
        yield keyword("path", tuple_of([*map(py, variable.path)]))
    if variable.style is not None:
        yield keyword("style", py(variable.style.value))


def _pairs(pairs: Iterable[tuple[Code, Code]]) -> Code:
    return tuple_of([tuple_of(pair) for pair in pairs])


def _text_of(piece: Literal | Variable) -> str:
    return piece.text if isinstance(piece, Literal) else ""


def _merged(template: Template) -> Iterator[Literal | Variable]:
    """Yield pieces, adjacent texts as one."""
    text = ""
    for piece in template:
        if isinstance(piece, Literal):
            text += piece.text
            continue
        if text:
            yield Literal(text)
        text = ""
        yield piece
    if text:
        yield Literal(text)


def _is_decimal(type: Type) -> bool:
    match type:
        case ScalarType(scalar):
            return SCALARS[scalar].keeps_digits
        case ListType(inner) | NullableType(inner):
            return _is_decimal(inner)
        case _:
            return False
