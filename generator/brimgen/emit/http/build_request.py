"""Lower the body of ``build``, which assembles a request."""

from __future__ import annotations

from typing import cast

from brimgen.emit.code import Code, py
from brimgen.emit.http.expand_templates import (
    Pieces,
    Text,
    is_literal,
    last,
    literal,
    variables,
)
from brimgen.emit.http.view import RequestParts
from brimgen.emit.http.write_body import body, form_pairs
from brimgen.emit.python_text import (
    joined,
    tuple_of,
)
from brimgen.model.http import (
    SEPARATORS,
    Auth,
    BasicAuth,
    BearerAuth,
    Encoding,
    FormPayload,
    HttpBody,
    JsonPayload,
    KeyAuth,
    Template,
    TextPayload,
    Url,
    Variable,
)

_ALWAYS_PRIVATE = frozenset({"authorization", "cookie", "proxy-authorization"})


class Building:
    """Makes the parts of a request."""

    def __init__(self, request: HttpBody, pieces: Pieces) -> None:
        self.request = request
        self.pieces = pieces
        self.url: list[Code] = []
        self.private: set[str] = set()

    def parts(self) -> RequestParts:
        """Return the parts."""
        self._url()
        query = self._query()
        headers = self._headers()
        form = content = None
        match self.request.payload:
            case None:
                pass
            case FormPayload() as payload:
                form = form_pairs(payload, self.pieces)
            case payload:
                content = body(payload, self.pieces)
        self.pieces.imports.name("Request")
        return RequestParts(
            url=self.url,
            query=query,
            headers=joined(headers),
            form=form,
            body=content,
            arguments=joined(self._arguments()),
        )

    def _arguments(self) -> list[Code]:
        """Return what `Request` takes."""
        has_body = self.request.payload is not None
        return [
            py(self.request.method),
            Code("url"),
            Code("tuple(sent)"),
            Code("body" if has_body else "None"),
            Code("SHOWN"),
            self._private(),
            *([Code("is_private=True")] if self._is_body_private() else []),
        ]

    def _private(self) -> Code:
        return tuple_of([py(name) for name in sorted(self.private)])

    def _url(self) -> None:
        url, pieces = self.request.url, self.pieces
        text = f"{url.scheme}://"
        if url.base is not None:
            base_url = pieces.imports.name("base_url")
            self.url.append(Code(f"{base_url}(secrets, {py(url.base)})"))
            text = ""
        elif is_literal(url.authority):
            text += literal(url.authority)
        else:
            self.url.append(py(text))
            text = ""
            self.url.append(self._authority(url))
        for template in url.segments:
            text += "/"
            if is_literal(template):
                text += literal(template)
                continue
            self.url.append(py(text))
            text = ""
            if len(template) == 1:
                self.url.append(pieces.placed("segment", last(template)))
            else:
                segment = pieces.joined(pieces.texts(template, "part"))
                self.url.append(pieces.checked("whole", segment, template))
        if text:
            self.url.append(py(text))

    def _authority(self, url: Url) -> Code:
        pieces = self.pieces
        authority = pieces.joined(pieces.texts(url.authority, "host_part"))
        hosts = Code("PLAN.hosts"), py(url.scheme)
        return pieces.checked("authority", authority, url.authority, *hosts)

    def _query(self) -> Code | None:
        """Return the pairs of the query that are only known when the request is made."""
        pieces, auth = self.pieces, self.request.auth
        pairs = [
            pieces.pair(key, template, is_encoded=True)
            for key, template in self.request.url.query
        ]
        pairs += [pieces.pair(key, template) for key, template in self.request.query]
        if isinstance(auth, KeyAuth) and auth.in_query:
            pairs.append(pieces.pair(auth.name, auth.value))
        if not pairs:
            return None
        if not all(isinstance(pair, list) for pair in pairs):
            pieces.imports.name("query")
            return pieces.pair_list(pairs)
        items: list[Text | Code] = []
        for pair in pairs:
            items.append(Text("&" if items else "?"))
            items += cast("list[Text | Code]", pair)
        self.url.append(pieces.joined(items))
        return None

    def _headers(self) -> list[Code]:
        items: list[Code] = []
        names = {key.casefold() for key, _ in self.request.headers}
        for key, usual in self._usual():
            if key.casefold() not in names:
                items.append(tuple_of([py(key), py(usual)]))
        for key, template in self.request.headers:
            self._note(key, template)
            items.append(self._header(key, template))
        if self.request.auth is not None:
            items += self._auth(self.request.auth)
        return items

    def _note(self, key: str, template: Template) -> None:
        hidden = any(map(self.pieces.is_hidden, variables(template)))
        if hidden or key.casefold() in _ALWAYS_PRIVATE:
            self.private.add(key.lower())

    def _usual(self) -> list[tuple[str, str]]:
        reads = self.request.response.encoding
        headers = [("Accept", "application/json")] if reads is Encoding.JSON else []
        match self.request.payload:
            case JsonPayload():
                headers.append(("Content-Type", "application/json"))
            case FormPayload():
                headers.append(("Content-Type", "application/x-www-form-urlencoded"))
            case TextPayload():
                headers.append(("Content-Type", "text/plain; charset=utf-8"))
            case None:
                pass
        return headers

    def _header(self, key: str, template: Template) -> Code:
        pieces = self.pieces
        if is_literal(template):
            return tuple_of([py(key), py(literal(template).strip(" \t"))])
        if len(template) == 1:
            variable = last(template)
            is_joined = variable.style in SEPARATORS
            if pieces.may_be_absent(variable) or is_joined:
                return Code(f"*{pieces.placed('headers', variable, py(key))}")
            return tuple_of([py(key), pieces.placed("header", variable)])
        value = pieces.checked("header", pieces.plain(template), template)
        return tuple_of([py(key), value])

    def _auth(self, auth: Auth) -> list[Code]:
        match auth:
            case BearerAuth(token):
                self.private.add("authorization")
                return [self._bearer(token)]
            case BasicAuth(username, password):
                self.private.add("authorization")
                return [self._basic(username, password)]
            case KeyAuth(name, value, in_query):
                if in_query:
                    return []
                self.private.add(name.lower())
                return [self._header(name, value)]

    def _bearer(self, token: Template) -> Code:
        pieces = self.pieces
        name = pieces.name_of(last(token)) if variables(token) else "authorization"
        function = pieces.imports.name("bearer")
        value = Code(f"{function}({pieces.plain(token)}, {py(name)})")
        return tuple_of([py("Authorization"), value])

    def _basic(self, username: Template, password: Template) -> Code:
        pieces = self.pieces
        named = variables(username) + variables(password)
        name = pieces.name_of(named[0]) if named else "authorization"
        function = pieces.imports.name("basic")
        value = Code(
            f"{function}({pieces.plain(username)}, {pieces.plain(password)}, {py(name)})"
        )
        return tuple_of([py("Authorization"), value])

    def _is_body_private(self) -> bool:
        payload = self.request.payload
        return payload is not None and any(
            map(self.pieces.is_hidden, body_variables(payload))
        )


def body_variables(payload: JsonPayload | FormPayload | TextPayload) -> list[Variable]:
    """Return the variables of a body."""
    match payload:
        case JsonPayload(value):
            pending, used = [value], list[Variable]()
            while pending:
                node = pending.pop()
                match node:
                    case tuple():
                        used += variables(node)
                    case list():
                        pending += node
                    case dict():
                        pending += node.values()
                    case _:
                        pass
            return used
        case FormPayload(fields):
            return [
                variable for _, template in fields for variable in variables(template)
            ]
        case TextPayload(text):
            return variables(text)
